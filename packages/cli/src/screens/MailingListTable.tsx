// The mailing lists of a connected account on a terminal.

import type { MailingList } from "@footfall/sdk"
import { Text } from "ink"
import type { ReactNode } from "react"
import { countText } from "./figures.ts"
import { Table, type Column } from "./Table.tsx"

/** Every list, in the provider's order. */
export interface MailingListTableProps {
  readonly lists: ReadonlyArray<MailingList>
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied; fields stand by their tags, which mappings name. */
export const MailingListTable = ({ lists, screenColumns }: MailingListTableProps): ReactNode =>
  lists.length === 0 ? (
    <Text>The account has no mailing lists.</Text>
  ) : (
    <Table columns={listColumns} rows={lists} screenColumns={screenColumns} />
  )

const listColumns: ReadonlyArray<Column<MailingList>> = [
  { title: "Id", cell: ({ id }) => id },
  { title: "Name", cell: ({ name }) => name, widthMin: 8, widthKept: 20 },
  { title: "Subscribed", cell: ({ counts }) => countText(counts.subscribed), align: "right" },
  {
    title: "Pending",
    cell: ({ counts }) => countText(counts.pending),
    align: "right",
    dropRank: 2,
  },
  { title: "Opt-in", cell: ({ doubleOptIn }) => (doubleOptIn ? "double" : "single"), dropRank: 1 },
  {
    title: "Fields",
    cell: ({ fields }) => fields.map(({ tag }) => tag).join(", "),
    widthMin: 8,
    dropRank: 3,
  },
]
