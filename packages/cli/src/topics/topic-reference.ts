// Topics on the command line: the options that select them, their ids and their names.

import { type Footfall, FootfallError, type Topic, type TopicType } from "@footfall/sdk"
import { type Command, Option } from "commander"
import { comparable } from "../command/names.ts"
import { CliError, ExitCode, usageError } from "../errors/cli-error.ts"

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
      new Option(
        "--type <type>",
        "only topics of this type; b2b and b2c include topics of both",
      ).choices(types),
    )
    .option("--industry <name>", "only topics of this industry, in any case")

/** Describes an argument or option that takes a topic. */
export const TOPIC_WORDS = "id or full name of a topic"

/** Columns of a topic in CSV (spec 2.18). */
export const topicColumns = ["topicId", "topicName", "type", "industry", "category"] as const

/** Maximum topics per request (spec 5.7). */
const TOPICS_MAX = 10

/**
 * The known names. Leaves out unknown topics, and names that cannot be loaded now, because a screen is readable with
 * ids.
 */
export const topicNamesOf = async (
  client: Footfall,
  topicIds: ReadonlyArray<number>,
): Promise<ReadonlyMap<number, string>> => {
  const names = new Map<number, string>()
  try {
    for (let at = 0; at < topicIds.length; at += TOPICS_MAX) {
      const found = await client.topics.compare(topicIds.slice(at, at + TOPICS_MAX), {
        maxRetries: 0,
      })
      for (const { topicId, topicName } of found) names.set(topicId, topicName)
    }
  } catch (error) {
    if (!(error instanceof FootfallError)) throw error
  }
  return names
}

/** Maximum length of a search text (spec 5.7). */
const QUERY_LENGTH_MAX = 100

/** Topics suggested if no topic has the given name. */
const CLOSEST_SHOWN = 3

/** Search results to check. Exact matches come first. */
const SEARCH_LIMIT = 10

/** An id is a number of the database's `integer`. */
const TOPIC_ID = /^[0-9]{1,10}$/

/** The topics' ids, in order. Errors: those of `topicIdOf`. */
export const topicIdsOf = (
  client: Footfall,
  references: ReadonlyArray<string>,
): Promise<ReadonlyArray<number>> =>
  Promise.all(references.map((reference) => topicIdOf(client, reference)))

/**
 * The topic's id; an id itself takes no request. Errors: `NOT_FOUND` (exit code 5) with the closest names; usage, for
 * an ambiguous or empty name; those of the server.
 */
export const topicIdOf = async (client: Footfall, reference: string): Promise<number> => {
  const text = reference.trim()
  if (TOPIC_ID.test(text)) return Number(text)
  if (text === "") throw usageError("One of the topics is empty.", "Use its id or its name.")
  const q = Array.from(text).slice(0, QUERY_LENGTH_MAX).join("")
  const found = await client.topics.search({ q, limit: SEARCH_LIMIT })
  const named = found.filter(({ topicName }) => comparable(topicName) === comparable(text))
  const [topic] = named
  if (topic === undefined) throw unknownTopic(text, found)
  if (named.length === 1) return topic.topicId
  throw usageError(
    `Several topics have the name ${text}.`,
    `Use the id of one of them: ${closest(named)}.`,
  )
}

const unknownTopic = (text: string, found: ReadonlyArray<Topic>): CliError =>
  new CliError({
    code: "NOT_FOUND",
    message: `No topic found with the name ${text}.`,
    exitCode: ExitCode.notFound,
    nextStep:
      found.length === 0
        ? "To list them: footfall topics list"
        : `Closest: ${closest(found)}. Use an id or a full name.`,
  })

const closest = (topics: ReadonlyArray<Topic>): string =>
  topics
    .slice(0, CLOSEST_SHOWN)
    .map(({ topicId, topicName }) => `${topicId} ${topicName}`)
    .join(", ")
