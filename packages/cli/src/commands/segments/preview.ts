// `footfall segments preview`: whom a rule would match now, without saving it.

import type { RuleAst } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { fieldsOption } from "../../output/output-format.ts"
import { printResult } from "../../output/print-result.ts"
import { withNodeShown } from "../../rules/rule-error.ts"
import {
  addRuleOptions,
  requiredRule,
  windowOption,
  type RuleOptions,
} from "../../rules/rule-options.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { pixelId } from "../visitors/question.ts"
import { segmentId } from "./segment-id.ts"

/** As commander hands them over. */
interface PreviewOptions extends GlobalOptions, RuleOptions {
  readonly segment?: string
  readonly pixel?: string
}

/** Adds the command to its group. */
export const addSegmentsPreview = (segments: Command, terminal: Terminal): void => {
  const preview = segments
    .command("preview")
    .description("count whom a rule matches, and show some of them")
  addRuleOptions(preview)
    .addOption(windowOption())
    .addOption(
      new Option("--segment <id>", "the rule of a saved segment")
        .argParser(segmentId)
        .conflicts(["rule", "where", "any", "window"]),
    )
    .addOption(new Option("--pixel <id>", "only this pixel").argParser(pixelId))
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall segments preview --where 'company.employee_count between 50,500'",
        "footfall segments preview --rule rule.json --json | jq .data.count",
      ),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<PreviewOptions>()
      const { segment } = options
      const given = segment === undefined ? await requiredRule(terminal, options) : null
      const client = await connect(terminal, command, "either")
      const ruleAst: RuleAst = given ?? (await client.segments.get(segment ?? "")).ruleAst

      const result = await withNodeShown(ruleAst, () =>
        client.segments.preview({ ruleAst, pixelId: options.pixel }),
      )

      await printResult(terminal, options, result, async (columns) => {
        const [{ drawn }, { SegmentPreviewView }] = await Promise.all([
          import("../../screens/drawn.ts"),
          import("../../screens/SegmentPreviewView.tsx"),
        ])
        const props = { preview: result, now: terminal.now, screenColumns: columns }
        return drawn(SegmentPreviewView, props, columns)
      })
    })
}
