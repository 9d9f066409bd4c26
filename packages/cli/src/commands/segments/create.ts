// `footfall segments create`: saves a rule under a name.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { withNodeShown } from "../../rules/rule-error.ts"
import {
  addRuleOptions,
  requiredRule,
  windowOption,
  type RuleOptions,
} from "../../rules/rule-options.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"

/** As commander hands them over. */
interface CreateOptions extends GlobalOptions, RuleOptions {
  readonly description?: string
}

/** Adds the command to its group. */
export const addSegmentsCreate = (segments: Command, terminal: Terminal): void => {
  const create = segments
    .command("create")
    .description("save a rule under a name")
    .argument("<name>", "name of the segment")
    .option("--description <text>", "what it is for")
  addRuleOptions(create)
    .addOption(windowOption())
    .addHelpText(
      "after",
      examples(
        "footfall segments create 'Pricing, this week' --where 'behavior.pricing_page_views gte 1' --window 7d",
        "footfall segments create Buyers --rule rule.json",
      ),
    )
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>()
      const ruleAst = await requiredRule(terminal, options)
      const client = await connect(terminal, command, "either")

      const segment = await withNodeShown(ruleAst, () =>
        client.segments.create({ name, description: options.description, ruleAst }),
      )

      await printResult(terminal, options, segment, () =>
        lines(
          `Segment ${segment.name} is saved: ${segment.id}`,
          `Who matches: footfall visitors query --segment ${segment.id}`,
        ),
      )
    })
}
