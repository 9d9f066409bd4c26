// Lists as text.
import type { List } from "@footfall/sdk"
import { count } from "../ui/time.tsx"

export const listWords = {
  companies: {
    many: "Companies",
    holds: "Domains. A name below one, or a URL, is read as its domain.",
    example: "acme.example",
  },
  people: {
    many: "People",
    holds: "Email addresses, or their SHA-256.",
    example: "jane@acme.example",
  },
} as const

/** For example `1,204 companies`. */
export const sizeText = ({ size, subject }: Pick<List, "size" | "subject">): string =>
  size === 1
    ? `1 ${subject === "companies" ? "company" : "person"}`
    : `${count(size)} ${subject === "companies" ? "companies" : "people"}`
