// `footfall members create`: gives a user a role; one the server does not know is invited by a token that
// is shown once.

import type { Role } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import {
  organizationIdOf,
  organizationOption,
  role,
  type OrganizationOption,
} from "./member-reference.ts"

/** Adds the command to its group. */
export const addMembersCreate = (members: Command, terminal: Terminal): void => {
  members
    .command("create")
    .description("add a member, or invite somebody new")
    .argument("<email>", "address of the person")
    .addOption(
      new Option("--role <role>", "owner, admin, member or viewer")
        .argParser(role)
        .default("member" satisfies Role),
    )
    .addOption(organizationOption())
    .addHelpText(
      "after",
      examples(
        "footfall members create lee@example.com",
        "footfall members create lee@example.com --role viewer --json | jq -r .data.inviteToken",
      ),
    )
    .action(async (email: string, _options, command: Command) => {
      const options = command.optsWithGlobals<
        GlobalOptions & OrganizationOption & { readonly role: Role }
      >()
      const client = await connect(terminal, command, "accessToken")
      const organizationId = await organizationIdOf(client, options)

      const added = await client.members.add(organizationId, { email, role: options.role })

      await printResult(terminal, options, added, () =>
        lines(
          `${added.member.email} is now ${added.member.role}.`,
          ...invitation(added.inviteToken),
        ),
      )
    })
}

const invitation = (token: string | null): ReadonlyArray<string> =>
  token === null
    ? []
    : [
        "They are new here. This is their invitation, shown only now and good for 7 days:",
        "",
        `  ${token}`,
        "",
        "They set their password with: footfall accept-invitation",
      ]
