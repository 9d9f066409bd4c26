// What an automation destination writes to a list, as a value (spec 2.15, 8.1): the list, the fields, the tags, and what
// happens to people who leave the audience.

/** The attributes of a contact that can be written to a list's fields. */ // spec 2.15
export const mappedAttributes = [
  "firstName",
  "lastName",
  "fullName",
  "jobTitle",
  "headline",
  "seniority",
  "department",
  "linkedinUrl",
  "company.name",
  "company.domain",
  "company.industry",
  "company.industryGroup",
  "company.revenueRange",
  "company.linkedinUrl",
  "geo.city",
  "geo.state",
  "geo.country",
  "intent.score",
  "intent.topicOverlap",
  "intent.matchedTopics",
] as const
export type MappedAttribute = (typeof mappedAttributes)[number]

/** Maps list fields to contact attributes. */
export type FieldMapping = Readonly<Record<string, MappedAttribute>>

/** What happens at the service to someone who leaves the audience. */ // spec 2.15.3
export const leavings = ["keep", "remove_tag", "remove_from_list"] as const
export type OnLeave = (typeof leavings)[number]

/** `null`: the list's own opt-in. */
export type NewContactStatus = "SUBSCRIBED" | null

/** What is written to a list, with defaults filled in. */
export interface AutomationConfig {
  readonly listId: string
  readonly listName?: string
  readonly emailSource: "email"
  readonly newContactStatus: NewContactStatus
  readonly fieldMapping: FieldMapping
  readonly tags: ReadonlyArray<string>
  readonly onLeave: OnLeave
  /** Whether someone who is erased here is deleted at the service too. */
  readonly eraseAtProvider: boolean
}
