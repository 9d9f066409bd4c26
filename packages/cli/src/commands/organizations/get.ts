// `footfall organizations get`: the organization in use. Of others the server tells nothing.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { factsText } from "../../output/facts-text.ts"
import { fieldsOption } from "../../output/output-format.ts"
import { printResult } from "../../output/print-result.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { organizationIdOf } from "../members/member-reference.ts"

/** Adds the command to its group. */
export const addOrganizationsGet = (organizations: Command, terminal: Terminal): void => {
  organizations
    .command("get")
    .description("show the organization in use, and its settings")
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall organizations get",
        "footfall organizations get --json | jq .data.settings",
      ),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "accessToken")

      const organization = await client.organizations.get(await organizationIdOf(client, {}))

      const { name, slug, status, settings, id } = organization
      const text = factsText([
        ["Name", name],
        ["Slug", slug],
        ["Status", status],
        ...Object.entries(settings).map(
          ([key, value]) => [key, value === null ? null : JSON.stringify(value)] as const,
        ),
        ["Id", id],
      ])
      await printResult(terminal, options, organization, text)
    })
}
