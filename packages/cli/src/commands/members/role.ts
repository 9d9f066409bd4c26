// `footfall members role`: gives a member another role. Only an owner gives or takes `owner`.

import type { Role } from "@footfall/sdk"
import type { Command } from "commander"
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
export const addMembersRole = (members: Command, terminal: Terminal): void => {
  members
    .command("role")
    .description("give a member another role")
    .argument("<member>", "address or user id")
    .argument("<role>", "owner, admin, member or viewer", role)
    .addOption(organizationOption())
    .addHelpText("after", examples("footfall members role lee@example.com admin"))
    .action(async (reference: string, wanted: Role, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & OrganizationOption>()
      const client = await connect(terminal, command, "accessToken")
      const organizationId = await organizationIdOf(client, options)
      const { userId } = await memberOf(client, organizationId, reference)

      const member = await client.members.update({ organizationId, userId }, { role: wanted })

      await printResult(terminal, options, member, () =>
        lines(`${member.email} is now ${member.role}.`),
      )
    })
}
