// Runs on the command line: a run is named by its audience and its own id, or as the latest.

import type { Command } from "commander"
import { CliError } from "../../errors/cli-error.ts"
import { ExitCode } from "../../errors/exit-code.ts"
import { audienceId } from "../audiences/audience-id.ts"
import { reference } from "../reference.ts"
import { uuid } from "../uuid.ts"

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
      message: "No run of the audience has completed.",
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
    .argument("<run-id>", "id of the run, or `latest` for the newest that has completed", runId)
