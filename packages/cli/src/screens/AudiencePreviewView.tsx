// Whom a configuration holds: how many, what was asked for, some of them, and how their scores lie.

import type { AudienceConfigParams, AudiencePerson, AudiencePreview } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { audienceFacts } from "./audience-words.ts"
import { Bars } from "./Bars.tsx"
import { Facts } from "./Facts.tsx"
import { counted, countText } from "./figures.ts"
import { scoreHistogram } from "./score-histogram.ts"
import { Table, type Column } from "./Table.tsx"

/** The answer, and what it is an answer to. */
export interface AudiencePreviewViewProps {
  readonly preview: AudiencePreview
  readonly config: AudienceConfigParams
  /** As far as they are known. */
  readonly names: ReadonlyMap<number, string>
  readonly screenColumns: number
}

/** People of the sample that are shown; all of them are in the JSON. */
const PEOPLE_SHOWN = 20

/** The histogram is of the sample alone, which are those with the highest scores, and says so. */
export const AudiencePreviewView = (props: AudiencePreviewViewProps): ReactNode => {
  const { preview, config, names, screenColumns } = props
  const { totalCount, sample, dataDate } = preview
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text>
        <Text bold>{counted(totalCount, "person", "people")}</Text>
        {` on ${dataDate}`}
      </Text>
      <Facts facts={audienceFacts(config, names)} />
      {totalCount === 0 ? <Text>{emptyText(config)}</Text> : null}
      {sample.length === 0 ? null : (
        <Sample sample={sample} total={totalCount} names={names} screenColumns={screenColumns} />
      )}
      {sample.length === 0 ? null : (
        <Histogram sample={sample} total={totalCount} screenColumns={screenColumns} />
      )}
    </Box>
  )
}

const emptyText = ({ minTopicOverlap = 1, filters }: AudienceConfigParams): string => {
  const advice = [
    "a lower --min-score",
    minTopicOverlap > 1 ? "a lower --overlap" : null,
    Object.keys(filters ?? {}).length > 0 ? "fewer filters" : "further topics",
  ].filter((each) => each !== null)
  return `Nobody matches. Try ${advice.join(", or ")}.`
}

const Sample = (props: {
  readonly sample: ReadonlyArray<AudiencePerson>
  readonly total: number
  readonly names: ReadonlyMap<number, string>
  readonly screenColumns: number
}): ReactNode => {
  const { sample, total, names, screenColumns } = props
  const shown = sample.slice(0, PEOPLE_SHOWN)
  return (
    <Box flexDirection="column" rowGap={1}>
      <Table columns={personColumns(names)} rows={shown} screenColumns={screenColumns} />
      <Text dimColor>{shownText(shown.length, sample.length, total)}</Text>
    </Box>
  )
}

const shownText = (shown: number, sampled: number, total: number): string => {
  if (shown === total) return "All of them, with their addresses masked."
  const rest = sampled > shown ? `; --json has ${sampled}` : ""
  return `The ${countText(shown)} with the highest scores, masked${rest}.`
}

const personColumns = (
  names: ReadonlyMap<number, string>,
): ReadonlyArray<Column<AudiencePerson>> => [
  { title: "Score", cell: ({ intentScore }) => `${intentScore}`, align: "right", color: "cyan" },
  // People known by hash alone have no address; the start of the hash tells them apart.
  {
    title: "Email",
    cell: ({ email, hem }) => (email === "" ? `#${hem.slice(0, 12)}` : email),
    widthMin: 14,
    widthKept: 22,
  },
  { title: "Company", cell: ({ company }) => company, widthMin: 8, widthKept: 14, dropRank: 2 },
  { title: "Job", cell: ({ jobTitle }) => jobTitle, widthMin: 8, widthKept: 14, dropRank: 1 },
  {
    title: "Topic",
    cell: ({ topicId }) => names.get(topicId) ?? `${topicId}`,
    widthMin: 8,
    widthKept: 14,
    dropRank: 3,
  },
]

const Histogram = (props: {
  readonly sample: ReadonlyArray<AudiencePerson>
  readonly total: number
  readonly screenColumns: number
}): ReactNode => {
  const { sample, total, screenColumns } = props
  const isWhole = sample.length === total
  return (
    <Box flexDirection="column">
      <Text dimColor>
        {isWhole
          ? "Scores"
          : `Scores of the sample: the ${sample.length} highest, not all ${countText(total)}`}
      </Text>
      <Bars
        rows={scoreHistogram(sample.map(({ intentScore }) => intentScore)).map((bucket) => ({
          label: `${bucket.from} to ${bucket.to}`,
          value: bucket.count,
          text: countText(bucket.count),
        }))}
        screenColumns={screenColumns}
      />
    </Box>
  )
}
