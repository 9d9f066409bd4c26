// Connected accounts as their commands print them.

import type { ConnectedAccount } from "@footfall/sdk"
import type { RowsForm } from "../../../output/print-rows.ts"
import type { Terminal } from "../../../terminal/terminal.ts"
import type { CutList } from "../../list-options.ts"

/** The list. */
export const accountForm = (
  { rows, meta }: CutList<ConnectedAccount>,
  { now }: Terminal,
): RowsForm => ({
  data: rows,
  meta,
  rows,
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
    const props = { accounts: rows, meta, now, screenColumns: columns }
    return drawn(ConnectedAccountTable, props, columns)
  },
})

/** One account in a sentence. */
export const accountSentence = ({ accountName, appName, id, status }: ConnectedAccount): string =>
  `${appName}${accountName === null ? "" : ` (${accountName})`} is ${status}: ${id}`
