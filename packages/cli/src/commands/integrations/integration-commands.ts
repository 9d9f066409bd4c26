// `footfall integrations`: connected accounts, and their mailing lists.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addAccountsCheck } from "./accounts/check.ts"
import { addAccountsCreate } from "./accounts/create.ts"
import { addAccountsDelete } from "./accounts/delete.ts"
import { addAccountsGet } from "./accounts/get.ts"
import { addAccountsList } from "./accounts/list.ts"
import { addIntegrationsLists } from "./lists.ts"

/** Adds its commands to the group. */
export const addIntegrationCommands = (integrations: Command, terminal: Terminal): void => {
  const accounts = integrations
    .command("accounts")
    .description("accounts that are connected")
    .helpCommand(false)
  addAccountsList(accounts, terminal)
  addAccountsGet(accounts, terminal)
  addAccountsCreate(accounts, terminal)
  addAccountsCheck(accounts, terminal)
  addAccountsDelete(accounts, terminal)
  addIntegrationsLists(integrations, terminal)
}
