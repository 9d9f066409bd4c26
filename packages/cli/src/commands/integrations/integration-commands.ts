// `footfall integrations`: connected accounts, and their mailing lists.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addAccountsCheck } from "./accounts/check.ts"
import { addAccountsConnect } from "./accounts/connect.ts"
import { addAccountsDisconnect } from "./accounts/disconnect.ts"
import { addAccountsList } from "./accounts/list.ts"
import { addIntegrationsLists } from "./lists.ts"

/** Adds the group to the program. */
export const addIntegrationCommands = (program: Command, terminal: Terminal): void => {
  const integrations = program
    .command("integrations")
    .description("accounts at mailing-list providers, and their lists")
    .helpCommand(false)
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
