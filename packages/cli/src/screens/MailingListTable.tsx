// The mailing lists of a connected account on a terminal.

import type { MailingList } from "@footfall/sdk"
import type { ReactNode } from "react"
import { countText } from "./figures.ts"
import { ListScreen, type ListScreenMeta } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"

/** Every list, in the provider's order. */
export interface MailingListTableProps {
  readonly lists: ReadonlyArray<MailingList>
  readonly meta: ListScreenMeta
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied; fields stand by their tags, which mappings name. */
export const MailingListTable = (props: MailingListTableProps): ReactNode => {
  const { lists, meta, screenColumns } = props
  return (
    <ListScreen
      columns={listColumns}
      rows={lists}
      meta={meta}
      nouns={["list", "lists"]}
      empty={{
        says: "There are no mailing lists in this account.",
        next: "They are made at the provider.",
      }}
      screenColumns={screenColumns}
    />
  )
}

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
