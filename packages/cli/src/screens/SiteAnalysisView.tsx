// What a web page is about: the company, a summary, its keywords, and the topics that come nearest.

import type { SiteAnalysis, SiteTopic } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/plain-text.ts"
import { barText } from "./Bars.tsx"
import { Facts } from "./Facts.tsx"
import { Table, type Column } from "./Table.tsx"

/** The page that was asked for, and what became of it. */
export interface SiteAnalysisViewProps {
  readonly url: string
  readonly analysis: SiteAnalysis
  readonly screenColumns: number
}

/** Columns of a similarity of 1. */
const BAR_WIDTH = 12

/** Pages speak any language, so everything of them is strangers' text. */
export const SiteAnalysisView = (props: SiteAnalysisViewProps): ReactNode => {
  const { url, analysis, screenColumns } = props
  const { company, summary, keywords, topics } = analysis
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text bold>{plainText(company ?? url)}</Text>
      <Facts
        facts={[
          ["Page", url],
          ["Summary", summary],
          ["Keywords", keywords.join(", ")],
        ]}
      />
      {topics.length === 0 ? (
        <Text>No topic of the catalogue comes near to this page.</Text>
      ) : (
        <Table
          columns={siteTopicColumns(screenColumns)}
          rows={topics}
          screenColumns={screenColumns}
        />
      )}
    </Box>
  )
}

const siteTopicColumns = (screenColumns: number): ReadonlyArray<Column<SiteTopic>> => [
  { title: "Id", cell: ({ topicId }) => `${topicId}`, align: "right" },
  {
    title: "Topic",
    cell: ({ topicName }) => topicName,
    widthMin: 14,
    widthKept: Math.max(14, Math.floor(screenColumns * 0.35)),
  },
  {
    title: "Similarity",
    cell: ({ similarity }) => `${similarity.toFixed(2)} ${barText(similarity, BAR_WIDTH)}`,
    color: "cyan",
  },
  {
    title: "Because of",
    cell: ({ matchedKeyword }) => matchedKeyword,
    widthMin: 10,
    widthKept: 12,
    dropRank: 1,
  },
  { title: "Industry", cell: ({ industry }) => industry, widthMin: 10, widthKept: 14, dropRank: 2 },
]
