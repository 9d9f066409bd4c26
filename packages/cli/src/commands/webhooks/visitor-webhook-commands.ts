// `footfall webhooks`: addresses that are told of visitors as they are identified.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addWebhooksCreate } from "./create.ts"
import { addWebhooksDelete } from "./delete.ts"
import { addWebhooksDeliveries } from "./deliveries.ts"
import { addWebhooksGet } from "./get.ts"
import { addWebhooksList } from "./list.ts"
import { addWebhooksRedeliver } from "./redeliver.ts"
import { addWebhooksRotateSecret } from "./rotate-secret.ts"
import { addWebhooksTest } from "./test.ts"
import { addWebhooksUpdate } from "./update.ts"
import { addWebhooksVerify } from "./verify.ts"

/** Adds its commands to the group. */
export const addVisitorWebhookCommands = (webhooks: Command, terminal: Terminal): void => {
  addWebhooksList(webhooks, terminal)
  addWebhooksGet(webhooks, terminal)
  addWebhooksCreate(webhooks, terminal)
  addWebhooksUpdate(webhooks, terminal)
  addWebhooksDelete(webhooks, terminal)
  addWebhooksRotateSecret(webhooks, terminal)
  addWebhooksTest(webhooks, terminal)
  addWebhooksDeliveries(webhooks, terminal)
  addWebhooksRedeliver(webhooks, terminal)
  addWebhooksVerify(webhooks, terminal)
}
