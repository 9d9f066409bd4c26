// A topic of the server's public catalogue. Source: spec 2.18.

/** Whose interest a topic tells of: companies', consumers', or that of both. */
export type TopicType = "b2b" | "b2c" | "both"

/** Something people read about. */
export interface Topic {
  readonly topicId: number
  readonly topicName: string
  readonly type: TopicType
  /** For example `logistics`. */
  readonly industry: string
  /** For example `software`. */
  readonly category: string
}

/** How many topics each type, industry and category has. */
export interface TopicFacets {
  readonly types: ReadonlyArray<TopicFacet<TopicType>>
  readonly industries: ReadonlyArray<TopicFacet>
  readonly categories: ReadonlyArray<TopicFacet>
  /** Topics of the whole catalogue. */
  readonly total: number
}

/** A value that topics have, and how many have it. */
export interface TopicFacet<Value extends string = string> {
  readonly value: Value
  readonly count: number
}
