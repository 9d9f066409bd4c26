// Parsers of `latest`, the newest of several.

import type { Footfall } from "@footfall/sdk"
import { CliError, ExitCode } from "../errors/cli-error.ts"
import { type Parser, reference } from "./reference.ts"
import { uuid } from "./values.ts"

const LATEST = "latest"

/** Parses an id, or `latest` for the first of `list`. Errors: `NOT_FOUND`, with `none` and what to do. */
export const latest = (
  noun: string,
  listCommand: string,
  list: (client: Footfall, before: ReadonlyArray<string>) => AsyncIterable<{ readonly id: string }>,
  none: (before: ReadonlyArray<string>) => readonly [message: string, nextStep: string],
): Parser => {
  const anId = uuid(`${noun}, or \`${LATEST}\``, listCommand)
  return reference(
    async (client, _text, before) => {
      for await (const { id } of list(client, before)) return id
      const [message, nextStep] = none(before)
      throw new CliError({ code: "NOT_FOUND", message, exitCode: ExitCode.notFound, nextStep })
    },
    (text) => (text === LATEST ? text : anId(text)),
  )
}
