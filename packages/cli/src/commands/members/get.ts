// `footfall members get`: one member, by address or user id.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { factsText } from "../../output/facts-text.ts"
import { fieldsOption } from "../../output/output-format.ts"
import { printResult } from "../../output/print-result.ts"
import { timeAgo } from "../../screens/time.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import {
  memberOf,
  organizationIdOf,
  organizationOption,
  type OrganizationOption,
} from "./member-reference.ts"

/** Adds the command to its group. */
export const addMembersGet = (members: Command, terminal: Terminal): void => {
  members
    .command("get")
    .description("show one member")
    .argument("<member>", "address or user id")
    .addOption(organizationOption())
    .addOption(fieldsOption())
    .addHelpText("after", examples("footfall members get lee@example.com"))
    .action(async (reference: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & OrganizationOption>()
      const client = await connect(terminal, command, "accessToken")
      const organizationId = await organizationIdOf(client, options)

      const member = await memberOf(client, organizationId, reference)

      const text = factsText([
        ["Email", member.email],
        ["Name", member.name],
        ["Role", member.role],
        ["Member since", timeAgo(member.createdAt, terminal.now)],
        ["Id", member.userId],
      ])
      await printResult(terminal, options, member, text)
    })
}
