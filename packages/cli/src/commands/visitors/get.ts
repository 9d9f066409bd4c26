// `footfall visitors get`: one visitor by any of their addresses, with the way they took.

import { InvalidArgumentError, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { jsonDocument } from "../../output/json.ts"
import { outputFormat } from "../../output/output-format.ts"
import { screenColumns, writeOut, type Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addQuestionOptions, questionParams, type QuestionOptions } from "./question.ts"

/** Adds the command to its group. */
export const addVisitorsGet = (visitors: Command, terminal: Terminal): void => {
  const get = visitors
    .command("get")
    .description("show one visitor with their sessions")
    .argument("<email>", "any address of the visitor", emailAddress)
  addQuestionOptions(get, "all")
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

      if (outputFormat(options, terminal) === "json") {
        return writeOut(terminal, jsonDocument({ data: visitor }))
      }
      const [{ drawn }, { VisitorView }] = await Promise.all([
        import("../../screens/drawn.ts"),
        import("../../screens/VisitorView.tsx"),
      ])
      const columns = screenColumns(terminal)
      const props = { visitor, now: terminal.now, screenColumns: columns }
      return writeOut(terminal, drawn(VisitorView, props, columns))
    })
}

const emailAddress = (text: string): string => {
  const email = text.trim()
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email
  throw new InvalidArgumentError("Expected an email address.")
}
