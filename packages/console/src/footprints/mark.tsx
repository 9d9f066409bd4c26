// Initials of a person (round) or a company (square). A company and its people wear the same tint, chosen by the
// company's domain, so that a list shows at once who belongs together.
import "./footprints.css"

const tints = 6

/** 1 to 6; 0 without a domain. */
export const tintOf = (domain: string | null): number => {
  if (domain === null) return 0
  let hash = 7
  for (const letter of domain) hash = (hash * 31 + letter.codePointAt(0)!) % 65_521
  return (hash % tints) + 1
}

/** Up to two letters. */
export const initialsOf = (name: string): string => {
  const words = name.split(/[\s._@-]+/u).filter((word) => /^\p{L}|^\p{N}/u.test(word))
  const [first = "", last = ""] = [words[0], words.length > 1 ? words.at(-1) : undefined]
  const letter = (word: string): string => [...word][0] ?? ""
  return (letter(first) + letter(last)).toLocaleUpperCase("en") || "·"
}

interface MarkProps {
  readonly name: string
  readonly domain: string | null
  readonly size?: "xs" | "sm" | "lg" | "xl"
}

export const PersonMark = ({ name, domain, size }: MarkProps) => (
  <span className={`person-mark ${size ?? ""} t${tintOf(domain)}`} aria-hidden="true">
    {initialsOf(name.split("@")[0] ?? name)}
  </span>
)

export const CompanyMark = ({ name, domain, size }: MarkProps) => (
  <span className={`company-mark ${size ?? ""} t${tintOf(domain)}`} aria-hidden="true">
    {[...name.trim()].slice(0, 2).join("")}
  </span>
)
