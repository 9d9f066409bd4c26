// The options that say whom an audience is to hold: a whole configuration as JSON, or its parts, which
// come before those of the JSON.

import type { AudienceConfigParams, Footfall } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { usageError } from "../../errors/usage-error.ts"
import { givenJson } from "../../terminal/given-json.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { TOPIC_WORDS } from "../topics/topic-options.ts"
import { wholeNumber } from "../whole-number.ts"
import { addFilterOptions, givenFilters, splitValues } from "./filter-options.ts"

/** As commander hands them to a command. */
export interface ConfigOptions {
  readonly config?: string
  readonly topic?: ReadonlyArray<string>
  readonly minScore?: number
  readonly maxScore?: number
  readonly overlap?: number
  readonly source?: string
  /** The options of the filters, each by its own name. */
  readonly [name: string]: unknown
}

/** Source: spec 2.8. */
const SCORE_MAX = 100
const TOPICS_MAX = 10

/** Adds `--topic`, `--config` and an option for each part of a configuration. */
export const addConfigOptions = (command: Command): Command => {
  command
    .option("--topic <topic...>", `${TOPIC_WORDS}; 1 to ${TOPICS_MAX}`)
    .addOption(score("--min-score <score>", "lowest score that counts (default: 70)"))
    .addOption(score("--max-score <score>", "highest score that counts (default: 100)"))
    .addOption(
      new Option("--overlap <count>", "topics a person must have such a score for (default: 1)")
        // The server says how many are too many for these topics.
        .argParser(wholeNumber(TOPICS_MAX)),
    )
  return addFilterOptions(command).option(
    "--config <config>",
    "a configuration: a file of JSON, `-` for standard input, or the JSON itself",
  )
}

/** Adds `--source`, for a configuration that is saved. */
export const addSourceOption = (command: Command): Command =>
  command.option("--source <url>", "the site that the audience was built from")

/** Whether any part of a configuration was given. */
export const hasConfig = (options: ConfigOptions): boolean => {
  const { config, topic, minScore, maxScore, overlap, source } = options
  const parts = [config, topic, minScore, maxScore, overlap, source]
  return parts.some((part) => part !== undefined) || Object.keys(givenFilters(options)).length > 0
}

/**
 * The configuration that was given; topics that were named are looked up. `present`: what the options
 * change where no whole configuration was given. Default: nothing.
 * Errors: usage, when no topic was given or the JSON is none; as `topicIdOf`.
 */
export const givenConfig = async (
  terminal: Terminal,
  client: Footfall,
  options: ConfigOptions,
  present: object = {},
): Promise<AudienceConfigParams> => {
  const written: Readonly<Record<string, unknown>> =
    options.config === undefined
      ? { ...present }
      : await givenJson(terminal, options.config, "configuration")
  const topics = options.topic?.flatMap(splitIds)
  if (topics === undefined && written["topicIds"] === undefined) {
    throw usageError("There is no topic.", "Give --topic; see: footfall topics search <words>")
  }
  const { topicIdsOf } = await import("../../topics/topic-reference.ts")
  const { minScore, maxScore, overlap, source } = options
  const given = {
    ...written,
    ...(topics !== undefined && { topicIds: await topicIdsOf(client, topics) }),
    ...(minScore !== undefined && { minScore }),
    ...(maxScore !== undefined && { maxScore }),
    ...(overlap !== undefined && { minTopicOverlap: overlap }),
    ...(source !== undefined && { sourceUrl: source }),
    ...filtersOf(written, options),
  }
  // What has another form the server refuses, and says what it would have taken.
  return given as unknown as AudienceConfigParams
}

const filtersOf = (
  { filters }: Readonly<Record<string, unknown>>,
  options: ConfigOptions,
): { readonly filters?: object } => {
  const given = givenFilters(options)
  if (Object.keys(given).length === 0) return {}
  return { filters: { ...(typeof filters === "object" ? filters : {}), ...given } }
}

/** Ids may stand together; in a name a comma is part of it. */
const splitIds = (given: string): ReadonlyArray<string> =>
  /^\s*\d+(\s*,\s*\d+)+\s*$/.test(given) ? splitValues(given) : [given]

const score = (flags: string, about: string): Option =>
  new Option(flags, about).argParser(wholeNumber(SCORE_MAX))
