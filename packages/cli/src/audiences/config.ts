// The options that describe an audience: a configuration as JSON, or its parts, which override the
// JSON. The server validates the values and lists the valid ones in its error.

import type { AudienceConfigParams, AudienceFilter, Footfall } from "@footfall/sdk"
import { type Command, Option } from "commander"
import { segmentId } from "../command/ids.ts"
import { wholeNumber } from "../command/values.ts"
import { usageError } from "../errors/cli-error.ts"
import { givenJson } from "../terminal/given-json.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { TOPIC_WORDS } from "../topics/topic-reference.ts"

/** An option, the filter it sets, and how its value is read. */
interface FilterOption {
  readonly flags: string
  readonly filter: AudienceFilter
  readonly about: string
  /** Converts the given value. Default: none. */
  readonly value?: (given: unknown) => unknown
}

/** Splits at commas; no value of these filters contains one. */
const several = (given: unknown): ReadonlyArray<string> => splitValues(String(given))

/** Splits at commas. */
const splitValues = (given: string): ReadonlyArray<string> =>
  given
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "")

const possession = (noun: string, filter: AudienceFilter): ReadonlyArray<FilterOption> => [
  { flags: `--has-${noun}`, filter, about: "only people with one", value: () => true },
  { flags: `--without-${noun}`, filter, about: "only people without one", value: () => false },
]

/** spec 2.9 */
const filterOptions: ReadonlyArray<FilterOption> = [
  // An industry's name may contain a comma.
  {
    flags: "--industry <label...>",
    filter: "companyIndustry",
    about: "industry of the company; see: footfall audiences filters companyIndustry",
  },
  {
    flags: "--seniority <values>",
    filter: "seniority",
    about: "for example vp,c_suite",
    value: several,
  },
  {
    flags: "--company-size <values>",
    filter: "companySize",
    about: "employees, for example 51-200,201-500",
    value: several,
  },
  {
    flags: "--department <values>",
    filter: "department",
    about: "for example operations,finance",
    value: several,
  },
  {
    flags: "--state <state>",
    filter: "state",
    about: "a US state by code or name, or another region",
  },
  {
    flags: "--revenue <values>",
    filter: "companyRevenueRange",
    about: "revenue of the company, for example '1 billion and over'",
    value: several,
  },
  { flags: "--age <values>", filter: "ageRange", about: "for example 35-44,45-54", value: several },
  { flags: "--gender <value>", filter: "gender", about: "M, F, or U for unknown" },
  { flags: "--b2b <y|n>", filter: "isB2b", about: "whether the person is a business contact" },
  {
    flags: "--job-title <text>",
    filter: "jobTitle",
    about: "part of the title; separate alternatives with commas",
  },
  { flags: "--company-domain <domain>", filter: "companyDomain", about: "exact domain" },
  { flags: "--company-name <text>", filter: "companyName", about: "part of the name" },
  ...possession("phone", "hasPhone"),
  ...possession("linkedin", "hasLinkedin"),
  ...possession("business-email", "hasBusinessEmail"),
  ...possession("personal-email", "hasPersonalEmail"),
]

/** Adds an option for each filter. */
const addFilterOptions = (command: Command): Command => {
  for (const { flags, filter, about } of filterOptions) {
    const rivals = filterOptions.filter((other) => other.filter === filter && other.flags !== flags)
    command.addOption(new Option(flags, about).conflicts(rivals.map((rival) => keyOf(rival))))
  }
  return command
}

/** The given filters, by name. */
const givenFilters = (
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    filterOptions.flatMap((option) => {
      const given = options[keyOf(option)] // own keys: the names commander gives our options
      if (given === undefined) return []
      return [[option.filter, option.value === undefined ? given : option.value(given)]]
    }),
  )

/** The option's name in commander. */
const keyOf = ({ flags }: FilterOption): string => new Option(flags).attributeName()

export interface ConfigOptions {
  readonly config?: string
  /** False: no segment. */
  readonly segment?: string | false
  /** False: no topics. */
  readonly topic?: ReadonlyArray<string> | false
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

/** Adds `--segment`, `--topic`, `--config` and an option for each part of a configuration. */
export const addConfigOptions = (command: Command): Command => {
  command
    .addOption(
      new Option("--segment <segment>", "only people in this segment: its id or name").argParser(
        segmentId,
      ),
    )
    .option("--topic <topic...>", `${TOPIC_WORDS}; at most ${TOPICS_MAX}`)
    .addOption(score("--min-score <score>", "lowest score to include (default: 70)"))
    .addOption(score("--max-score <score>", "highest score to include (default: 100)"))
    .addOption(
      new Option(
        "--overlap <count>",
        "number of topics that need a score in this range (default: 1)",
      )
        // The server says how many are too many for these topics.
        .argParser(wholeNumber(TOPICS_MAX)),
    )
  return addFilterOptions(command).option(
    "--config <config>",
    "a configuration: a JSON file, `-` for standard input, or the JSON itself",
  )
}

/** Adds `--source`, for a configuration that is saved. */
export const addSourceOption = (command: Command): Command =>
  command.option("--source <url>", "the site the audience was built from")

/** Whether any part of a configuration was given. */
export const hasConfig = (options: ConfigOptions): boolean => {
  const { config, segment, topic, minScore, maxScore, overlap, source } = options
  const parts = [config, segment, topic, minScore, maxScore, overlap, source]
  return parts.some((part) => part !== undefined) || Object.keys(givenFilters(options)).length > 0
}

/**
 * Returns the given configuration, after looking up topics that are given by name. `present`: what
 * the options change if no whole configuration is given. Default: nothing. Errors: usage, without a
 * topic and a segment or for invalid JSON; those of `topicIdOf`.
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
  const topics = options.topic === false ? [] : options.topic?.flatMap(splitIds)
  const segment = options.segment === false ? null : options.segment
  if ([topics, segment, written["topicIds"], written["segmentId"]].every(isAbsent)) {
    throw usageError(
      "No topic or segment given.",
      "Add --topic or --segment. To find topics: footfall topics search <words>",
    )
  }
  const { topicIdsOf } = await import("../topics/topic-reference.ts")
  const { minScore, maxScore, overlap, source } = options
  const given = {
    ...written,
    ...(segment !== undefined && { segmentId: segment }),
    ...(topics !== undefined && { topicIds: await topicIdsOf(client, topics) }),
    ...(minScore !== undefined && { minScore }),
    ...(maxScore !== undefined && { maxScore }),
    ...(overlap !== undefined && { minTopicOverlap: overlap }),
    ...(source !== undefined && { sourceUrl: source }),
    ...filtersOf(written, options),
  }
  // The server rejects any other shape and says what it expects.
  return given as unknown as AudienceConfigParams
}

const isAbsent = (part: unknown): boolean => part === undefined || part === null

const filtersOf = (
  { filters }: Readonly<Record<string, unknown>>,
  options: ConfigOptions,
): { readonly filters?: object } => {
  const given = givenFilters(options)
  if (Object.keys(given).length === 0) return {}
  return { filters: { ...(typeof filters === "object" ? filters : {}), ...given } }
}

/** Ids may be separated by commas. In a name, a comma is part of the name. */
const splitIds = (given: string): ReadonlyArray<string> =>
  /^\s*\d+(\s*,\s*\d+)+\s*$/.test(given) ? splitValues(given) : [given]

const score = (flags: string, about: string): Option =>
  new Option(flags, about).argParser(wholeNumber(SCORE_MAX))
