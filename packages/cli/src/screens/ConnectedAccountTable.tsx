// The connected accounts on a terminal.

import type { ConnectedAccount } from "@footfall/sdk"
import { Text } from "ink"
import type { ReactNode } from "react"
import { Table, type Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** Every account; the list is not paged. */
export interface ConnectedAccountTableProps {
  readonly accounts: ReadonlyArray<ConnectedAccount>
  readonly now: Date
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied. */
export const ConnectedAccountTable = (props: ConnectedAccountTableProps): ReactNode => {
  const { accounts, now, screenColumns } = props
  return accounts.length === 0 ? (
    <Text>There are no connected accounts yet. Run: footfall integrations accounts connect</Text>
  ) : (
    <Table
      columns={accountColumns(now)}
      rows={accounts}
      screenColumns={screenColumns}
      isDim={({ status }) => status === "disconnected"}
    />
  )
}

const accountColumns = (now: Date): ReadonlyArray<Column<ConnectedAccount>> => [
  { title: "Id", cell: ({ id }) => id },
  { title: "App", cell: ({ appName }) => appName, widthMin: 6, dropRank: 1 },
  { title: "Name", cell: ({ accountName }) => accountName ?? "", widthMin: 8, widthKept: 16 },
  { title: "Status", cell: ({ status }) => status },
  {
    title: "Checked",
    cell: ({ lastSyncedAt }) => timeAgo(lastSyncedAt, now),
    align: "right",
    dropRank: 2,
  },
]
