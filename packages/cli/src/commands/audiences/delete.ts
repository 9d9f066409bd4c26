// `footfall audiences delete`: deletes an audience with its destinations.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { requireConsent } from "../../terminal/consent.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { audienceId } from "./audience-id.ts"

/** Adds the command to its group. */
export const addAudiencesDelete = (audiences: Command, terminal: Terminal): void => {
  audiences
    .command("delete")
    .description("delete an audience with its destinations; what was delivered stays there")
    .argument("<id>", "id or name of the audience", audienceId)
    .option("--yes", "do it without asking")
    .addHelpText(
      "after",
      examples("footfall audiences delete 70865832-8a6e-409c-95c5-d15bafae1a05"),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly yes?: true }>()
      const client = await connect(terminal, command, "either")
      await requireConsent(terminal, {
        what: `Audience ${id} will be deleted with its destinations; queued runs and deliveries are cancelled.`,
        isGiven: options.yes === true,
      })

      const deleted = await client.audiences.delete(id)

      await printResult(terminal, options, { id, ...deleted }, () =>
        lines(`Audience ${id} is deleted.`),
      )
    })
}
