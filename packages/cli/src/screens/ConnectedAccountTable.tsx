// The connected accounts on a terminal.

import type { ConnectedAccount } from "@footfall/sdk"
import type { ReactNode } from "react"
import { ListScreen, type ListScreenMeta } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** Every account; the list is not paged. */
export interface ConnectedAccountTableProps {
  readonly accounts: ReadonlyArray<ConnectedAccount>
  readonly meta: ListScreenMeta
  readonly now: Date
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied. */
export const ConnectedAccountTable = (props: ConnectedAccountTableProps): ReactNode => {
  const { accounts, meta, now, screenColumns } = props
  return (
    <ListScreen
      columns={accountColumns(now)}
      rows={accounts}
      meta={meta}
      nouns={["account", "accounts"]}
      empty={{
        says: "There are no connected accounts yet.",
        next: "Run: footfall integrations accounts create",
      }}
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
