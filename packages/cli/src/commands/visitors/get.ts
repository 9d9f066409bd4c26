// `footfall visitors get`: one visitor by any of their addresses, with the way they took.

import { InvalidArgumentError, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { fieldsOption } from "../../output/output-format.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addQuestionOptions, questionParams, type QuestionOptions } from "./question.ts"

/** Adds the command to its group. */
export const addVisitorsGet = (visitors: Command, terminal: Terminal): void => {
  const get = visitors
    .command("get")
    .description("show one visitor with their sessions")
    .argument("<email>", "any address of the visitor", emailAddress)
  addQuestionOptions(get, "all")
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall visitors get nadia.osei@northwind-robotics.example",
        "footfall visitors get nadia.osei@northwind-robotics.example --timeframe 7d --json",
      ),
    )
    .action(async (email: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & QuestionOptions>()
      const client = await connect(terminal, command)
      const visitor = await client.visitors.get({ email, ...questionParams(options) })

      await printResult(terminal, options, visitor, async (columns) => {
        const [{ drawn }, { VisitorView }] = await Promise.all([
          import("../../screens/drawn.ts"),
          import("../../screens/VisitorView.tsx"),
        ])
        return drawn(VisitorView, { visitor, now: terminal.now, screenColumns: columns }, columns)
      })
    })
}

const emailAddress = (text: string): string => {
  const email = text.trim()
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email
  throw new InvalidArgumentError("Expected an email address.")
}
