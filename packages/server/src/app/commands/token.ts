// `footfall-server token`: issues an access token for scripts, for a user of this installation in the organization they
// joined first. It works on the server whose BASE_URL and secret created it.
import { DateTime, Duration, Effect, Option, Redacted, Schema } from "effect"
import { MemberStore } from "../../access/members/store.ts"
import { AccessTokens } from "../../access/tokens/access-tokens.ts"
import { Audit } from "../../access/audit/audit.ts"
import { Output } from "./output.ts"

export class UserNotFound extends Schema.TaggedError<UserNotFound>()("UserNotFound", {
  email: Schema.String,
}) {
  override get message(): string {
    return `${this.email} is not a member of any organization. Add them: footfall-server members add --help`
  }
}

export const issueToken = Effect.fn("token")(function* (options: {
  /** In normal form. */
  readonly email: string
  readonly lifetimeSeconds: number
}) {
  const { email, lifetimeSeconds } = options
  const members = yield* MemberStore
  const tokens = yield* AccessTokens
  const output = yield* Output
  const member = Option.getOrUndefined(yield* members.find({ email, organizationId: undefined }))
  if (member === undefined) return yield* new UserNotFound({ email })
  const { accessToken, expiresAtSeconds } = yield* tokens.issue({
    ...member,
    lifetime: Duration.seconds(lifetimeSeconds),
  })
  const author = { organizationId: member.organizationId, actor: { type: "operator" } } as const
  yield* (yield* Audit).record(author, "user.token_issued", member.userId)
  const expiresAt = DateTime.formatIso(DateTime.makeUnsafe(expiresAtSeconds * 1000))
  const token = Redacted.value(accessToken)
  yield* output.result({ accessToken: token, expiresAt }, `${token}\n\nValid until ${expiresAt}.`)
})
