// The runs of an audience on a terminal.

import type { ListMeta, Run } from "@footfall/sdk"
import type { ReactNode } from "react"
import { countText } from "./figures.ts"
import { ListScreen } from "./ListScreen.tsx"
import { runStatusText } from "./run-words.ts"
import type { Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** One page of runs. */
export interface RunTableProps {
  readonly runs: ReadonlyArray<Run>
  readonly meta: ListMeta
  readonly now: Date
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied. */
export const RunTable = (props: RunTableProps): ReactNode => {
  const { runs, meta, now, screenColumns } = props
  return (
    <ListScreen
      columns={runColumns(now)}
      rows={runs}
      meta={meta}
      nouns={["run", "runs"]}
      empty={{ says: "There are no runs yet.", next: "Run: footfall runs start <audience-id>" }}
      screenColumns={screenColumns}
    />
  )
}

const runColumns = (now: Date): ReadonlyArray<Column<Run>> => [
  { title: "Id", cell: ({ id }) => id },
  { title: "Status", cell: runStatusText, widthMin: 9, widthKept: 12 },
  {
    title: "People",
    cell: ({ resultCount, status }) => (status === "completed" ? countText(resultCount) : ""),
    align: "right",
  },
  { title: "Data of", cell: ({ dataDate }) => dataDate, dropRank: 3 },
  { title: "Type", cell: ({ runType }) => runType, dropRank: 1 },
  {
    title: "Started",
    cell: ({ createdAt }) => timeAgo(createdAt, now),
    align: "right",
    dropRank: 2,
  },
]
