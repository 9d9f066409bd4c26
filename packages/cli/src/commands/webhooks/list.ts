// `footfall webhooks list`: every visitor webhook of the organization.

import type { VisitorWebhook } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { csvHeader, csvRow } from "../../output/csv.ts"
import { jsonDocument, jsonLine } from "../../output/json.ts"
import { outputFormat, outputOption, type OutputFormat } from "../../output/output-format.ts"
import { screenColumns, writeOut, type Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"

/** Adds the command to its group. */
export const addWebhooksList = (webhooks: Command, terminal: Terminal): void => {
  webhooks
    .command("list")
    .description("list the visitor webhooks, and how well their receivers do")
    .addOption(outputOption())
    .addHelpText(
      "after",
      examples(
        "footfall webhooks list",
        "footfall webhooks list --json | jq -r '.data[] | select(.status == \"auto_disabled\") | .id'",
      ),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly output?: OutputFormat }>()
      const format = outputFormat(options, terminal)
      const client = await connect(terminal, command, "either")
      const rows = await client.webhooks.list()
      await writeOut(terminal, await texts[format](rows, terminal))
    })
}

type ToText = (
  webhooks: ReadonlyArray<VisitorWebhook>,
  terminal: Terminal,
) => string | Promise<string>

const tableText: ToText = async (webhooks, terminal) => {
  const [{ drawn }, { VisitorWebhookTable }] = await Promise.all([
    import("../../screens/drawn.ts"),
    import("../../screens/VisitorWebhookTable.tsx"),
  ])
  const columns = screenColumns(terminal)
  return drawn(
    VisitorWebhookTable,
    { webhooks, now: terminal.now, screenColumns: columns },
    columns,
  )
}

const texts: Record<OutputFormat, ToText> = {
  table: tableText,
  json: (webhooks) => jsonDocument({ data: webhooks }),
  ndjson: (webhooks) => webhooks.map(jsonLine).join(""),
  csv: (webhooks) =>
    csvHeader(webhookColumns) + webhooks.map((one) => csvRow(webhookColumns, one)).join(""),
}

/** The fields of a webhook (decisions.md 2.20). */
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
