// `footfall audiences create`: saves a configuration under a name. Nobody is in the audience before a run.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import {
  addConfigOptions,
  addSourceOption,
  givenConfig,
  type ConfigOptions,
} from "./config-options.ts"
import { standingLines } from "./standing-lines.ts"

/** As commander hands them over. */
interface CreateOptions extends GlobalOptions, ConfigOptions {
  readonly active?: true
}

/** Adds the command to its group. */
export const addAudiencesCreate = (audiences: Command, terminal: Terminal): void => {
  addSourceOption(
    addConfigOptions(
      audiences
        .command("create")
        .description("save an audience under a name, as a draft or active")
        .argument("<name>", "name of the audience")
        .option("--active", "activate it at once; that takes a slot"),
    ),
  )
    .addHelpText(
      "after",
      examples(
        "footfall audiences create 'Warehouse buyers' --topic 1204,3377 --seniority vp,c_suite",
        "footfall audiences create 'Warehouse buyers' --config audience.json --active",
        "jq .config audience.json | footfall audiences create 'Warehouse buyers' --config -",
      ),
    )
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>()
      const client = await connect(terminal, command, "either")
      const config = await givenConfig(terminal, client, options)
      const status = options.active === true ? "active" : undefined

      const audience = await client.audiences.create({ name, status, config })

      await printResult(terminal, options, audience, () =>
        lines(`Audience ${audience.name} is saved: ${audience.id}`, ...standingLines(audience)),
      )
    })
}
