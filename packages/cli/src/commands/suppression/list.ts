// `footfall suppression list`: the rules there are, newest first.

import type { SuppressionListMeta, SuppressionRule, SuppressionRuleType } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { limitedPages } from "../../output/limited-pages.ts"
import { outputOf } from "../../output/output-format.ts"
import { printList, type ListForm } from "../../output/print-list.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addListOptions, rowsMax, type ListOptions } from "../list-options.ts"
import { ruleTypeOption } from "./rule-words.ts"

/** As commander hands them over. */
interface SuppressionListOptions extends GlobalOptions, ListOptions {
  readonly type?: SuppressionRuleType
  readonly search?: string
}

/** Rules of a page when no number is asked for. */
const PAGE_SIZE = 50

/** What the server gives at once (spec 1.6). */
const PAGE_SIZE_MAX = 5_000

/** Adds the command to its group. */
export const addSuppressionList = (suppression: Command, terminal: Terminal): void => {
  const command = suppression
    .command("list")
    .description("list the rules, newest first, and how many there are of each type")
    .addOption(ruleTypeOption("only rules of this type"))
    .option("--search <text>", "only rules whose value holds this text, in any case")
  addListOptions(command, "rules")
    .addHelpText(
      "after",
      examples(
        "footfall suppression list",
        "footfall suppression list --type domain --search acme",
        "footfall suppression list --limit 1 --json | jq .meta.counts",
      ),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<SuppressionListOptions>()
      const output = outputOf(options, terminal)
      const { type, search } = options
      const rows = rowsMax(options)
      const client = await connect(terminal, command)
      const { patientPages } = await import("../../patience/patient-pages.ts")
      const { sayWaits } = await import("../../terminal/say-waits.ts")

      const limit = rows === null ? PAGE_SIZE : Math.min(rows, PAGE_SIZE_MAX)
      const list = client.suppression.list({ type, q: search, limit }, { retriesMax: 0 })
      const pages = patientPages(list, sayWaits(terminal))
      await printList(terminal, output, limitedPages(pages, rows), ruleListForm(terminal))
    })
}

const ruleListForm = (terminal: Terminal): ListForm<SuppressionRule, SuppressionListMeta> => ({
  csvColumns: ["id", "type", "value", "createdAt"],
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { SuppressionTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/SuppressionTable.tsx"),
    ])
    const props = { rules: data, meta, now: terminal.now, screenColumns: columns }
    return drawn(SuppressionTable, props, columns)
  },
})
