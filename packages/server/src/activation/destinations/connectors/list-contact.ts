// A contact as written to a mailing list: address, mapped fields, tags (spec 2.16, 2.17). Pure; its hash identifies
// what was sent.
import type { ResultRow } from "../../../intent/runs/results/result-row.ts"
import type { AutomationConfig, FieldMapping, MappedAttribute } from "./automation-config.ts"

export type ListFields = Readonly<Record<string, string | number>>

export interface ListContact {
  readonly email: string
  readonly fields: ListFields
  /** Deduplicated; the managed tag is last. */
  readonly tags: ReadonlyArray<string>
}

/** Undefined for a contact without an address, which is skipped. */
export const listContact = (
  contact: ResultRow,
  { audienceId, config }: { readonly audienceId: string; readonly config: AutomationConfig },
): ListContact | undefined =>
  contact.email === null
    ? undefined
    : {
        email: contact.email,
        fields: mappedFields(contact, config.fieldMapping),
        tags: [...new Set([...config.tags, managedTag(audienceId)])],
      }

/** Shows in the list which audience a contact came from. */ // spec 2.17
export const managedTag = (audienceId: string): string => `audience:${audienceId.slice(0, 8)}`

/**
 * The list fields for which the contact has a value. Unknown values are left out, so that no value in the list is
 * cleared.
 */
export const mappedFields = (contact: ResultRow, fieldMapping: FieldMapping): ListFields =>
  Object.fromEntries(
    Object.entries(fieldMapping).flatMap(([field, attribute]) => {
      const value = attributes[attribute](contact)
      return value === null || value === "" ? [] : [[field, value]]
    }),
  )

const attributes: Readonly<
  Record<MappedAttribute, (contact: ResultRow) => string | number | null>
> = {
  firstName: ({ firstName }) => firstName,
  lastName: ({ lastName }) => lastName,
  fullName: ({ fullName }) => fullName,
  jobTitle: ({ jobTitle }) => jobTitle,
  headline: ({ headline }) => headline,
  seniority: ({ seniority }) => seniority,
  department: ({ department }) => department,
  linkedinUrl: ({ linkedinUrl }) => linkedinUrl,
  "company.name": ({ company }) => company.name,
  "company.domain": ({ company }) => company.domain,
  "company.industry": ({ company }) => company.industry,
  "company.industryGroup": ({ company }) => company.industryGroup,
  "company.revenueRange": ({ company }) => company.revenueRange,
  "company.linkedinUrl": ({ company }) => company.linkedinUrl,
  "geo.city": ({ geo }) => geo.city,
  "geo.state": ({ geo }) => geo.state,
  "geo.country": ({ geo }) => geo.country,
  "intent.score": ({ intent }) => intent?.score ?? null,
  "intent.topicOverlap": ({ intent }) => intent?.topicOverlap ?? null,
  // As in CSV. spec 2.13.
  "intent.matchedTopics": ({ intent }) =>
    intent?.matchedTopics.map(({ topicName }) => topicName).join("|") ?? null,
}
