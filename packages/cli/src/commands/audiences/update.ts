// `footfall audiences update`: changes the name, parts of the configuration, or all of it.

import type { AudienceConfigParams, Footfall } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { usageError } from "../../errors/usage-error.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { audienceId } from "./audience-id.ts"
import {
  addConfigOptions,
  addSourceOption,
  givenConfig,
  hasConfig,
  type ConfigOptions,
} from "./config-options.ts"

/** As commander hands them over. */
interface UpdateOptions extends GlobalOptions, ConfigOptions {
  readonly name?: string
}

/** Adds the command to its group. */
export const addAudiencesUpdate = (audiences: Command, terminal: Terminal): void => {
  addSourceOption(
    addConfigOptions(
      audiences
        .command("update")
        .description("change the name, or the configuration from the next run on")
        .argument("<id>", "id or name of the audience", audienceId)
        .option("--name <name>", "new name"),
    ),
  )
    .addHelpText(
      "after",
      examples(
        "footfall audiences update 70865832-8a6e-409c-95c5-d15bafae1a05 --name Buyers",
        "footfall audiences update 70865832-8a6e-409c-95c5-d15bafae1a05 --min-score 80 --has-phone",
        "footfall audiences update 70865832-8a6e-409c-95c5-d15bafae1a05 --config audience.json",
      ),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<UpdateOptions>()
      const { name } = options
      if (name === undefined && !hasConfig(options)) {
        throw usageError("There is nothing to change.", "Give --name, or a configuration.")
      }
      const client = await connect(terminal, command, "either")
      const config = hasConfig(options)
        ? await givenConfig(terminal, client, options, await presentConfig(client, id, options))
        : undefined

      const audience = await client.audiences.update(id, { name, config })

      await printResult(terminal, options, audience, () =>
        lines(
          `Audience ${audience.name} is changed.`,
          config === undefined ? null : "The configuration counts from the next run on.",
        ),
      )
    })
}

/** The server replaces whole configurations, so what is not to change is sent again. */
const presentConfig = async (
  client: Footfall,
  id: string,
  options: UpdateOptions,
): Promise<AudienceConfigParams | undefined> => {
  if (options.config !== undefined) return undefined
  const { topics: _, ...config } = (await client.audiences.get(id)).config
  return config
}
