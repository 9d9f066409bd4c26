// `footfall segments update`: changes name, description or rule; what is not given stays.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { usageError } from "../../errors/usage-error.ts"
import { printResult } from "../../output/print-result.ts"
import { withNodeShown } from "../../rules/rule-error.ts"
import {
  addRuleOptions,
  givenRule,
  windowOption,
  type RuleOptions,
} from "../../rules/rule-options.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { segmentId } from "./segment-id.ts"

/** As commander hands them over. */
interface UpdateOptions extends GlobalOptions, RuleOptions {
  readonly name?: string
  readonly description?: string
}

/** Adds the command to its group. */
export const addSegmentsUpdate = (segments: Command, terminal: Terminal): void => {
  const update = segments
    .command("update")
    .description("change name, description or rule of a segment")
    .argument("<id>", "id of the segment", segmentId)
    .option("--name <name>", "new name")
    .option("--description <text>", "new description; empty for none")
  addRuleOptions(update)
    .addOption(windowOption())
    .addHelpText(
      "after",
      examples(
        "footfall segments update 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 --name Buyers",
        "footfall segments update 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 --rule rule.json",
      ),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<UpdateOptions>()
      const { name, description } = options
      const ruleAst = await givenRule(terminal, options)
      if (name === undefined && description === undefined && ruleAst === null) {
        throw usageError("There is nothing to change.", "Give --name, --description or a rule.")
      }
      const client = await connect(terminal, command, "either")

      const segment = await withNodeShown(ruleAst, () =>
        client.segments.update(id, {
          ...(name === undefined ? {} : { name }),
          ...(description === undefined ? {} : { description: description || null }),
          ...(ruleAst === null ? {} : { ruleAst }),
        }),
      )

      await printResult(terminal, options, segment, () =>
        lines(`Segment ${segment.name} is changed.`),
      )
    })
}
