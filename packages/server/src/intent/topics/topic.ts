// A topic of the server's public catalog, as stored and returned (spec 2.18).
import { Schema } from "effect"

/** Whether companies, consumers, or both show interest in the topic. */
export const TopicType = Schema.Literals(["b2b", "b2c", "both"])
export type TopicType = typeof TopicType.Type

export const topicFields = {
  topicId: Schema.Int,
  topicName: Schema.String,
  type: TopicType,
  industry: Schema.String,
  category: Schema.String,
}

/** Other names for a topic, such as "TMS" for a transportation management system. */
export type WordsOfTopics = ReadonlyMap<number, ReadonlyArray<string>>

export class Topic extends Schema.Opaque<Topic>()(
  Schema.Struct(topicFields).annotate({ identifier: "Topic" }),
) {}
