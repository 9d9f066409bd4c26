// `footfall link-tokens`: links in mails that know who follows them. The server keeps no token, so there is
// none to list, to look at or to take back.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addLinkTokensCreate } from "./create.ts"

/** Adds its command to the group. */
export const addLinkTokenCommands = (linkTokens: Command, terminal: Terminal): void => {
  addLinkTokensCreate(linkTokens, terminal)
}
