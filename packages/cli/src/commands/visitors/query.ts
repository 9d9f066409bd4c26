// `footfall visitors query`: the visitors that a rule or a saved segment matches. It uses no credits.

import type { Qualification, Timeframe } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { usageError } from "../../errors/usage-error.ts"
import { limitedPages } from "../../output/limited-pages.ts"
import { outputOf } from "../../output/output-format.ts"
import { printList } from "../../output/print-list.ts"
import { withNodeShown } from "../../rules/rule-error.ts"
import { addRuleOptions, givenRule, type RuleOptions } from "../../rules/rule-options.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { timeframes } from "../../timeframes.ts"
import { examples } from "../examples.ts"
import { addListOptions, rowsMax, type ListOptions } from "../list-options.ts"
import { segmentId } from "../segments/segment-id.ts"
import { pageOption } from "./list.ts"
import { pixelId, suppressedOption, windowInWords } from "./question.ts"
import type { QuestionOptions } from "./question.ts"
import { visitorListForm } from "./visitor-list-form.ts"

/** As commander hands them over. */
interface QueryOptions extends GlobalOptions, RuleOptions, ListOptions {
  readonly segment?: string
  readonly pixel?: string
  readonly suppressed: QuestionOptions["suppressed"]
  readonly page?: number
}

/** Visitors to a page where all are wanted: the most the API gives at once. */
const PAGE_SIZE_MAX = 100

/** Adds the command to its group. */
export const addVisitorsQuery = (visitors: Command, terminal: Terminal): void => {
  const query = visitors
    .command("query")
    .summary("list the visitors that a rule or a segment matches")
    .description(
      "List the visitors that a rule or a saved segment matches, newest activity first.\n" +
        "Fields and operators: docs of POST /v1/data/query. No credits are used.",
    )
  addRuleOptions(query)
    .addOption(
      new Option("--segment <id>", "a saved segment in place of a rule")
        .argParser(segmentId)
        .conflicts(["rule", "where", "any"]),
    )
    .addOption(
      new Option("--window <window>", "how far back to look, in place of the rule's own").choices(
        timeframes,
      ),
    )
    .addOption(new Option("--pixel <id>", "only this pixel").argParser(pixelId))
    .addOption(suppressedOption())
    .addOption(pageOption())
  addListOptions(query, "visitors")
    .addHelpText(
      "after",
      examples(
        "footfall visitors query --where 'behavior.pricing_page_views gte 1'",
        "footfall visitors query --any --where 'company.seniority eq vp' \\\n" +
          "      --where 'company.job_title contains director' --window 7d",
        "footfall visitors query --rule rule.json --all --output csv > leads.csv",
        "footfall visitors query --segment 3f0c8a52-… --json",
      ),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<QueryOptions>()
      const output = outputOf(options, terminal)
      const qualification = await givenQualification(terminal, options)
      const client = await connect(terminal, command)
      const list = client.visitors.query({
        ...qualification,
        window: options.window,
        pixelId: options.pixel,
        suppressed: options.suppressed,
        page: options.page,
        // Pages of another size would make another thing of the --page that the table offers.
        limit: options.all ? PAGE_SIZE_MAX : undefined,
      })
      const window = options.window ?? qualification.ruleAst?.window
      const form = visitorListForm(terminal, windowText(window, qualification))
      await withNodeShown(qualification.ruleAst ?? null, () =>
        printList(terminal, output, limitedPages(list.pages(), rowsMax(options)), form),
      )
    })
}

const givenQualification = async (
  terminal: Terminal,
  options: QueryOptions,
): Promise<Qualification> => {
  if (options.segment !== undefined) return { segmentId: options.segment }
  // The window of the question is said beside the rule, not in it.
  const { window: _asked, ...rule } = options
  const ruleAst = await givenRule(terminal, rule)
  if (ruleAst !== null) return { ruleAst }
  throw usageError(
    "There is nothing to ask: give a rule or a segment.",
    "For example: footfall visitors query --where 'behavior.pageviews gte 3'",
  )
}

/** The window of a segment is not known here; a rule's own is 30 days unless it says otherwise. */
const windowText = (window: Timeframe | undefined, { segmentId }: Qualification): string => {
  if (window !== undefined) return `match ${windowInWords(window)}`
  return segmentId === undefined ? `match ${windowInWords("30d")}` : "match the segment"
}
