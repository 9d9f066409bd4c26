// A stored account as it is answered: without its address and credentials.
import { appNames, type ConnectedAccount } from "./account.ts"
import type { AccountRow } from "./store.ts"

type Shown = Pick<
  AccountRow,
  "accountName" | "appSlug" | "automationAccountId" | "id" | "lastSyncedAt" | "status"
>

export const accountOf = (row: Shown): ConnectedAccount => ({
  id: row.id,
  automationAccountId: row.automationAccountId,
  appSlug: row.appSlug,
  appName: appNames[row.appSlug],
  accountName: row.accountName,
  status: row.status,
  lastSyncedAt: row.lastSyncedAt,
})
