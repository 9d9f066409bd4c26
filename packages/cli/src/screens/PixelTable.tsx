// The pixels of the organization on a terminal.

import type { Pixel } from "@footfall/sdk"
import { Text } from "ink"
import type { ReactNode } from "react"
import { Table, type Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** Every pixel; the list is not paged. */
export interface PixelTableProps {
  readonly pixels: ReadonlyArray<Pixel>
  readonly now: Date
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied. */
export const PixelTable = ({ pixels, now, screenColumns }: PixelTableProps): ReactNode =>
  pixels.length === 0 ? (
    <Text>There are no pixels yet. Run: footfall pixels create {"<domain>"}</Text>
  ) : (
    <Table
      columns={pixelColumns(now)}
      rows={pixels}
      screenColumns={screenColumns}
      isDim={(pixel) => pixel.status === "paused"}
    />
  )

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
