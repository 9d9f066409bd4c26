// The public topic catalog: list, facets and search (spec 5.7). Each process caches it until an import on the same
// database, from any process, changes it (spec 5.7.12). Responses are never older than that, so the allowed 24 hours of
// caching are not needed.
import { Context, Effect, Layer } from "effect"
import { KeyedLists, type ListPosition } from "../../../platform/lists/keyed-lists.ts"
import { DataVersions } from "../../../people/imports/data-versions.ts"
import type { Topic, WordsOfTopics } from "../topic.ts"
import {
  facetsOf,
  filterKey,
  type FoldedTopic,
  foldTopic,
  passing,
  type TopicFilter,
} from "./topic-filter.ts"
import { inTurns } from "../in-turns.ts"
import { buildSearchIndex, type SearchQuestion, searchTopics } from "./search-index.ts"
import { CatalogStore } from "./store.ts"

/** Searches cached per version of the catalog, because people type the same beginnings. Some 2 MiB at most. */
const searchesMax = 2_000
/** Likewise for the filters of lists. Some 5 MiB with 20,000 topics. */
const filtersMax = 32

const make = Effect.gen(function* () {
  const store = yield* CatalogStore
  const versions = yield* DataVersions
  const lists = yield* KeyedLists

  const table = Effect.gen(function* () {
    const folded: Array<FoldedTopic> = []
    yield* inTurns(yield* store.topics, ({ words, ...topic }) =>
      folded.push(foldTopic(topic, words)),
    )
    const byId: ReadonlyMap<number, Topic> = new Map(
      folded.map(({ topic }) => [topic.topicId, topic]),
    )
    const words: WordsOfTopics = new Map(
      folded.flatMap(({ topic: { topicId }, words }) =>
        words.length === 0 ? [] : [[topicId, words] as const],
      ),
    )
    const filtered = new Recent<ReadonlyArray<FoldedTopic>>(filtersMax)
    return { folded, byId, words, facets: facetsOf(folded), filtered }
  })
  const present = Effect.orDie(yield* versions.remember(["topics"], table))

  const index = yield* versions.remember(
    ["topics"],
    Effect.flatMap(present, ({ folded }) => buildSearchIndex(folded)),
  )
  /** Among equal matches, the topic with the larger audience comes first, then the shorter name. */
  const searchable = Effect.gen(function* () {
    const built = yield* index
    const audiences = new Map(
      (yield* store.audiences).map(({ topicId, uniqueAudience }) => [topicId, uniqueAudience]),
    )
    const audience = built.topics.map(({ topic }) => audiences.get(topic.topicId) ?? 0)
    const order = Uint32Array.from(audience.keys()).sort(
      (a, b) =>
        audience[b]! - audience[a]! || built.names[a]!.length - built.names[b]!.length || a - b,
    )
    const preference = new Uint32Array(order.length)
    for (const [rank, place] of order.entries()) preference[place] = rank
    return { index: built, preference, searches: new Recent<ReadonlyArray<Topic>>(searchesMax) }
  })
  const presentSearch = Effect.orDie(yield* versions.remember(["topics", "signals"], searchable))

  /** Returns one page of the matching topics, by `topicId`. Errors: CursorRefused for another list's cursor. */
  const list = Effect.fn("Catalog.list")(function* (
    filter: TopicFilter,
    position: ListPosition,
    pageSize: number,
  ) {
    const { filtered, folded } = yield* present
    const found = filtered.get(JSON.stringify(filterKey(filter)), () => passing(folded, filter))
    return yield* lists.page<Topic>(
      {
        // The catalog belongs to no organization, so anyone may use its cursors.
        organizationId: "",
        route: "GET /v1/intent/topics",
        filters: filterKey(filter),
        position,
        limit: pageSize,
      },
      {
        rows: (start, limit) => {
          const from = "after" in start ? placeAfter(found, Number(start.after[0])) : start.offset
          return Effect.succeed(found.slice(from, from + limit).map(({ topic }) => topic))
        },
        count: () => Effect.succeed(found.length),
        keyOf: ({ topicId }) => [String(topicId)],
      },
    )
  })

  return {
    /** Every topic by its id, ascending. */
    byId: Effect.map(present, ({ byId }) => byId),
    /** The other names of topics that have any. */
    words: Effect.map(present, ({ words }) => words),
    facets: Effect.map(present, ({ facets }) => facets),
    list,

    /** The topics that match a text, best first; search-index.ts ranks them. */
    search: Effect.fn("Catalog.search")(function* (question: SearchQuestion) {
      const { index, preference, searches } = yield* presentSearch
      const { industry, limit, q, type } = question
      return searches.get(JSON.stringify([q, type, industry, limit]), () =>
        searchTopics(index, preference, question).map(({ topic }) => topic),
      )
    }),
  }
})

/** Returns where topics with a greater id start. */
const placeAfter = (topics: ReadonlyArray<FoldedTopic>, topicId: number): number => {
  const place = topics.findIndex(({ topic }) => topic.topicId > topicId)
  return place === -1 ? topics.length : place
}

export class Catalog extends Context.Service<Catalog, Effect.Success<typeof make>>()(
  "@footfall/server/topics/Catalog",
) {
  static readonly layer = Layer.effect(Catalog, make)
}

/** A cache of the most recently used values. */
export class Recent<Value> {
  readonly #max: number
  /** In order of their last use, latest last. */
  readonly #values = new Map<string, Value>()

  constructor(max: number) {
    this.#max = max
  }

  /** Returns the value of the key, and computes it if it is not cached. */
  get(key: string, compute: () => Value): Value {
    const known = this.#values.get(key)
    const value = known ?? compute()
    if (known !== undefined) this.#values.delete(key)
    this.#values.set(key, value)
    if (this.#values.size > this.#max) {
      const [oldest] = this.#values.keys()
      this.#values.delete(oldest!)
    }
    return value
  }
}
