// `footfall destinations rotate-secret`: a new secret, printed once; the former one signs beside it for a
// while.

import { InvalidArgumentError, Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addDestinationArguments, EXAMPLE } from "./destination-id.ts"

const GRACE_HOURS_DEFAULT = 24

/** Adds the command to its group. */
export const addDestinationsRotateSecret = (destinations: Command, terminal: Terminal): void => {
  addDestinationArguments(
    destinations
      .command("rotate-secret")
      .summary("give a webhook a new secret, shown once")
      .description(
        "Give a webhook a new secret, shown once. Needs a log-in. The former one signs beside it until\n" +
          "the receiver knows the new one.",
      ),
  )
    .addOption(
      new Option("--grace-hours <hours>", "how long both sign, 0 to 72; 24 otherwise").argParser(
        graceHours,
      ),
    )
    .addHelpText(
      "after",
      examples(
        `footfall destinations rotate-secret ${EXAMPLE}`,
        `footfall destinations rotate-secret ${EXAMPLE} --json | jq -r .data.webhookSecret`,
      ),
    )
    .action(async (audienceId: string, id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly graceHours?: number }>()
      const { graceHours: given } = options
      const client = await connect(terminal, command, "accessToken")

      const params = given === undefined ? {} : { graceHours: given }
      const rotated = await client.destinations.rotateSecret(audienceId, id, params)

      await printResult(terminal, options, rotated, () =>
        lines(
          "This is the new secret, shown only now:",
          "",
          `  ${rotated.webhookSecret}`,
          "",
          given === 0
            ? "The former one signs no more."
            : `The former one signs beside it for ${given ?? GRACE_HOURS_DEFAULT} hours.`,
        ),
      )
    })
}

const graceHours = (text: string): number => {
  const hours = Number(text)
  if (/^\d+$/.test(text) && hours <= 72) return hours
  throw new InvalidArgumentError("Expected a whole number from 0 to 72.")
}
