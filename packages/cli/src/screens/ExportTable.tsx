// The exports of a run on a terminal.

import type { Export, ListMeta } from "@footfall/sdk"
import type { ReactNode } from "react"
import { countText, sizeText } from "./figures.ts"
import { ListScreen } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** One page of exports. */
export interface ExportTableProps {
  readonly exports: ReadonlyArray<Export>
  readonly meta: ListMeta
  readonly now: Date
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied. Those whose file is gone are dim. */
export const ExportTable = (props: ExportTableProps): ReactNode => (
  <ListScreen
    columns={exportColumns(props.now)}
    rows={props.exports}
    meta={props.meta}
    nouns={["export", "exports"]}
    empty={{
      says: "There are no exports of this run yet.",
      next: "Run: footfall exports create <audience-id> <run-id>",
    }}
    screenColumns={props.screenColumns}
    isDim={({ status }) => status === "expired"}
  />
)

const exportColumns = (now: Date): ReadonlyArray<Column<Export>> => [
  { title: "Id", cell: ({ id }) => id },
  { title: "Status", cell: ({ status }) => status, widthMin: 9 },
  {
    title: "People",
    cell: ({ rowCount }) => (rowCount === null ? "" : countText(rowCount)),
    align: "right",
    dropRank: 2,
  },
  {
    title: "Size",
    cell: ({ byteSize }) => (byteSize === null ? "" : sizeText(byteSize)),
    align: "right",
    dropRank: 3,
  },
  { title: "File", cell: ({ fileName }) => fileName, widthMin: 12, widthKept: 16, dropRank: 4 },
  {
    title: "Created",
    cell: ({ createdAt }) => timeAgo(createdAt, now),
    align: "right",
    dropRank: 1,
  },
]
