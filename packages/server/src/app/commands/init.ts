// `footfall-server init`: creates the first organization, its owner and its first API key, and optionally loads the
// starter catalog of topics. The key and a generated password are shown once. A second call changes nothing and fails.
import { Effect, Redacted, Schema } from "effect"
import { Installation } from "../../access/installation.ts"
import { ServerConfig } from "../config/config.ts"
import { isPassword, passwordLengthMax, passwordLengthMin } from "../../access/password.ts"
import { Migrations } from "../../platform/database/migrations.ts"
import { StarterTopics } from "../../intent/topics/starter-topics.ts"
import { Output } from "./output.ts"

export class PasswordRefused extends Schema.TaggedError<PasswordRefused>()("PasswordRefused", {}) {
  override get message(): string {
    return `Expected a password of ${passwordLengthMin} to ${passwordLengthMax} characters on standard input.`
  }
}

export interface InitOptions {
  readonly organization: string
  readonly email: string
  readonly password: string | undefined
  /** Whether to load the starter catalog; undefined to ask. */
  readonly hasStarterTopics: boolean | undefined
  /** Asks a yes-or-no question on the terminal; undefined without a terminal. */
  readonly ask: ((question: string) => Promise<boolean>) | undefined
}

export const init = Effect.fn("init")(function* (options: InitOptions) {
  const installation = yield* Installation
  const starter = yield* StarterTopics
  const output = yield* Output
  const given = options.password === undefined ? undefined : Redacted.make(options.password)
  if (given !== undefined && !isPassword(given)) {
    return yield* new PasswordRefused()
  }
  const hasTopics = yield* wantsStarterTopics(options)
  const made = yield* installation.create({
    organizationName: options.organization,
    email: options.email,
    password: given,
  })
  const apiKey = Redacted.value(made.apiKey)
  const password = given === undefined ? Redacted.value(made.owner.password) : undefined
  // The key is printed first, because everything after it can be repeated if it fails.
  yield* output.result(
    {
      organizationId: made.organizationId,
      apiKey,
      owner: { email: made.owner.email, ...(password === undefined ? {} : { password }) },
      starterTopics: hasTopics ? yield* starter.count : 0,
    },
    [
      `Organization  ${options.organization} (${made.organizationId})`,
      `Owner         ${made.owner.email}`,
      ...(password === undefined ? [] : [`Password      ${password}`]),
      `API key       ${apiKey}`,
      "",
      "The password and the key are shown only once. Save them now.",
    ].join("\n"),
  )
  if (hasTopics) {
    yield* starter.load(made.organizationId)
    yield* output.note(`\nLoaded the starter catalog: ${yield* starter.count} topics.\n`)
  }
  yield* output.note(nextSteps(hasTopics, (yield* ServerConfig).baseUrl))
})

/** Follows the flags. Without one, asks on the terminal. */
const wantsStarterTopics = Effect.fnUntraced(function* ({ ask, hasStarterTopics }: InitOptions) {
  if (hasStarterTopics !== undefined || ask === undefined) return hasStarterTopics === true
  // A second call is rejected without asking.
  const organizations = yield* (yield* Installation).organizations
  if (organizations.length > 0) return false
  const count = yield* (yield* StarterTopics).count
  return yield* Effect.promise(() =>
    ask(`Load the starter catalog of ${count} topics for audiences?`),
  )
})

const nextSteps = (hasTopics: boolean, baseUrl: string): string =>
  [
    "",
    "Next:",
    "  npx @footfall/server start",
    "and in another terminal:",
    `  npx @footfall/cli profiles create NAME --base-url ${baseUrl}`,
    "  npx @footfall/cli pixels create DOMAIN",
    ...(hasTopics ? [] : ["  npx @footfall/server starter-topics"]),
    "  npx @footfall/cli pixels suggest-topics DOMAIN",
    "",
  ].join("\n")

// `footfall-server migrate`: updates the schema without starting a server. Safe while servers run, and repeatable.

export const migrate = Effect.fn("migrate")(function* () {
  const output = yield* Output
  const applied = yield* Migrations.run
  yield* output.result(
    { applied },
    applied.length === 0 ? "The schema is up to date." : `Applied ${applied.join(", ")}.`,
  )
})
