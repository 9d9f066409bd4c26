// The saved segments on a terminal.

import type { ListMeta, Segment } from "@footfall/sdk"
import type { ReactNode } from "react"
import { ruleText } from "../rules/rule-text.ts"
import { ListScreen } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** One page of segments. */
export interface SegmentTableProps {
  readonly segments: ReadonlyArray<Segment>
  readonly meta: ListMeta
  readonly now: Date
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied. */
export const SegmentTable = ({
  segments,
  meta,
  now,
  screenColumns,
}: SegmentTableProps): ReactNode => (
  <ListScreen
    columns={segmentColumns(now)}
    rows={segments}
    meta={meta}
    nouns={["segment", "segments"]}
    empty={{
      says: "There are no segments yet.",
      next: "Run: footfall segments create <name> --where <predicate>",
    }}
    screenColumns={screenColumns}
  />
)

const segmentColumns = (now: Date): ReadonlyArray<Column<Segment>> => [
  { title: "Id", cell: ({ id }) => id },
  { title: "Name", cell: ({ name }) => name, widthMin: 10, widthKept: 20 },
  { title: "Matches", cell: ({ ruleAst }) => ruleText(ruleAst), widthMin: 16, dropRank: 2 },
  {
    title: "Changed",
    cell: ({ updatedAt }) => timeAgo(updatedAt, now),
    align: "right",
    dropRank: 1,
  },
]
