// `footfall-server token`: issues an access token for scripts, for a user of this installation in the organization they
// joined first. It works on the server whose BASE_URL and secret created it.
import { DateTime, Duration, Effect, Option, Redacted, Schema } from "effect"
import { MemberStore } from "../access/members/store.ts"
import { AccessTokens } from "../access/tokens/access-tokens.ts"
import { Audit } from "../access/audit/audit.ts"
import { Output } from "./output.ts"

export class UserNotFound extends Schema.TaggedError<UserNotFound>()("UserNotFound", {
  email: Schema.String,
}) {
  override get message(): string {
    return `${this.email} is not a member of any organization. Add them: footfall-server members add --help`
  }
}

/** A token's lifetime: seconds, minutes, hours or days, up to 30 days; undefined if invalid. */
export const readLifetime = (text: string): Duration.Duration | undefined => {
  const [, count = "", unit = ""] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? []
  const lifetime = Duration.seconds(Number(count) * (unitSeconds.get(unit) ?? 0))
  return unit !== "" && Duration.isLessThanOrEqualTo(lifetime, Duration.days(30))
    ? lifetime
    : undefined
}

const unitSeconds: ReadonlyMap<string, number> = new Map(
  Object.entries({ s: 1, m: 60, h: 3600, d: 86_400 }),
)

export const issueToken = Effect.fn("token")(function* (options: {
  /** In normal form. */
  readonly email: string
  readonly lifetime: Duration.Duration
}) {
  const { email, lifetime } = options
  const members = yield* MemberStore
  const tokens = yield* AccessTokens
  const output = yield* Output
  const member = Option.getOrUndefined(yield* members.find({ email, organizationId: undefined }))
  if (member === undefined) return yield* new UserNotFound({ email })
  const { accessToken, expiresAtSeconds } = yield* tokens.issue({
    ...member,
    lifetime,
  })
  const author = { organizationId: member.organizationId, actor: { type: "operator" } } as const
  yield* (yield* Audit).record(author, "user.token_issued", member.userId)
  const expiresAt = DateTime.formatIso(DateTime.makeUnsafe(expiresAtSeconds * 1000))
  const token = Redacted.value(accessToken)
  yield* output.result({ accessToken: token, expiresAt }, `${token}\n\nValid until ${expiresAt}.`)
})
