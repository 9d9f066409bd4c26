// The mapping that a form holds: its fields in the order in which they are shown, also empty ones.
import type { InboundMapping, InboundMappingCreateParams, InboundRecordKind } from "@footfall/sdk"
import type { Choice } from "../ui/field.tsx"

export interface MappingField {
  /** A known one, or `custom.` and a name. */
  readonly field: string
  /** A path, or `=` and a text. Empty: not used. */
  readonly source: string
}

export interface MappingDraft {
  readonly kind: InboundRecordKind
  /** Empty: the body is the record. */
  readonly each: string
  readonly fields: ReadonlyArray<MappingField>
}

export const customPrefix = "custom."

const words: ReadonlyMap<string, string> = new Map([
  ["email", "Email"],
  ["firstName", "First name"],
  ["lastName", "Last name"],
  ["companyName", "Company name"],
  ["website", "Company website"],
  ["url", "Page URL"],
  ["at", "Time"],
  ["fullName", "Full name"],
  ["jobTitle", "Job title"],
  ["linkedinUrl", "LinkedIn profile"],
  ["phone", "Phone"],
  ["companyDomain", "Company domain"],
  ["industry", "Industry"],
  ["employeeCount", "Employees"],
  ["revenue", "Revenue"],
  ["city", "City"],
  ["state", "State"],
  ["zipCode", "Postal code"],
  ["country", "Country"],
  ["referrer", "Referrer"],
  ["eventName", "Event name"],
  ["id", "Id at the vendor"],
  ["emailHash", "SHA-256 of the email"],
])

/** Those that a form begins with. */
const usual = ["email", "firstName", "lastName", "companyName", "website", "url", "at"]

export const fieldWords = (field: string): string => {
  if (!field.startsWith(customPrefix)) return words.get(field) ?? field
  return field === customPrefix
    ? "Custom value"
    : `Custom value ${field.slice(customPrefix.length)}`
}

export const emptyMapping: MappingDraft = {
  kind: "person",
  each: "",
  fields: usual.map((field) => ({ field, source: "" })),
}

export const draftOf = ({ each = "", fields, kind }: InboundMapping): MappingDraft => {
  const used = Object.entries(fields).map(([field, source]) => ({ field, source }))
  const unused = emptyMapping.fields.filter(({ field }) => !Object.hasOwn(fields, field))
  return { kind, each, fields: [...used, ...unused] }
}

export const mappingOf = ({ each, fields, kind }: MappingDraft): InboundMappingCreateParams => ({
  kind,
  ...(each === "" ? {} : { each }),
  fields: Object.fromEntries(
    fields
      .filter(({ field, source }) => source.trim() !== "" && field !== customPrefix)
      // A text after `=` may begin and end with anything.
      .map(({ field, source }) => [field, source.startsWith("=") ? source : source.trim()]),
  ),
})

/** Without one of these, every record would be rejected. */
export const namesSomeone = ({ fields, kind }: MappingDraft): boolean => {
  const needed = new Set(["companyDomain", "website"])
  if (kind === "person") needed.add("email").add("emailHash")
  return fields.some(({ field, source }) => needed.has(field) && source.trim() !== "")
}

/** What can be added to the fields of a mapping. */
export const otherFields = ({ fields }: MappingDraft): ReadonlyArray<Choice<string>> => [
  ...[...words]
    .filter(([known]) => !fields.some(({ field }) => field === known))
    .map(([value, text]) => ({ value, text })),
  { value: customPrefix, text: "A custom value" },
]

/** With the path for a field, and the place of the next field to fill. */
export const filled = (
  draft: MappingDraft,
  place: number,
  source: string,
): { readonly draft: MappingDraft; readonly next: number } => {
  const fields = draft.fields.map((field, at) => (at === place ? { ...field, source } : field))
  const after = fields.findIndex((field, at) => at > place && field.source === "")
  return { draft: { ...draft, fields }, next: after === -1 ? place : after }
}
