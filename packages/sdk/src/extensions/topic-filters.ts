// Types of topics, and what a list of topics is filtered by and starts at. spec 1.6 and 5.7

/** Whether a topic shows the interest of companies, consumers or both. */
export type TopicType = "b2b" | "b2c" | "both"

/** Number of topics by type, industry and category. */
export interface TopicFacets {
  readonly types: ReadonlyArray<TopicFacet<TopicType>>
  readonly industries: ReadonlyArray<TopicFacet>
  readonly categories: ReadonlyArray<TopicFacet>
  /** Number of topics in the whole catalog. */
  readonly total: number
}

/** A value, and the number of topics with it. */
export interface TopicFacet<Value extends string = string> {
  readonly value: Value
  readonly count: number
}

/** Topic filters, case-insensitive. */
export interface TopicFilter {
  /** `b2b` and `b2c` also include topics of type `both`. */
  readonly type?: TopicType | undefined
  /** At most 100 characters. */
  readonly industry?: string | undefined
}

/** Where to start: at a page, or at a cursor to continue from. */
export type TopicListPosition =
  | {
      /** Page number, from 1. Default 1. */
      readonly page?: number | undefined
      readonly cursor?: undefined
    }
  | {
      readonly page?: undefined
      /** `meta.nextCursor` of a previous page, with the same filter. */
      readonly cursor?: string | undefined
    }
