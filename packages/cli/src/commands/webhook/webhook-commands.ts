// `footfall webhook`: what a receiver of webhooks does, by hand.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addWebhookVerify } from "./verify.ts"

/** Adds the group to the program. */
export const addWebhookCommands = (program: Command, terminal: Terminal): void => {
  const webhook = program
    .command("webhook")
    .description("check a webhook that was received")
    .helpCommand(false)
  addWebhookVerify(webhook, terminal)
}
