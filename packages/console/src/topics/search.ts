// What the address says about the list of topics.

export type TopicsView = "all" | "up" | "down" | "compare" | "lists" | "site"

export interface TopicsSearch {
  /** All topics, those whose audience grew or shrank most, several compared, saved lists, or those of a page. Default: all. */
  readonly view?: TopicsView | undefined
  /** Part of the name. */
  readonly q?: string | undefined
  /** Ids of the topics that are compared, separated by commas. */
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
