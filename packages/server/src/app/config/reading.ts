// Reads one value of the configuration: from its option or its environment variable.
import { Config, Effect, FileSystem, Option, Schema } from "effect"
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

/** Each may come from a file instead, as container platforms mount them: `DATABASE_URL_FILE=/run/secrets/database`. */ // spec 1.2.9
export const secretVariables: ReadonlySet<string> = new Set([
  "CLICKHOUSE_URL",
  "DATABASE_READ_URL",
  "DATABASE_URL",
  "FOOTFALL_SECRET",
  "OIDC_CLIENT_SECRET",
  "SMTP_URL",
])

/** An empty variable counts as absent, because shells and compose files leave them behind. */
export const variableOf = Effect.fnUntraced(function* (variable: string) {
  const text = yield* environmentText(variable)
  if (!secretVariables.has(variable)) return text
  const path = yield* environmentText(`${variable}_FILE`)
  if (path === undefined) return text
  if (text !== undefined) {
    return yield* invalid(
      `${variable}_FILE`,
      `it can't be combined with ${variable}. Remove one of them`,
    )
  }
  const content = yield* Effect.flatMap(FileSystem.FileSystem, (files) =>
    files.readFileString(path),
  ).pipe(
    Effect.catch(({ reason }) =>
      invalid(`${variable}_FILE`, `${path} can't be read (${reason._tag})`),
    ),
  )
  return content.trim() || (yield* invalid(`${variable}_FILE`, `${path} is empty`))
})

const environmentText = (variable: string) =>
  Config.option(Config.String(variable)).pipe(
    Effect.map(Option.getOrUndefined),
    Effect.map((text) => text?.trim() || undefined),
    Effect.catch(() => invalid(variable, "it cannot be read")),
  )

export const invalid = (variable: string, reason: string) =>
  Effect.fail(new ConfigInvalid({ variable, message: `${variable}: ${reason}.` }))
