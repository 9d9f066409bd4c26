// `footfall organizations create`: makes an organization; whoever makes it becomes its owner.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"

/** Adds the command to its group. */
export const addOrganizationsCreate = (organizations: Command, terminal: Terminal): void => {
  organizations
    .command("create")
    .description("make an organization; you become its owner")
    .argument("<name>", "its name")
    .requiredOption("--slug <slug>", "its short name: 3 to 63 of a-z, 0-9 and hyphen")
    .addHelpText("after", examples("footfall organizations create 'Tidewater' --slug tidewater"))
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly slug: string }>()
      const client = await connect(terminal, command, "accessToken")

      const organization = await client.organizations.create({ name, slug: options.slug })

      await printResult(terminal, options, organization, () =>
        lines(
          `Organization ${organization.name} is made: ${organization.id}`,
          `To work in it: footfall organizations use ${organization.slug}`,
        ),
      )
    })
}
