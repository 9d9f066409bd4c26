// `footfall visitors list`: the visitors of a window, newest activity first. One page of 50 unless
// --limit or --all asks for more.

import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { limitedPages } from "../../output/limited-pages.ts"
import { outputOf } from "../../output/output-format.ts"
import { printList } from "../../output/print-list.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addListOptions, rowsMax, type ListOptions } from "../list-options.ts"
import { wholeNumber } from "../whole-number.ts"
import {
  addQuestionOptions,
  questionParams,
  windowInWords,
  type QuestionOptions,
} from "./question.ts"
import { visitorListForm } from "./visitor-list-form.ts"

/** The API accepts any page; beyond this a number is a slip of the hand. */
const PAGE_MAX = 1_000_000

/** `--page`, for lists of visitors. */
export const pageOption = (): Option =>
  new Option("--page <number>", "page to start at, 50 visitors each")
    .argParser(wholeNumber(PAGE_MAX))
    .conflicts("all")

/** Adds the command to its group. */
export const addVisitorsList = (visitors: Command, terminal: Terminal): void => {
  const list = visitors.command("list").description("list visitors, newest activity first")
  addListOptions(addQuestionOptions(list, "7d").addOption(pageOption()), "visitors")
    .addHelpText(
      "after",
      examples(
        "footfall visitors list",
        "footfall visitors list --timeframe 30d --domain example.com --suppressed exclude",
        "footfall visitors list --limit 10 --json | jq '.data[].email'",
        "footfall visitors list --all --output csv > visitors.csv",
        "footfall visitors list --all --output ndjson | jq -c 'select(.pricingPageViews > 0)'",
      ),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<
        GlobalOptions & QuestionOptions & ListOptions & { readonly page?: number }
      >()
      const output = outputOf(options, terminal)
      const client = await connect(terminal, command)
      const list = client.visitors.list({ ...questionParams(options), page: options.page })
      const form = visitorListForm(terminal, windowInWords(options.timeframe))
      await printList(terminal, output, limitedPages(list.pages(), rowsMax(options)), form)
    })
}
