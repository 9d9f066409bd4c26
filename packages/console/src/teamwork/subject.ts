// A person or a company that a team works on: how to change it, and its notes.
import type { VisitorNotes } from "@footfall/sdk"
import type { QueryKey } from "@tanstack/react-query"
import { footfall } from "../session/session.ts"

export interface Subject {
  readonly kind: "companies" | "people"
  /** The hash of a person, the domain of a company. */
  readonly id: string
}

interface Change {
  readonly ownerId?: string | null
  readonly tags?: ReadonlyArray<string>
}

export const changeSubject = async ({ id, kind }: Subject, change: Change) =>
  kind === "people" ? footfall.visitors.update(id, change) : footfall.companies.update(id, change)

export const notesOf = ({
  kind,
}: Subject): Pick<VisitorNotes, "create" | "delete" | "list" | "update"> =>
  kind === "people" ? footfall.visitors.notes : footfall.companies.notes

/** What shows its owner and tags. */
export const changesOf = ({ id, kind }: Subject): ReadonlyArray<QueryKey> => [
  ...(kind === "people" ? [["people"], ["person", id]] : [["companies"]]),
  ["tags", kind],
]
