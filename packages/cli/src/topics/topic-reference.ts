// How a topic is named on the command line: by its id, or by its whole name, which is looked up.

import type { Footfall, Topic } from "@footfall/sdk"
import { CliError } from "../errors/cli-error.ts"
import { ExitCode } from "../errors/exit-code.ts"
import { usageError } from "../errors/usage-error.ts"

/** Longest text that can be searched for (spec 5.7). */
const QUERY_LENGTH_MAX = 100

/** Topics that are named where none has the name that was given. */
const CLOSEST_SHOWN = 3

/** Topics that are looked through; those of exactly this name come first. */
const SEARCH_LIMIT = 10

/** An id is a number of the database's `integer`. */
const TOPIC_ID = /^[0-9]{1,10}$/

/** The ids of the topics, in their order. Errors: as `topicIdOf`. */
export const topicIdsOf = (
  client: Footfall,
  references: ReadonlyArray<string>,
): Promise<ReadonlyArray<number>> =>
  Promise.all(references.map((reference) => topicIdOf(client, reference)))

/**
 * The id of the topic that is meant, without a request where it is an id already.
 * Errors: `NOT_FOUND` (exit code 5) with the closest names; usage, for a name of several topics and
 * for no name; those of the server.
 */
export const topicIdOf = async (client: Footfall, reference: string): Promise<number> => {
  const text = reference.trim()
  if (TOPIC_ID.test(text)) return Number(text)
  if (text === "") throw usageError("A topic has no name.", "Name it by its id or its name.")
  const q = Array.from(text).slice(0, QUERY_LENGTH_MAX).join("")
  const found = await client.topics.search({ q, limit: SEARCH_LIMIT })
  const named = found.filter(({ topicName }) => comparable(topicName) === comparable(text))
  const [topic] = named
  if (topic === undefined) throw unknownTopic(text, found)
  if (named.length === 1) return topic.topicId
  throw usageError(
    `Several topics are named ${text}.`,
    `Give the id of one of them: ${closest(named)}.`,
  )
}

/** Spaces and case tell no two names apart. */
const comparable = (name: string): string => name.trim().replace(/\s+/g, " ").toLowerCase()

const unknownTopic = (text: string, found: ReadonlyArray<Topic>): CliError =>
  new CliError({
    code: "NOT_FOUND",
    message: `No topic is named ${text}.`,
    exitCode: ExitCode.notFound,
    nextStep:
      found.length === 0
        ? "What there is: footfall topics list"
        : `Closest: ${closest(found)}. Give an id or a whole name.`,
  })

const closest = (topics: ReadonlyArray<Topic>): string =>
  topics
    .slice(0, CLOSEST_SHOWN)
    .map(({ topicId, topicName }) => `${topicId} ${topicName}`)
    .join(", ")
