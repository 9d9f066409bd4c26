// URL search parameters of the topic list.

export type TopicsView = "all" | "up" | "down" | "compare" | "lists" | "site"

export interface TopicsSearch {
  /** All topics, those that grew or shrank most, a comparison, saved lists, or the topics of a page. Default: all. */
  readonly view?: TopicsView | undefined
  /** Part of the name. */
  readonly q?: string | undefined
  /** Ids of the compared topics, comma-separated. */
  readonly topics?: string | undefined
}

const views: ReadonlyArray<TopicsView> = ["all", "up", "down", "compare", "lists", "site"]

export const readTopicsSearch = (search: Record<string, unknown>): TopicsSearch => {
  const { q, topics } = search
  const view = views.find((known) => known === search["view"])
  return {
    ...(view !== undefined && view !== "all" && { view }),
    ...(/^\d+(,\d+)*$/.test(String(topics)) && { topics: String(topics) }),
    ...((typeof q === "string" || typeof q === "number") && q !== "" && { q: String(q) }),
  }
}
