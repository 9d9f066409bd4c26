// `footfall destinations test`: sends one made-up event, or looks whether the list can be written to. Exit
// code 1 when it is not ok.

import type { DestinationEventType, DestinationTest } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { CliError } from "../../errors/cli-error.ts"
import { ExitCode } from "../../errors/exit-code.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addDestinationArguments, EXAMPLE } from "./destination-id.ts"

/** Adds the command to its group. */
export const addDestinationsTest = (destinations: Command, terminal: Terminal): void => {
  addDestinationArguments(
    destinations
      .command("test")
      .description("send a made-up event, or look whether the list can be written to"),
  )
    .option("--event <kind>", "the whole name of the kind; the first that is subscribed otherwise")
    .addHelpText("after", examples(`footfall destinations test ${EXAMPLE}`))
    .action(async (audienceId: string, id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<
        GlobalOptions & { readonly event?: DestinationEventType }
      >()
      const client = await connect(terminal, command, "either")

      const params = options.event === undefined ? {} : { eventType: options.event }
      const result = await client.destinations.test(audienceId, id, params)

      await printResult(terminal, options, result, () => lines(sentence(result)))
      if (!result.ok) {
        throw new CliError({
          code: result.error ?? "TEST_FAILED",
          message: "The destination did not accept the test.",
          exitCode: ExitCode.failed,
        })
      }
    })
}

const sentence = ({ error, latencyMs, ok, statusCode }: DestinationTest): string => {
  const answer = statusCode === null ? "no answer" : `status ${statusCode}`
  return ok
    ? `Accepted: ${answer} in ${latencyMs} ms.`
    : `${error}: ${answer} after ${latencyMs} ms.`
}
