// Signs in a terminal that a user approves in a browser (RFC 8628, spec 17.2). The terminal keeps a long secret code. A
// short code, which people can read and type, identifies the same sign-in to the console. Only digests of both are
// stored; the short one's is keyed, because it could be brute-forced.
import { Context, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { createHash, randomBytes, randomInt } from "node:crypto"
import { DataKeys } from "../../../platform/secrets/data-keys.ts"
import { Audit } from "../../audit/audit.ts"
import type { Caller } from "../../caller.ts"
import { MemberStore } from "../../members/store.ts"
import { AccessStore } from "../../store.ts"
import { type SignedIn, SignIn } from "../sign-in.ts"
import { DeviceLoginStore } from "./store.ts"

/** No sign-in with this code is waiting for a decision. */
export class DeviceLoginNotFound extends Schema.TaggedError<DeviceLoginNotFound>()(
  "DeviceLoginNotFound",
  {},
) {}

/** Why a terminal gets no tokens, now or ever. */ // spec 17.2.1
export class DeviceLoginRefused extends Schema.TaggedError<DeviceLoginRefused>()(
  "DeviceLoginRefused",
  {
    reason: Schema.Literals([
      "authorization_pending",
      "slow_down",
      "access_denied",
      "expired_token",
    ]),
  },
) {}

/** No vowels, so no words; no digits, so none that look like letters (RFC 8628, 6.1). */
const letters = "BCDFGHJKLMNPQRSTVWXZ" // cspell:disable-line
const userCodeLength = 8

const makeUserCode = (): string =>
  Array.from({ length: userCodeLength }, () => letters[randomInt(letters.length)]).join("")

const makeDeviceCode = (): string => `dev_${randomBytes(32).toString("base64url")}`

const deviceDigestOf = (code: Redacted.Redacted): Uint8Array =>
  createHash("sha256").update(Redacted.value(code)).digest()

/** The form shown to people: `WDJB-MJHT`. */
const shown = (userCode: string): string => `${userCode.slice(0, 4)}-${userCode.slice(4)}`

const make = Effect.gen(function* () {
  const store = yield* DeviceLoginStore
  const signIn = yield* SignIn
  const members = yield* MemberStore
  const { transaction } = yield* AccessStore
  const audit = yield* Audit
  const dataKeys = yield* DataKeys

  /** Accepts the code with or without the hyphen, in any case. */
  const userDigestOf = (userCode: string): Uint8Array =>
    dataKeys.sign("account", `device ${userCode.toUpperCase().replaceAll(/[\s-]/g, "")}`)

  const start = Effect.fn("DeviceLogins.start")(function* (request: {
    readonly clientName: string | undefined
    readonly clientAddress: string
  }) {
    const make = Effect.gen(function* () {
      const deviceCode = Redacted.make(makeDeviceCode())
      const userCode = makeUserCode()
      const isNew = yield* store.insert({
        deviceDigest: deviceDigestOf(deviceCode),
        userDigest: userDigestOf(userCode),
        clientName: request.clientName ?? null,
        clientAddress: request.clientAddress,
      })
      return isNew ? Option.some({ deviceCode, userCode: shown(userCode) }) : Option.none()
    })
    return Option.getOrThrow(yield* Effect.repeat(make, { until: Option.isSome }))
  })

  const poll = Effect.fn("DeviceLogins.poll")(function* (deviceCode: Redacted.Redacted) {
    const digest = deviceDigestOf(deviceCode)
    // The poll must be recorded, so every outcome is a result of the transaction, not a failure.
    const outcome = yield* transaction(
      Effect.gen(function* () {
        // Locks the user before the row, like a password change, which ends this sign-in or the session it starts.
        const approver = yield* store.approver(digest)
        if (approver !== undefined) yield* members.lockUser(approver)
        const polled = yield* store.poll(digest)
        if (polled === undefined) return "expired_token" as const
        const { isTooSoon, organizationId, state, userId } = polled
        if (state === "denied") return "access_denied" as const
        // Approved between the two reads; the next poll gets the tokens.
        if (userId === null || organizationId === null || approver === undefined) {
          return isTooSoon ? ("slow_down" as const) : ("authorization_pending" as const)
        }
        yield* store.remove(digest)
        // The approver may have been removed since.
        return yield* signIn
          .begin({ userId, organizationId, action: "user.logged_in", isConsole: false })
          .pipe(Effect.catchTag("SignInRefused", () => Effect.succeed("access_denied" as const)))
      }),
    )
    if (typeof outcome === "string") return yield* new DeviceLoginRefused({ reason: outcome })
    return outcome satisfies SignedIn
  })

  const find = Effect.fn("DeviceLogins.find")(function* (userCode: string) {
    const found = yield* store.find(userDigestOf(userCode))
    if (found === undefined) return yield* new DeviceLoginNotFound()
    const { expiresAtMs, ...request } = found
    return { ...request, expiresAt: DateTime.makeUnsafe(expiresAtMs) }
  })

  const decide = Effect.fn("DeviceLogins.decide")(function* (
    userCode: string,
    state: "approved" | "denied",
    { actor, organizationId }: Caller,
  ) {
    const userDigest = userDigestOf(userCode)
    yield* transaction(
      Effect.gen(function* () {
        const decision = { userDigest, state, userId: actor.id, organizationId }
        if (!(yield* store.decide(decision))) return yield* new DeviceLoginNotFound()
        yield* audit.record({ organizationId, actor }, `user.device_${state}`, actor.id)
      }),
    )
  })

  return {
    start,
    /** Returns an approved sign-in's tokens, once. Fails with DeviceLoginRefused. */
    poll,
    /** Whether the terminal's code is valid; does not count as a poll. */
    isKnown: (deviceCode: Redacted.Redacted) => store.exists(deviceDigestOf(deviceCode)),
    /** Returns the requesting terminal. Fails with DeviceLoginNotFound. */
    find,
    /** Signs the terminal in to the caller's organization, or denies it. Fails with DeviceLoginNotFound. */
    decide,
  }
})

export class DeviceLogins extends Context.Service<DeviceLogins, Effect.Success<typeof make>>()(
  "@footfall/server/access/DeviceLogins",
) {
  static readonly layer = Layer.effect(DeviceLogins, make)
}
