// The filters, the preview and one audience on a terminal.

import type {
  Audience,
  AudienceConfigParams,
  AudienceExplanation,
  AudienceFilterCount,
  AudienceFilterCounts,
  AudienceFilterValues,
  AudiencePerson,
  AudiencePreview,
  AudienceScoreCount,
  AudienceValidation,
  ListedAudienceFilter,
} from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { Bars } from "../ui/bars.tsx"
import { Facts } from "../ui/facts.tsx"
import { Prose } from "../ui/prose.tsx"
import { type Column, Table } from "../ui/table.tsx"
import { counted, countText, dateAndTime, timeAgo } from "../ui/text.ts"
import {
  audienceFacts,
  type AudienceNames,
  audienceStatusText,
  filterWords,
  runDays,
  scoreHistogram,
  wordOf,
} from "./words.ts"

/** The filters and which of them are shown. */
interface AudienceFiltersViewProps {
  readonly filters: AudienceFilterValues | AudienceFilterCounts
  readonly names: ReadonlyArray<ListedAudienceFilter>
  readonly screenColumns: number
}

/** Values shown per filter if there are several; a single filter is shown completely. */
const VALUES_SHOWN = 30

/** Open lists (industry, state) may be long. */
export const AudienceFiltersView = (props: AudienceFiltersViewProps): ReactNode => {
  const { filters, names, screenColumns } = props
  const shownMax = names.length === 1 ? Infinity : VALUES_SHOWN
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      {names.map((name) => (
        <Box key={name} flexDirection="column">
          <Text>
            <Text bold>{filterWords[name]}</Text>
            <Text dimColor>{` · ${name}`}</Text>
          </Text>
          <Values values={filters[name].slice(0, shownMax)} screenColumns={screenColumns} />
          {filters[name].length > shownMax ? (
            <Text dimColor>
              {`${filters[name].length - shownMax} more: footfall audiences filters ${name}`}
            </Text>
          ) : null}
        </Box>
      ))}
      {names.length === 1 ? null : <Prose dimColor>{FILTERS_WITHOUT_LIST}</Prose>}
    </Box>
  )
}

/** Source: spec 2.9. */
const FILTERS_WITHOUT_LIST =
  "Filters that accept any value: --job-title, --company-name, --company-domain, and --has- or --without-phone, " +
  "-linkedin, -business-email, -personal-email"

const Values = (props: {
  readonly values: ReadonlyArray<string | AudienceFilterCount>
  readonly screenColumns: number
}): ReactNode => {
  const { values, screenColumns } = props
  if (values.length === 0) return <Text dimColor>There are no values in the data yet.</Text>
  const counts = values.filter((value) => typeof value !== "string")
  if (counts.length === 0)
    return <Words words={values.filter((value) => typeof value === "string")} />
  return (
    <Bars
      rows={counts.map(({ value, count }) => ({
        label: value,
        value: count,
        text: countText(count),
      }))}
      screenColumns={screenColumns}
    />
  )
}

/** Separated by commas; lines only break between words. */
const Words = ({ words }: { readonly words: ReadonlyArray<string> }): ReactNode => (
  <Box flexWrap="wrap" columnGap={1}>
    {words.map((word, index) => (
      <Text key={word}>{`${plainText(word)}${index === words.length - 1 ? "" : ","}`}</Text>
    ))}
  </Box>
)

/** The preview, and what was previewed. */
interface AudiencePreviewViewProps {
  readonly preview: AudiencePreview
  readonly config: AudienceConfigParams
  readonly names: AudienceNames
  /** Suggestions for its filter values. */
  readonly meanings?: ReadonlyArray<string>
  readonly screenColumns: number
}

/** People of the sample that are shown; all of them are in the JSON. */
const PEOPLE_SHOWN = 20

