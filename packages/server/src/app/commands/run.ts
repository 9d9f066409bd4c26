// Runs one command over the services it needs, and ends the process: with 0 if it succeeded, otherwise with 1. The
// first SIGINT or SIGTERM drains and ends with 0; a second one ends at once.
import { Cause, Effect, Exit, Fiber, Layer, type Scope } from "effect"
import { postgresRefusal } from "../../platform/database/database-error.ts"
import { Output } from "./output.ts"

export interface JsonFlag {
  readonly json?: true
}

/** *Services*: what the command needs, and the platform. */
export const run = async <Services, Unbuilt, E>(
  services: Layer.Layer<Services, Unbuilt>,
  { json }: JsonFlag,
  effect: Effect.Effect<void, E, Services | Output | Scope.Scope>,
): Promise<void> => {
  const provided = Layer.merge(services, outputOf(json === true))
  // The command's own scope closes first, so requests in progress finish while the services still work.
  const fiber = Effect.runFork(Effect.provide(Effect.scoped(effect), provided))
  stopOnSignal((isFirst) => {
    if (!isFirst) process.exit(130)
    // A log collector reads lines of JSON there. The server logs the stop itself.
    if (process.stderr.isTTY) {
      process.stderr.write(
        "\nStopping after the current work is finished. Press Ctrl-C again to stop now.\n",
      )
    }
    fiber.interruptUnsafe()
  })
  const exit = await Effect.runPromise(Fiber.await(fiber))
  if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) fail(exit.cause, json === true)
  process.exit()
}

export const outputOf = (isJson: boolean) =>
  Layer.succeed(Output, {
    isJson,
    result: (document, words) =>
      Effect.sync(() => process.stdout.write(`${isJson ? JSON.stringify(document) : words}\n`)),
    note: (words) => Effect.sync(() => isJson || process.stderr.write(words)),
  })

/** Under npm, Ctrl-C arrives twice: from the terminal and passed on by npm. */
const sameSignalMs = 500

const stopOnSignal = (stop: (isFirst: boolean) => void): void => {
  let first: { readonly signal: string; readonly at: number } | undefined
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => {
      const at = performance.now()
      if (first?.signal === signal && at - first.at < sameSignalMs) return
      stop(first === undefined)
      first ??= { signal, at }
    })
  }
}

/** An expected failure is one line; anything else is a bug and shows its origin. */
const fail = (cause: Cause.Cause<unknown>, isJson: boolean): void => {
  process.exitCode = 1
  const error = Cause.squash(cause)
  const isExpected = Cause.hasFails(cause) && error instanceof Error
  const code = isExpected ? String("_tag" in error ? error._tag : error.name) : "UNEXPECTED"
  const message = isExpected ? (postgresRefusal(error) ?? error.message) : Cause.pretty(cause)
  process.stderr.write(
    isJson ? `${JSON.stringify({ error: { code, message } })}\n` : `footfall-server: ${message}\n`,
  )
}
