// Contacts that did not arrive, on a terminal.

import type { DeliveryFailure, ListMeta } from "@footfall/sdk"
import type { ReactNode } from "react"
import { ListScreen } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** One page of failures. */
export interface DeliveryFailureTableProps {
  readonly failures: ReadonlyArray<DeliveryFailure>
  readonly meta: ListMeta
  readonly now: Date
  readonly screenColumns: number
}

export const DeliveryFailureTable = (props: DeliveryFailureTableProps): ReactNode => {
  const { failures, meta, now, screenColumns } = props
  return (
    <ListScreen
      columns={failureColumns(now)}
      rows={failures}
      meta={meta}
      nouns={["contact", "contacts"]}
      empty={{ says: "Every contact arrived." }}
      screenColumns={screenColumns}
    />
  )
}

const failureColumns = (now: Date): ReadonlyArray<Column<DeliveryFailure>> => [
  { title: "Hashed email", cell: ({ hashedEmail }) => hashedEmail, widthMin: 12 },
  { title: "Error", cell: ({ errorCode }) => errorCode },
  {
    title: "Status",
    cell: ({ statusCode }) => (statusCode === null ? "" : String(statusCode)),
    align: "right",
    dropRank: 3,
  },
  { title: "Attempts", cell: ({ attempts }) => String(attempts), align: "right", dropRank: 1 },
  {
    title: "Last",
    cell: ({ lastAttemptAt }) => timeAgo(lastAttemptAt, now),
    align: "right",
    dropRank: 2,
  },
]