/** The histogram only covers the sample, which has the highest scores, and says so. */
export const AudiencePreviewView = (props: AudiencePreviewViewProps): ReactNode => {
  const { preview, config, names, meanings = [], screenColumns } = props
  const { explanation, explanationTooSlow, totalCount, sample, dataDate } = preview
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text>
        <Text bold>{counted(totalCount, "person", "people")}</Text>
        {` on ${dataDate}`}
      </Text>
      <Facts facts={audienceFacts(config, names)} />
      {totalCount === 0
        ? [emptyText(config), ...meanings].map((text) => <Prose key={text}>{text}</Prose>)
        : null}
      {sample.length === 0 ? null : (
        <Sample sample={sample} total={totalCount} names={names} screenColumns={screenColumns} />
      )}
      {explanation === null ? null : (
        <Explanation explanation={explanation} screenColumns={screenColumns} />
      )}
      {explanationTooSlow ? (
        <Prose>
          Explaining it took longer than 10 seconds. Use fewer topics or a simpler segment to see
          who is left after each part.
        </Prose>
      ) : null}
      {explanation === null ? (
        <Histogram
          title={
            sample.length === totalCount
              ? "Scores"
              : `Scores of the sample: the ${sample.length} highest, not all ${countText(totalCount)}`
          }
          scores={sample.flatMap(({ intentScore: score }) =>
            score === null ? [] : [{ score, people: 1 }],
          )}
          screenColumns={screenColumns}
        />
      ) : (
        <Histogram
          title="People by score, whatever --min-score and --max-score are"
          scores={explanation.scores}
          screenColumns={screenColumns}
        />
      )}
    </Box>
  )
}

/** Who is left after each part. */
const Explanation = (props: {
  readonly explanation: AudienceExplanation
  readonly screenColumns: number
}): ReactNode => {
  const { explanation, screenColumns } = props
  return (
    <Box flexDirection="column">
      <Text dimColor>People left after each part</Text>
      <Bars
        rows={explanation.parts.map(({ count, part }) => ({
          label: partWords.get(part) ?? wordOf(part),
          value: count,
          text: countText(count),
        }))}
        screenColumns={screenColumns}
      />
    </Box>
  )
}

const partWords = new Map([
  ["topics", "Topics"],
  ["segment", "Segment"],
  ["suppression", "Not suppressed"],
])

const emptyText = (config: AudienceConfigParams): string => {
  const { filters, minTopicOverlap = 1, segmentId = null, topicIds = [] } = config
  const hasTopics = topicIds.length > 0
  const hasFilters = Object.keys(filters ?? {}).length > 0
  const advice = [
    segmentId === null ? null : "another --segment",
    hasTopics ? "a lower --min-score" : null,
    minTopicOverlap > 1 ? "a lower --overlap" : null,
    hasFilters ? "fewer filters" : hasTopics ? "more topics" : null,
  ].filter((each) => each !== null)
  return `No one matches. Try ${advice.join(", or ")}.`
}

const Sample = (props: {
  readonly sample: ReadonlyArray<AudiencePerson>
  readonly total: number
  readonly names: AudienceNames
  readonly screenColumns: number
}): ReactNode => {
  const { sample, total, names, screenColumns } = props
  const shown = sample.slice(0, PEOPLE_SHOWN)
  const hasScores = sample.some(({ intentScore }) => intentScore !== null)
  return (
    <Box flexDirection="column" rowGap={1}>
      <Table
        columns={hasScores ? scoredColumns(names.topics) : personColumns}
        rows={shown}
        screenColumns={screenColumns}
      />
      <Text dimColor>{shownText(shown.length, sample.length, total, hasScores)}</Text>
    </Box>
  )
}

const shownText = (shown: number, sampled: number, total: number, hasScores: boolean): string => {
  if (shown === total) return "Everyone who matches, with masked email addresses."
  const rest = sampled > shown ? `. --json has ${sampled}` : ""
  return hasScores
    ? `The ${countText(shown)} highest scores, with masked email addresses${rest}.`
    : `${countText(shown)} of them, with masked email addresses${rest}.`
}

