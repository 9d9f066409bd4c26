// How many people read about topics per day (spec 2.18). Only shared signals count; a day without data has no point.
import { Schema } from "effect"
import { topicFields } from "../topic.ts"

const { topicId, ...texts } = topicFields

const figures = {
  uniqueAudience: Schema.Int,
  totalSignals: Schema.Int,
  /** 2 decimals, rounded half away from zero. */
  avgScore: Schema.Finite,
  /** Score 90 to 100. */
  highAudience: Schema.Int,
  /** Score 70 to 89. */
  mediumAudience: Schema.Int,
  /** Score under 70. */
  lowAudience: Schema.Int,
}

export class TopicTrendPoint extends Schema.Opaque<TopicTrendPoint>()(
  Schema.Struct({ date: Schema.String, ...texts, ...figures }).annotate({
    identifier: "TopicTrendPoint",
  }),
) {}

export class TopicDay extends Schema.Opaque<TopicDay>()(
  Schema.Struct({ date: Schema.String, ...figures }).annotate({ identifier: "TopicDay" }),
) {}

export class TopicComparison extends Schema.Opaque<TopicComparison>()(
  Schema.Struct({ topicId, topicName: texts.topicName, data: Schema.Array(TopicDay) }).annotate({
    identifier: "TopicComparison",
  }),
) {}

export class TopicMover extends Schema.Opaque<TopicMover>()(
  Schema.Struct({
    topicId,
    topicName: texts.topicName,
    type: texts.type,
    industry: texts.industry,
    todayAudience: Schema.Int,
    /** At least 1. */
    yesterdayAudience: Schema.Int,
    /** Percent of yesterday's audience; 2 decimals, rounded half away from zero. */
    pctChange: Schema.Finite,
  }).annotate({ identifier: "TopicMover" }),
) {}
