// `footfall destinations update`: changes what is given; what is not given stays.

import type { DestinationUpdateParams } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { usageError } from "../../errors/usage-error.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addDestinationArguments, EXAMPLE } from "./destination-id.ts"
import { addDestinationOptions, givenList, type DestinationOptions } from "./destination-options.ts"
import { printDestination } from "./print-destination.ts"

/** As commander hands them over. */
interface UpdateOptions extends GlobalOptions, DestinationOptions {
  readonly name?: string
  readonly active?: true
}

/** Adds the command to its group. */
export const addDestinationsUpdate = (destinations: Command, terminal: Terminal): void => {
  addDestinationOptions(
    addDestinationArguments(
      destinations
        .command("update")
        .summary("change a destination")
        .description(
          "Change a destination. A new address, new events or a new list make it a draft again, which\n" +
            "--active activates in the same step.",
        ),
    ).option("--name <name>", "new name"),
  )
    .option("--active", "activate it with the change")
    .addHelpText(
      "after",
      examples(
        `footfall destinations update ${EXAMPLE} --timeout 5000`,
        `footfall destinations update ${EXAMPLE} --url https://crm.example/v2 --active`,
      ),
    )
    .action(async (audienceId: string, id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<UpdateOptions>()
      const change = givenChange(options)
      const client = await connect(terminal, command, "either")
      const destination = await client.destinations.update(audienceId, id, change)
      await printDestination(terminal, options, destination)
    })
}

const givenChange = (options: UpdateOptions): DestinationUpdateParams => {
  const { active, event, name, timeout, url, validation } = options
  const change: DestinationUpdateParams = {
    name,
    url,
    eventTypes: event,
    timeoutMs: timeout,
    validationPolicy: validation,
    config: givenList(options),
    status: active === true ? "active" : undefined,
  }
  if (Object.values(change).some((value) => value !== undefined)) return change
  throw usageError("There is nothing to change.", "Add one of the options: --name, --url, --list …")
}
