// How many people read about a topic, day by day. The figures rest on shared signals alone, never on
// those of a pixel. Source: spec 2.18.

import type { Topic, TopicType } from "./topic.ts"

/** The figures of one day. */
export interface TopicDay {
  /** `YYYY-MM-DD`. A day without data has no point. */
  readonly date: string
  /** People with a signal. */
  readonly uniqueAudience: number
  readonly totalSignals: number
  /** From 1 to 100, 2 decimals. */
  readonly avgScore: number
  /** People with a score from 90 to 100. */
  readonly highAudience: number
  /** From 70 to 89. */
  readonly mediumAudience: number
  /** Under 70. */
  readonly lowAudience: number
}

/** One day of one topic. */
export interface TopicTrendPoint extends TopicDay, Omit<Topic, "topicId"> {}

/** A topic beside others: its last 30 days. */
export interface TopicComparison {
  readonly topicId: number
  readonly topicName: string
  /** Oldest first. */
  readonly data: ReadonlyArray<TopicDay>
}

/** A topic whose audience changed between the two newest days with data. */
export interface TopicMover {
  readonly topicId: number
  readonly topicName: string
  readonly type: TopicType
  readonly industry: string
  /** People on the newest day. */
  readonly todayAudience: number
  /** People on the day with data before it; never 0. */
  readonly yesterdayAudience: number
  /** Percent of the day before, 2 decimals; negative where people went away. */
  readonly pctChange: number
}
