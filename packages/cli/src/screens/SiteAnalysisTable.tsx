// The analyses of sites that were kept: the page, and the topics that came nearest to it.

import type { ListMeta, StoredSiteAnalysis } from "@footfall/sdk"
import type { ReactNode } from "react"
import { ListScreen } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** One page of analyses. */
export interface SiteAnalysisTableProps {
  readonly analyses: ReadonlyArray<StoredSiteAnalysis>
  readonly meta: ListMeta
  readonly now: Date
  readonly screenColumns: number
}

/** Topics that are named; all of them are in the other forms. */
const TOPICS_SHOWN = 3

/** The same page asked for twice stands here twice. */
export const SiteAnalysisTable = (props: SiteAnalysisTableProps): ReactNode => {
  const { analyses, meta, now, screenColumns } = props
  return (
    <ListScreen
      columns={analysisColumns(now)}
      rows={analyses}
      meta={meta}
      nouns={["analysis", "analyses"]}
      empty={{ says: "There are no analyses yet.", next: "Run: footfall topics analyze <url>" }}
      screenColumns={screenColumns}
    />
  )
}

const analysisColumns = (now: Date): ReadonlyArray<Column<StoredSiteAnalysis>> => [
  { title: "Page", cell: ({ url }) => url, widthMin: 16, widthKept: 26 },
  {
    title: "Company",
    cell: ({ company }) => company ?? "",
    widthMin: 8,
    widthKept: 14,
    dropRank: 1,
  },
  { title: "Topics", cell: topicsText, widthMin: 16, widthKept: 24 },
  { title: "Read", cell: ({ createdAt }) => timeAgo(createdAt, now), align: "right" },
]

const topicsText = ({ topics }: StoredSiteAnalysis): string =>
  topics.length === 0
    ? "none"
    : topics
        .slice(0, TOPICS_SHOWN)
        .map(({ topicName }) => topicName)
        .join(", ")
