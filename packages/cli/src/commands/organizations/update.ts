// `footfall organizations update`: changes name and settings; what is not given stays.

import type { OrganizationUpdateParams } from "@footfall/sdk"
import { InvalidArgumentError, Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { usageError } from "../../errors/usage-error.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import {
  organizationIdOf,
  organizationOption,
  type OrganizationOption,
} from "../members/member-reference.ts"

/** As commander hands them over. */
interface UpdateOptions extends GlobalOptions, OrganizationOption {
  readonly name?: string
  readonly retentionDays?: number | "none"
  readonly excludedIp?: ReadonlyArray<string>
}

/** Adds the command to its group. */
export const addOrganizationsUpdate = (organizations: Command, terminal: Terminal): void => {
  organizations
    .command("update")
    .description("change name and settings of an organization")
    .option("--name <name>", "new name")
    .addOption(
      new Option(
        "--retention-days <days>",
        "how long sessions and events are kept: 30 to 3650, or none for good",
      ).argParser(retentionDays),
    )
    .option("--excluded-ip <cidr...>", "networks whose visits are not recorded; `none` for no such")
    .addOption(organizationOption())
    .addHelpText(
      "after",
      examples(
        "footfall organizations update --retention-days 365",
        "footfall organizations update --excluded-ip 203.0.113.0/24 2001:db8::/48",
      ),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<UpdateOptions>()
      const changes = changesOf(options)
      if (Object.keys(changes).length === 0) {
        throw usageError("There is nothing to change.", "Run: footfall organizations update --help")
      }
      const client = await connect(terminal, command, "accessToken")

      const organization = await client.organizations.update(
        await organizationIdOf(client, options),
        changes,
      )

      await printResult(terminal, options, organization, () =>
        lines(`Organization ${organization.name} is changed.`),
      )
    })
}

const changesOf = ({
  name,
  retentionDays: days,
  excludedIp,
}: UpdateOptions): OrganizationUpdateParams => {
  const settings = {
    ...(days === undefined ? {} : { retentionDays: days === "none" ? null : days }),
    ...(excludedIp === undefined
      ? {}
      : { excludedIps: excludedIp.filter((network) => network !== "none") }),
  }
  return {
    ...(name === undefined ? {} : { name }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  }
}

/** The bounds are the server's (spec 1.8). Errors: InvalidArgumentError. */
const retentionDays = (text: string): number | "none" => {
  if (text === "none") return text
  if (/^\d+$/.test(text)) return Number(text)
  throw new InvalidArgumentError("Expected a number of days, or none.")
}
