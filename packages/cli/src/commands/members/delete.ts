// `footfall members delete`: ends a membership. The user stays, as do other memberships.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { requireConsent } from "../../terminal/consent.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import {
  memberOf,
  organizationIdOf,
  organizationOption,
  type OrganizationOption,
} from "./member-reference.ts"

/** Adds the command to its group. */
export const addMembersDelete = (members: Command, terminal: Terminal): void => {
  members
    .command("delete")
    .description("end a membership; within 5 seconds its log-ins are refused")
    .argument("<member>", "address or user id")
    .option("--yes", "do it without asking")
    .addOption(organizationOption())
    .addHelpText("after", examples("footfall members delete lee@example.com"))
    .action(async (reference: string, _options, command: Command) => {
      const options = command.optsWithGlobals<
        GlobalOptions & OrganizationOption & { readonly yes?: true }
      >()
      const client = await connect(terminal, command, "accessToken")
      await requireConsent(terminal, {
        what: `${reference} will be no member any more.`,
        isGiven: options.yes === true,
      })
      const organizationId = await organizationIdOf(client, options)
      const { userId, email } = await memberOf(client, organizationId, reference)

      const removed = await client.members.remove({ organizationId, userId })

      await printResult(terminal, options, { userId, email, ...removed }, () =>
        lines(`${email} is no member any more.`),
      )
    })
}
