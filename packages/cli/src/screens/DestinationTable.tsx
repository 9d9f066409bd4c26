// The destinations of an audience on a terminal.

import type { Destination } from "@footfall/sdk"
import type { ReactNode } from "react"
import { destinationStatusText, destinationTarget } from "./destination-words.ts"
import { countText } from "./figures.ts"
import { ListScreen, type ListScreenMeta } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** Every destination; the list is not paged. */
export interface DestinationTableProps {
  readonly destinations: ReadonlyArray<Destination>
  readonly meta: ListScreenMeta
  readonly now: Date
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied. */
export const DestinationTable = (props: DestinationTableProps): ReactNode => {
  const { destinations, meta, now, screenColumns } = props
  return (
    <ListScreen
      columns={destinationColumns(now)}
      rows={destinations}
      meta={meta}
      nouns={["destination", "destinations"]}
      empty={{
        says: "There are no destinations yet.",
        next: "Run: footfall destinations create <audience-id> <name>",
      }}
      screenColumns={screenColumns}
      isDim={({ status }) => status === "draft" || status === "paused"}
    />
  )
}

const destinationColumns = (now: Date): ReadonlyArray<Column<Destination>> => [
  { title: "Id", cell: ({ id }) => id },
  { title: "Name", cell: ({ name }) => name, widthMin: 8, widthKept: 16 },
  { title: "To", cell: destinationTarget, widthMin: 8, widthKept: 24, dropRank: 1 },
  { title: "Status", cell: destinationStatusText, widthMin: 8, widthKept: 32 },
  {
    title: "Sent",
    cell: ({ stats }) => countText(stats.totalSynced),
    align: "right",
    dropRank: 3,
  },
  {
    title: "Last sent",
    cell: ({ stats: { lastDeliveredAt } }) =>
      lastDeliveredAt === null ? "never" : timeAgo(lastDeliveredAt, now),
    align: "right",
    dropRank: 2,
  },
]
