// Destinations on the command line: each is named by its audience and its own id.

import type { Command } from "commander"
import { audienceId } from "../audiences/audience-id.ts"
import { uuid } from "../uuid.ts"

const destinationId = uuid("a destination", "footfall destinations list <audience-id>")

/** Adds `<audience-id>`. */
export const addAudienceArgument = (command: Command): Command =>
  command.argument("<audience-id>", "id of the audience", audienceId)

/** Adds `<audience-id>` and `<destination-id>`. */
export const addDestinationArguments = (command: Command): Command =>
  addAudienceArgument(command).argument("<destination-id>", "id of the destination", destinationId)

/** For examples in help texts. */
export const EXAMPLE = "70865832-8a6e-409c-95c5-d15bafae1a05 72c2caee-8b8d-4561-a8f3-fa549b992a9d"
export const EXAMPLE_AUDIENCE = "70865832-8a6e-409c-95c5-d15bafae1a05"
