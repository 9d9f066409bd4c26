// `footfall integrations`: connected accounts, and their mailing lists.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addAccountsCheck } from "./accounts/check.ts"
import { addAccountsConnect } from "./accounts/connect.ts"
import { addAccountsDisconnect } from "./accounts/disconnect.ts"
import { addAccountsList } from "./accounts/list.ts"
import { addIntegrationsLists } from "./lists.ts"

/** Adds its commands to the group. */
export const addIntegrationCommands = (integrations: Command, terminal: Terminal): void => {
  const accounts = integrations
    .command("accounts")
    .description("accounts that are connected")
    .helpCommand(false)
  addAccountsList(accounts, terminal)
  addAccountsConnect(accounts, terminal)
  addAccountsCheck(accounts, terminal)
  addAccountsDisconnect(accounts, terminal)
  addIntegrationsLists(integrations, terminal)
}
