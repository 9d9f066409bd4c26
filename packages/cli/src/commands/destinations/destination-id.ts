// Destinations on the command line: each is named by its audience and its own id or name.

import type { Command } from "commander"
import { audienceId } from "../audiences/audience-id.ts"
import { idOfName, reference } from "../reference.ts"

const destinationId = reference(async (client, text, [audience = ""]) =>
  idOfName(await client.destinations.list(audience), text, {
    noun: "destination",
    listCommand: `footfall destinations list ${audience}`,
  }),
)

/** Adds `<audience-id>`. */
export const addAudienceArgument = (command: Command): Command =>
  command.argument("<audience-id>", "id or name of the audience", audienceId)

/** Adds `<audience-id>` and `<destination-id>`. */
export const addDestinationArguments = (command: Command): Command =>
  addAudienceArgument(command).argument(
    "<destination-id>",
    "id or name of the destination",
    destinationId,
  )

/** For examples in help texts. */
export const EXAMPLE = "70865832-8a6e-409c-95c5-d15bafae1a05 72c2caee-8b8d-4561-a8f3-fa549b992a9d"
export const EXAMPLE_AUDIENCE = "70865832-8a6e-409c-95c5-d15bafae1a05"
