// Reads one value of the configuration: from its option or its environment variable.
import { Config, Effect, Option, Schema } from "effect"
import type { Parser } from "./values.ts"

export class ConfigInvalid extends Schema.TaggedError<ConfigInvalid>()("ConfigInvalid", {
  variable: Schema.String,
  message: Schema.String,
}) {}

/** `given`, the option, wins over the variable and follows the same rules. */
export const read = <A>(
  variable: string,
  otherwise: string,
  { expected, parse }: Parser<A>,
  given?: string | number | boolean,
) =>
  Effect.gen(function* () {
    const text = given === undefined ? yield* variableOf(variable) : String(given)
    const value = parse(text ?? otherwise)
    const name = given === undefined ? variable : optionOf(variable)
    return value ?? (yield* invalid(name, `expected ${expected}, received "${text}"`))
  })

/** `SYNC_CYCLE_SECONDS` becomes `syncCycleSeconds`. */
export const optionOf = (variable: string) =>
  variable.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** An empty variable counts as absent, because shells and compose files leave them behind. */
export const variableOf = (variable: string) =>
  Config.option(Config.String(variable)).pipe(
    Effect.map(Option.getOrUndefined),
    Effect.map((text) => text?.trim() || undefined),
    Effect.catch(() => invalid(variable, "it cannot be read")),
  )

export const invalid = (variable: string, reason: string) =>
  Effect.fail(new ConfigInvalid({ variable, message: `${variable}: ${reason}.` }))
