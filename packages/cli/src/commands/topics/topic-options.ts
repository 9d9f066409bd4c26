// The options that say which topics are meant, and the argument that names one.

import type { TopicType } from "@footfall/sdk"
import { Option, type Command } from "commander"

/** As commander hands them to a command. */
export interface TopicFilterOptions {
  readonly type?: TopicType
  readonly industry?: string
}

/** Source: spec 2.9. */
const types = ["b2b", "b2c", "both"] satisfies ReadonlyArray<TopicType>

/** Adds `--type` and `--industry`. */
export const addTopicFilterOptions = (command: Command): Command =>
  command
    .addOption(
      new Option("--type <type>", "whose topics; b2b and b2c include those of both").choices(types),
    )
    .option("--industry <name>", "only topics of this industry, in any case")

/** Of an argument or option that names a topic. */
export const TOPIC_WORDS = "id of a topic, or its whole name"

/** Columns of a topic in CSV (spec 2.18). */
export const topicColumns = ["topicId", "topicName", "type", "industry", "category"] as const
