// Ids and names that the commands of several nouns take.

import type { Command } from "commander"
import { CliError, ExitCode } from "../errors/cli-error.ts"
import { idOfName, reference } from "./reference.ts"
import { uuid } from "./values.ts"

/** More than an organization can save (spec 5.8). */
const AUDIENCES_MAX = 100

/** A parser of what names an audience. */
export const audienceId = reference(async (client, text) => {
  const audiences = []
  for await (const audience of client.audiences.list({ limit: AUDIENCES_MAX })) {
    audiences.push(audience)
  }
  return idOfName(audiences, text, { noun: "audience", listCommand: "footfall audiences list" })
})

/** The newest run that has completed. */
const LATEST = "latest"

const anId = uuid("a run, or `latest`", "footfall runs list <audience-id>")

/** A parser of what names a run. Errors: InvalidArgumentError. */
const runId = reference(
  async (client, _text, [audience = ""]) => {
    for await (const run of client.runs.list(audience, { status: "completed", limit: 1 })) {
      return run.id
    }
    throw new CliError({
      code: "NOT_FOUND",
      message: "This audience has no completed run.",
      exitCode: ExitCode.notFound,
      nextStep: `Run: footfall runs start ${audience}`,
    })
  },
  (text) => (text === LATEST ? text : anId(text)),
)

/** Adds what names a run. */
export const addRunArguments = (command: Command): Command =>
  command
    .argument("<audience-id>", "id or name of the audience", audienceId)
    .argument("<run-id>", "id of the run, or `latest` for the newest completed run", runId)

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
export const DESTINATION_EXAMPLE =
  "70865832-8a6e-409c-95c5-d15bafae1a05 72c2caee-8b8d-4561-a8f3-fa549b992a9d"

export const AUDIENCE_EXAMPLE = "70865832-8a6e-409c-95c5-d15bafae1a05"

/** A parser of the ids of segments. Errors: InvalidArgumentError. */
export const segmentId = uuid("a segment", "footfall segments list")

/** A parser of the ids of accounts. Errors: InvalidArgumentError. */
export const accountId = uuid("a connected account", "footfall integrations accounts list")
