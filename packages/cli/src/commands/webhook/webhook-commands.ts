// `footfall webhook`: what a receiver of webhooks does, by hand.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addWebhookVerify } from "./verify.ts"

/** Adds its commands to the group. */
export const addWebhookCommands = (webhook: Command, terminal: Terminal): void => {
  addWebhookVerify(webhook, terminal)
}
