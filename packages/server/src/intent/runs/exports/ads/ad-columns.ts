// Which columns each ad platform's customer list has, and how a value is written before it is hashed (spec 2.13.5).
// Every platform has its own rules, so the same address has different hashes. Pure.
import { Schema } from "effect"
import { hash } from "node:crypto"
import type { ResultDbRow } from "../../results/result-row.ts"

// spec 2.13.5
export const AdFormat = Schema.Literals(["meta", "google", "linkedin", "tiktok", "x"])
export type AdFormat = typeof AdFormat.Type

/** What a platform takes of a person. */
export type AdPerson = Pick<
  ResultDbRow,
  | "hashedEmail"
  | "email"
  | "businessEmail"
  | "personalEmail"
  | "firstName"
  | "lastName"
  | "phone"
  | "jobTitle"
  | "companyName"
  | "city"
  | "state"
  | "country"
>

interface AdFile {
  /** Undefined for a file without a header. */
  readonly header: ReadonlyArray<string> | undefined
  /** The lines of one person, each as its cells. */
  readonly lines: (person: AdPerson) => ReadonlyArray<ReadonlyArray<string>>
}

/** Meta, Google and TikTok accept up to three columns of one kind. */
const emailsMax = 3

const sha256 = (text: string): string => (text === "" ? "" : hash("sha256", text, "hex"))

const lowered = (text: string | null): string => (text ?? "").trim().toLowerCase().normalize("NFC")

/** The person's different addresses, as the platform writes them, hashed. Someone may be known by a hash alone. */
const hashedEmails = (
  { businessEmail, email, hashedEmail, personalEmail }: AdPerson,
  written: (email: string) => string = (email) => email,
): ReadonlyArray<string> => {
  const known = [email, businessEmail, personalEmail].map(lowered).filter((text) => text !== "")
  const hashes = new Set(known.map((address) => sha256(written(address))))
  return hashes.size === 0 ? [hashedEmail] : [...hashes].slice(0, emailsMax)
}

const inColumns = (hashes: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from({ length: emailsMax }, (_, place) => hashes[place] ?? "")

/** The address as its parts, at the last `@`. */
const partsOf = (email: string): readonly [local: string, domain: string] => {
  const at = email.lastIndexOf("@")
  return [email.slice(0, at), email.slice(at + 1)]
}

const withoutTag = (local: string): string => local.replace(/\+.*$/s, "") || local

const asGoogle = (email: string): string => {
  const [local, domain] = partsOf(email)
  return domain === "gmail.com" || domain === "googlemail.com"
    ? `${withoutTag(local).replaceAll(".", "")}@${domain}`
    : email
}

const asTikTok = (email: string): string => {
  const [local, domain] = partsOf(email)
  return `${withoutTag(local)}@${domain}`
}

/** Letters of every script, their marks, and digits. */
const otherCharacters = /[^\p{L}\p{M}\p{N}]+/gu

const digitsOf = (phone: string | null): string => (phone ?? "").replaceAll(/\D+/g, "")

/** Without punctuation. Words stay apart. */
const asMetaName = (name: string | null): string =>
  lowered(name)
    .replaceAll(/[\p{P}\p{S}]+/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim()

const asMetaPlace = (place: string | null): string => lowered(place).replaceAll(otherCharacters, "")

const spaced = (name: string | null): string => lowered(name).replaceAll(/\s+/g, " ")

const prefix = /^(?:mr|mrs|ms|miss|dr|prof)\.? (?=.)/
const suffix = /(?<=.),? (?:jr|sr|ii|iii|iv)\.?$/

/** Two letters, or nothing: a country that isn't known to ISO 3166 is of no use to a platform. */
const countryOf = ({ country }: AdPerson): string =>
  /^[A-Za-z]{2}$/.test(country ?? "") ? country!.toUpperCase() : ""

export const adFiles: Readonly<Record<AdFormat, AdFile>> = {
  meta: {
    header: ["email", "email", "email", "phone", "fn", "ln", "ct", "st", "country"],
    lines: (person) => [
      [
        ...inColumns(hashedEmails(person)),
        sha256(digitsOf(person.phone)),
        sha256(asMetaName(person.firstName)),
        sha256(asMetaName(person.lastName)),
        sha256(asMetaPlace(person.city)),
        sha256(asMetaPlace(person.state)),
        sha256(countryOf(person).toLowerCase()),
      ],
    ],
  },
  google: {
    header: ["Email", "Email", "Email", "Phone", "First Name", "Last Name", "Country", "Zip"],
    lines: (person) => {
      const phone = digitsOf(person.phone)
      return [
        [
          ...inColumns(hashedEmails(person, asGoogle)),
          sha256(phone === "" ? "" : `+${phone}`),
          sha256(spaced(person.firstName).replace(prefix, "")),
          sha256(spaced(person.lastName).replace(suffix, "")),
          countryOf(person),
          // Footfall knows no postal codes, but Google refuses names without the column.
          "",
        ],
      ]
    },
  },
  linkedin: {
    header: [
      "email",
      "firstname",
      "lastname",
      "jobtitle",
      "employeecompany",
      "country",
      "googleaid",
    ],
    lines: (person) => [
      [
        hashedEmails(person)[0]!,
        person.firstName ?? "",
        person.lastName ?? "",
        person.jobTitle ?? "",
        person.companyName ?? "",
        countryOf(person),
        "",
      ],
    ],
  },
  tiktok: {
    header: ["Email_SHA256", "Email_SHA256", "Email_SHA256", "Phone_SHA256"],
    lines: (person) => [
      [...inColumns(hashedEmails(person, asTikTok)), sha256(digitsOf(person.phone))],
    ],
  },
  // One identifier a line.
  x: {
    header: undefined,
    lines: (person) => hashedEmails(person).map((email) => [email]),
  },
}
