// The pixels of the organization on a terminal.

import type { Pixel } from "@footfall/sdk"
import type { ReactNode } from "react"
import { ListScreen, type ListScreenMeta } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** Every pixel; the list is not paged. */
export interface PixelTableProps {
  readonly pixels: ReadonlyArray<Pixel>
  readonly meta: ListScreenMeta
  readonly now: Date
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied. */
export const PixelTable = (props: PixelTableProps): ReactNode => {
  const { pixels, meta, now, screenColumns } = props
  return (
    <ListScreen
      columns={pixelColumns(now)}
      rows={pixels}
      meta={meta}
      nouns={["pixel", "pixels"]}
      empty={{ says: "There are no pixels yet.", next: "Run: footfall pixels create <domain>" }}
      screenColumns={screenColumns}
      isDim={(pixel) => pixel.status === "paused"}
    />
  )
}

const pixelColumns = (now: Date): ReadonlyArray<Column<Pixel>> => [
  { title: "Id", cell: ({ id }) => id },
  { title: "Domain", cell: ({ domain }) => domain, widthMin: 10, widthKept: 24 },
  { title: "Name", cell: ({ name }) => name, widthMin: 8, widthKept: 12, dropRank: 1 },
  { title: "Status", cell: statusCell, widthMin: 8 },
  {
    title: "Last event",
    cell: ({ lastEventAt }) => (lastEventAt === null ? "never" : timeAgo(lastEventAt, now)),
    align: "right",
  },
]

const statusCell = ({ status, pausedReason }: Pixel): string =>
  pausedReason === null ? status : `${status} (${pausedReason.replaceAll("_", " ")})`