const personColumns: ReadonlyArray<Column<AudiencePerson>> = [
  // People known by hash only have no address; the start of the hash tells them apart.
  {
    title: "Email",
    cell: ({ email, hem }) => (email === "" ? `#${hem.slice(0, 12)}` : email),
    widthMin: 14,
    widthKept: 22,
  },
  { title: "Company", cell: ({ company }) => company, widthMin: 8, widthKept: 14, dropRank: 2 },
  { title: "Job", cell: ({ jobTitle }) => jobTitle, widthMin: 8, widthKept: 14, dropRank: 1 },
]

const scoredColumns = (
  names: ReadonlyMap<number, string>,
): ReadonlyArray<Column<AudiencePerson>> => [
  {
    title: "Score",
    cell: ({ intentScore }) => `${intentScore ?? "–"}`,
    align: "right",
    color: "cyan",
  },
  ...personColumns,
  {
    title: "Topic",
    cell: ({ topicId }) => (topicId === null ? "" : (names.get(topicId) ?? `${topicId}`)),
    widthMin: 8,
    widthKept: 14,
    dropRank: 3,
  },
]

const Histogram = (props: {
  readonly title: string
  readonly scores: ReadonlyArray<AudienceScoreCount>
  readonly screenColumns: number
}): ReactNode => {
  const { screenColumns, scores, title } = props
  return scores.length === 0 ? null : (
    <Box flexDirection="column">
      <Text dimColor>{title}</Text>
      <Bars
        rows={scoreHistogram(scores).map((bucket) => ({
          label: `${bucket.from} to ${bucket.to}`,
          value: bucket.count,
          text: countText(bucket.count),
        }))}
        screenColumns={screenColumns}
      />
    </Box>
  )
}

/** The server's response, and the known names of the topics. */
interface AudienceValidationViewProps {
  readonly validation: AudienceValidation
  readonly names: AudienceNames
  readonly screenColumns: number
}

/** An invalid configuration is an error and never gets here. */
export const AudienceValidationView = (props: AudienceValidationViewProps): ReactNode => {
  const { validation, names, screenColumns } = props
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text color="green">The configuration is valid.</Text>
      <Facts
        facts={[
          ...audienceFacts(validation.normalizedConfig, names),
          ["Hash", validation.configHash],
        ]}
      />
    </Box>
  )
}

/** An audience and the available width. */
interface AudienceViewProps {
  readonly audience: Audience
  /** The name of its segment, if it is known. */
  readonly segment?: string | undefined
  readonly now: Date
  readonly screenColumns: number
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** First what it contains, then how it is configured. */
export const AudienceView = (props: AudienceViewProps): ReactNode => {
  const { audience, now, screenColumns, segment, timeZone } = props
  const { config, dailyRefreshEnabled, pausedAt } = audience
  const topics = new Map(config.topics.map(({ topicId, topicName }) => [topicId, topicName]))
  const moment = (at: string | null) => (at === null ? null : dateAndTime(at, timeZone))
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text>
        <Text bold>{plainText(audience.name)}</Text>
        <Text dimColor>{` · ${audienceStatusText(audience)}`}</Text>
      </Text>
      <Facts
        facts={[
          ["People", peopleText(audience, now)],
          ["Daily refresh", dailyRefreshEnabled ? runDays(config) : "off"],
        ]}
      />
      <Facts facts={[...audienceFacts(config, { segment, topics }), ["Site", config.sourceUrl]]} />
      <Facts
        facts={[
          ["Created", moment(audience.createdAt)],
          ["Updated", moment(audience.updatedAt)],
          ["Paused", moment(pausedAt)],
          ["Id", audience.id],
        ]}
      />
    </Box>
  )
}

const peopleText = ({ audienceSize, lastRefreshedAt }: Audience, now: Date): string =>
  lastRefreshedAt === null
    ? "not counted yet: no run has completed"
    : `${counted(audienceSize, "person", "people")}, ${timeAgo(lastRefreshedAt, now)}`
