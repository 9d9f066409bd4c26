// `footfall organizations use`: makes the log-in one of another organization of the same user.

import type { Command } from "commander"
import { clientOf } from "../../connection/connect.ts"
import { credentialsMissing } from "../../connection/credential.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { settle } from "../../connection/settle.ts"
import { CliError } from "../../errors/cli-error.ts"
import { ExitCode } from "../../errors/exit-code.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"

/** Adds the command to its group. */
export const addOrganizationsUse = (organizations: Command, terminal: Terminal): void => {
  organizations
    .command("use")
    .description("work in another organization from now on")
    .argument("<organization>", "its slug or id")
    .addHelpText("after", examples("footfall organizations use tidewater"))
    .action(async (reference: string, _options, command: Command) => {
      const settled = await settle(terminal, command)
      const profile = settled.settings.sessionProfile
      if (profile === undefined) throw credentialsMissing("accessToken")
      const client = await clientOf(settled, "accessToken")
      const { organizations: known } = await client.auth.me()
      const found = known.find(({ id, slug }) => id === reference || slug === reference)
      if (found === undefined) throw notYours(reference)

      const { renewedSession } = await import("../../connection/session-token.ts")
      await renewedSession(settled.file, profile, found.id)

      await printResult(terminal, command.optsWithGlobals<GlobalOptions>(), found, () =>
        lines(`Commands with a log-in now work in ${found.name}, where you are ${found.role}.`),
      )
    })
}

const notYours = (reference: string): CliError =>
  new CliError({
    code: "NOT_FOUND",
    message: `You have no organization ${reference}.`,
    exitCode: ExitCode.notFound,
    nextStep: "Run: footfall organizations list",
  })
