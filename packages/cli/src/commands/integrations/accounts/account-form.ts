// Connected accounts as their commands print them.

import type { ConnectedAccount } from "@footfall/sdk"
import type { RowsForm } from "../../../output/print-rows.ts"
import type { Terminal } from "../../../terminal/terminal.ts"

/** The list. */
export const accountForm = (
  accounts: ReadonlyArray<ConnectedAccount>,
  { now }: Terminal,
): RowsForm => ({
  data: accounts,
  rows: accounts,
  csvColumns: [
    "id",
    "automationAccountId",
    "appSlug",
    "appName",
    "accountName",
    "status",
    "lastSyncedAt",
  ],
  drawn: async (columns) => {
    const [{ drawn }, { ConnectedAccountTable }] = await Promise.all([
      import("../../../screens/drawn.ts"),
      import("../../../screens/ConnectedAccountTable.tsx"),
    ])
    return drawn(ConnectedAccountTable, { accounts, now, screenColumns: columns }, columns)
  },
})

/** One account in a sentence. */
export const accountSentence = ({ accountName, appName, id, status }: ConnectedAccount): string =>
  `${appName}${accountName === null ? "" : ` (${accountName})`} is ${status}: ${id}`
