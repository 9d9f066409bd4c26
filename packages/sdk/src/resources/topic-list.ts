// A list of topics that an organization keeps under a name. Source: spec 2.18 and 5.7.

/** A saved topic list. */
export interface TopicList {
  readonly id: string
  readonly organizationId: string
  /** 1 to 160 characters. */
  readonly name: string
  /** 1 to 100. */
  readonly topicIds: ReadonlyArray<number>
  readonly createdAt: string
  readonly updatedAt: string
}

/** What a new list is made of. */
export interface TopicListCreateParams {
  /** 1 to 160 characters. */
  readonly name: string
  /** 1 to 100, each of them in the catalogue. */
  readonly topicIds: ReadonlyArray<number>
}

/** What changes; what is left out stays. */
export interface TopicListUpdateParams {
  /** 1 to 160 characters. */
  readonly name?: string | undefined
  /** 1 to 100, each of them in the catalogue; they replace those there are. */
  readonly topicIds?: ReadonlyArray<number> | undefined
}
