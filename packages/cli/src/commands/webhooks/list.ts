// `footfall webhooks list`: every visitor webhook of the organization.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printRows } from "../../output/print-rows.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addWholeListOptions, cutList, type ListOptions } from "../list-options.ts"

/** Adds the command to its group. */
export const addWebhooksList = (webhooks: Command, terminal: Terminal): void => {
  const list = webhooks
    .command("list")
    .description("list the visitor webhooks, and how well their receivers do")
  addWholeListOptions(list, "webhooks")
    .addHelpText(
      "after",
      examples(
        "footfall webhooks list",
        "footfall webhooks list --json | jq -r '.data[] | select(.status == \"auto_disabled\") | .id'",
      ),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ListOptions>()
      const client = await connect(terminal, command, "either")
      const { rows, meta } = cutList(await client.webhooks.list(), options)
      await printRows(terminal, options, {
        data: rows,
        meta,
        rows,
        csvColumns: webhookColumns,
        drawn: async (columns) => {
          const [{ drawn }, { VisitorWebhookTable }] = await Promise.all([
            import("../../screens/drawn.ts"),
            import("../../screens/VisitorWebhookTable.tsx"),
          ])
          const props = { webhooks: rows, meta, now: terminal.now, screenColumns: columns }
          return drawn(VisitorWebhookTable, props, columns)
        },
      })
    })
}

/** The fields of a webhook (spec 2.20). */
const webhookColumns = [
  "id",
  "name",
  "url",
  "trigger",
  "segmentId",
  "pixelId",
  "status",
  "timeoutMs",
  "stats.deliveries",
  "stats.succeeded",
  "stats.failed",
  "stats.successRate",
  "stats.lastErrorMessage",
  "createdAt",
  "updatedAt",
]
