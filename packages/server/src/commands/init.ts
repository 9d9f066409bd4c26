// `footfall-server init`: the first organization, its owner and its first API key. The key and a
// password that was made here are shown once; a second call changes nothing and fails.
import { Effect, Redacted, Schema } from "effect"
import { Installation } from "../access/installation.ts"
import { isPassword, passwordLengthMax, passwordLengthMin } from "../access/password.ts"
import { Output } from "./output.ts"

export class PasswordRefused extends Schema.TaggedError<PasswordRefused>()("PasswordRefused", {}) {
  override get message(): string {
    return `Expected a password of ${passwordLengthMin} to ${passwordLengthMax} characters on standard input.`
  }
}

export const init = Effect.fn("init")(function* (options: {
  readonly organization: string
  readonly email: string
  readonly password: Redacted.Redacted | undefined
}) {
  const installation = yield* Installation
  const output = yield* Output
  if (options.password !== undefined && !isPassword(options.password)) {
    return yield* new PasswordRefused()
  }
  const made = yield* installation.create({
    organizationName: options.organization,
    email: options.email,
    password: options.password,
  })
  const apiKey = Redacted.value(made.apiKey)
  const password = options.password === undefined ? Redacted.value(made.owner.password) : undefined
  yield* output.result(
    {
      organizationId: made.organizationId,
      apiKey,
      owner: { email: made.owner.email, ...(password === undefined ? {} : { password }) },
    },
    [
      `Organization  ${options.organization} (${made.organizationId})`,
      `Owner         ${made.owner.email}`,
      ...(password === undefined ? [] : [`Password      ${password}`]),
      `API key       ${apiKey}`,
      "",
      "These are shown once. Keep them now.",
    ].join("\n"),
  )
})
