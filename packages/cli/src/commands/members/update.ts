// `footfall members update`: gives a member another role. Only an owner gives or takes `owner`.

import type { Role } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import {
  memberOf,
  organizationIdOf,
  organizationOption,
  role,
  type OrganizationOption,
} from "./member-reference.ts"

/** Adds the command to its group. */
export const addMembersUpdate = (members: Command, terminal: Terminal): void => {
  members
    .command("update")
    .description("give a member another role")
    .argument("<member>", "address or user id")
    .addOption(
      new Option("--role <role>", "owner, admin, member or viewer")
        .argParser(role)
        .makeOptionMandatory(),
    )
    .addOption(organizationOption())
    .addHelpText("after", examples("footfall members update lee@example.com --role admin"))
    .action(async (reference: string, _options, command: Command) => {
      const options = command.optsWithGlobals<
        GlobalOptions & OrganizationOption & { readonly role: Role }
      >()
      const client = await connect(terminal, command, "accessToken")
      const organizationId = await organizationIdOf(client, options)
      const { userId } = await memberOf(client, organizationId, reference)

      const member = await client.members.update({ organizationId, userId }, { role: options.role })

      await printResult(terminal, options, member, () =>
        lines(`${member.email} is now ${member.role}.`),
      )
    })
}
