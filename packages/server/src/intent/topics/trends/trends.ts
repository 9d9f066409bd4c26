// Reads topics' daily figures: one topic over time, several side by side, and those whose audience changed most
// (spec 2.18, 5.7).
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { addDays } from "../../../access/time-zone.ts"
import { DataVersions } from "../../../people/imports/data-versions.ts"
import { Catalog } from "../catalog/catalog.ts"
import {
  type FoldedTopic,
  foldTopic,
  topicFilter,
  type TopicFilter,
} from "../catalog/topic-filter.ts"
import { inTurns } from "../in-turns.ts"
import { type Change, TrendStore } from "./store.ts"
import type { TopicMover } from "./topic-trend.ts"
import { trendWindow, type TrendWindow, windowDaysDefault } from "./trend-window.ts"

export class TopicNotFound extends Schema.TaggedError<TopicNotFound>()("TopicNotFound", {}) {}

export class WindowRefused extends Schema.TaggedError<WindowRefused>()("WindowRefused", {
  reason: Schema.Literals(["from_after_to", "too_long"]),
}) {}

export interface MoverQuestion extends Pick<TopicFilter, "type" | "industry"> {
  readonly direction: "up" | "down"
  readonly limit: number
}

interface Mover extends Change {
  readonly topic: FoldedTopic
}

const make = Effect.gen(function* () {
  const store = yield* TrendStore
  const catalog = yield* Catalog
  const versions = yield* DataVersions

  /** Today if there are no figures. */
  const newestDate = Effect.gen(function* () {
    const newest = yield* Effect.orDie(store.newestDate)
    return newest ?? DateTime.formatIsoDateUtc(yield* DateTime.now)
  })

  /** A topic's days with data, ascending. Errors: TopicNotFound, WindowRefused. */
  const trend = Effect.fn("Trends.trend")(function* (
    topicId: number,
    requested: Partial<TrendWindow>,
  ) {
    const window = trendWindow(requested, yield* newestDate)
    if (typeof window === "string") return yield* new WindowRefused({ reason: window })
    const topic = (yield* catalog.byId).get(topicId)
    if (topic === undefined) return yield* new TopicNotFound()
    const { topicId: _, ...texts } = topic
    const days = yield* Effect.orDie(store.days([topicId], window))
    return days.map(({ date, topicId: __, ...figures }) => ({ date, ...texts, ...figures }))
  })

  /** Returns the last 30 days of the topics in the requested order, without unknown ones. */
  const compare = Effect.fn("Trends.compare")(function* (topicIds: ReadonlyArray<number>) {
    const byId = yield* catalog.byId
    const topics = [...new Set(topicIds)].flatMap((topicId) => byId.get(topicId) ?? [])
    if (topics.length === 0) return []
    const to = yield* newestDate
    const days = yield* Effect.orDie(
      store.days(
        topics.map(({ topicId }) => topicId),
        { from: addDays(to, 1 - windowDaysDefault), to },
      ),
    )
    return topics.map(({ topicId, topicName }) => ({
      topicId,
      topicName,
      data: days
        .filter((day) => day.topicId === topicId)
        .map(({ topicId: _, ...figures }) => figures),
    }))
  })

  const load = Effect.gen(function* () {
    const byId = yield* catalog.byId
    const moved: Array<Mover> = []
    yield* inTurns(yield* store.changes, (change) => {
      const topic = byId.get(change.topicId)
      if (topic !== undefined) moved.push({ ...change, topic: foldTopic(topic) })
    })
    const grew = moved.filter((each) => each.todayAudience > each.yesterdayAudience)
    const shrank = moved.filter((each) => each.todayAudience < each.yesterdayAudience)
    return { up: grew.toSorted(byStrength), down: shrank.toSorted(byStrength) }
  })
  const present = Effect.orDie(yield* versions.remember(["topics", "signals"], load))

  /** Strongest first, ties by `topicId`. `up`: audiences that grew; `down`: those that shrank. */
  const movers = Effect.fn("Trends.movers")(function* ({
    direction,
    limit,
    ...filter
  }: MoverQuestion) {
    const passes = topicFilter(filter)
    const found: Array<TopicMover> = []
    for (const { topic, ...change } of (yield* present)[direction]) {
      if (found.length === limit) break
      const { industry, topicName, type } = topic.topic
      if (passes(topic)) found.push({ topicName, type, industry, ...change })
    }
    return found
  })

  return { trend, compare, movers }
})

const byStrength = (a: Mover, b: Mover): number =>
  Math.abs(b.pctChange) - Math.abs(a.pctChange) || a.topicId - b.topicId

export class Trends extends Context.Service<Trends, Effect.Success<typeof make>>()(
  "@footfall/server/topics/Trends",
) {
  static readonly layer = Layer.effect(Trends, make)
}
