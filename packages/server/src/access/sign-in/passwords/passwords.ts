// Sets a new password (spec 5.12): with the current one while signed in, or with a token sent to the address. Both end
// all other sessions and every access token. A mailed token proves the address, so using one on an unproven account
// takes it over, as an invitation does.
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { Mail, type MailMessage } from "../../../platform/outbound/mail/mail.ts"
import { AccessConfig } from "../../access-config.ts"
import { Audit } from "../../audit/audit.ts"
import type { Action } from "../../audit/store.ts"
import { Invitations } from "../../members/invitations.ts"
import { MemberStore } from "../../members/store.ts"
import { AccessStore } from "../../store.ts"
import { PasswordTurns } from "../../password.ts"
import { readRefreshToken } from "../refresh-token.ts"
import { SignInStore } from "../store.ts"
import { PasswordStore, resetMinutes } from "./store.ts"
import { letterBodies } from "../../../platform/outbound/mail/letter.ts"

/** The current password does not match. */
export class PasswordWrong extends Schema.TaggedError<PasswordWrong>()("PasswordWrong", {}) {}

/** The token is unknown, used or expired. */
export class ResetRefused extends Schema.TaggedError<ResetRefused>()("ResetRefused", {}) {}

const digestOf = (token: Redacted.Redacted): Uint8Array =>
  createHash("sha256").update(Redacted.value(token)).digest()

const make = Effect.gen(function* () {
  const store = yield* PasswordStore
  const sessions = yield* SignInStore
  const members = yield* MemberStore
  const invitations = yield* Invitations
  const { transaction } = yield* AccessStore
  const turns = yield* PasswordTurns
  const audit = yield* Audit
  const mail = yield* Mail
  const { baseUrl } = yield* AccessConfig
  const scope = yield* Effect.scope

  /** Recorded in the audit log of each of the user's organizations. */
  const recordAll = Effect.fnUntraced(function* (userId: string, action: Action) {
    const actor = { type: "user", id: userId } as const
    for (const { id: organizationId } of yield* sessions.joined(userId)) {
      yield* audit.record({ organizationId, actor }, action, userId)
    }
  })

  /** The session of a refresh token, if it is the user's and the token is current. */
  const chainOf = Effect.fnUntraced(function* (userId: string, token: Redacted.Redacted) {
    const read = readRefreshToken(token)
    const chain = read === undefined ? undefined : yield* sessions.lockChain(read.chainId)
    const isOwn = chain?.userId === userId && timingSafeEqual(chain.digest, read!.digest)
    return isOwn ? read!.chainId : undefined
  })

  const change = Effect.fn("Passwords.change")(function* (options: {
    readonly userId: string
    readonly current: Redacted.Redacted
    readonly next: Redacted.Redacted
    /** The refresh token of the session to keep. */
    readonly refreshToken: Redacted.Redacted | undefined
    /** Keyed hash of the client address. */
    readonly addressHash: string
  }) {
    const { addressHash, current, next, refreshToken, userId } = options
    const account = yield* store.ofUser(userId)
    const before = account?.passwordHash ?? null
    if (!(yield* turns.isSame(addressHash, current, before))) return yield* new PasswordWrong()
    const passwordHash = yield* turns.hash(addressHash, next)
    yield* transaction(
      Effect.gen(function* () {
        yield* members.lockUser(userId)
        // Of two concurrent changes, the second used a password that is no longer valid.
        if (!(yield* store.isStill(userId, before))) return yield* new PasswordWrong()
        const kept = refreshToken === undefined ? undefined : yield* chainOf(userId, refreshToken)
        yield* store.set(userId, passwordHash, kept)
        yield* recordAll(userId, "user.password_changed")
      }),
    )
    if (account !== undefined) yield* mail.post(changedMail({ email: account.email, baseUrl }))
  })

  /** An account without a password has an invitation to accept, or signs in elsewhere. */
  const mailReset = Effect.fnUntraced(function* (email: string) {
    const account = yield* store.ofEmail(email)
    if (account === undefined || account.passwordHash === null) return
    const { userId } = account
    const token = Redacted.make(`pwr_${randomBytes(32).toString("base64url")}`)
    yield* transaction(
      Effect.andThen(
        store.insertReset(userId, digestOf(token)),
        recordAll(userId, "user.password_reset_requested"),
      ),
    )
    yield* mail.post(resetMail({ email: account.email, baseUrl, token }))
  })

  const reset = Effect.fn("Passwords.reset")(function* (options: {
    readonly token: Redacted.Redacted
    readonly password: Redacted.Redacted
    readonly addressHash: string
  }) {
    const digest = digestOf(options.token)
    const account = yield* store.ofToken(digest)
    if (account === undefined) return yield* new ResetRefused()
    const { email, userId } = account
    const passwordHash = yield* turns.hash(options.addressHash, options.password)
    const invited = yield* transaction(
      Effect.gen(function* () {
        yield* members.lockUser(userId)
        const current = yield* store.ofToken(digest)
        if (current === undefined || !(yield* store.takeReset(userId, digest))) {
          return yield* new ResetRefused()
        }
        // Recorded before a takeover, which leaves the user without organizations.
        yield* recordAll(userId, "user.password_reset")
        const actor = { type: "user", id: userId } as const
        const invited = current.isProven
          ? []
          : yield* invitations.takeOver({ email, userId }, actor)
        yield* store.set(userId, passwordHash, undefined)
        yield* store.forgetAddresses(userId)
        return invited
      }),
    )
    yield* invitations.send(invited)
    yield* mail.post(changedMail({ email, baseUrl }))
    return { invitationsSent: invited.filter(({ letter }) => letter !== undefined).length }
  })

  return {
    /** Whether the server sends email; without it, passwords can't be reset. */
    isMailConfigured: mail.isConfigured,
    /** Fails with PasswordWrong, SignInBusy. */
    change,
    /**
     * Emails a link if the account has a password. *Guarantee*: takes the same time whether or not the account exists.
     */
    requestReset: (email: string) =>
      mailReset(email).pipe(
        Effect.catchCause((cause) =>
          Effect.logError("could not send a password reset email", cause),
        ),
        Effect.forkIn(scope),
        Effect.asVoid,
      ),
    /**
     * Returns how many organizations the user must join again because the address had never been proven. Fails with
     * ResetRefused, SignInBusy.
     */
    reset,
  }
})

export class Passwords extends Context.Service<Passwords, Effect.Success<typeof make>>()(
  "@footfall/server/access/Passwords",
) {
  static readonly layer = Layer.effect(Passwords, make)
}

// Emails about passwords: the reset link, and the notice of a change.
interface Addressed {
  readonly email: string
  /** `BASE_URL`. */
  readonly baseUrl: string
}

const resetMail = ({
  baseUrl,
  email,
  token,
}: Addressed & { readonly token: Redacted.Redacted }): MailMessage => ({
  to: email,
  subject: "Reset your Footfall password",
  ...letterBodies({
    paragraphs: [
      `Someone requested a password reset for ${email} on Footfall at ${baseUrl}.`,
      "If it was you, open this link to choose a new password. Doing so signs you out everywhere.",
    ],
    // Browsers send nothing after `#` to the server.
    link: {
      label: "Choose a new password",
      url: `${baseUrl}/console/reset#${Redacted.value(token)}`,
    },
    closing: `The link works once, for ${resetMinutes} minutes. If you did not request it, ignore this email. Your password stays the same.`,
  }),
})

const changedMail = ({ baseUrl, email }: Addressed): MailMessage => ({
  to: email,
  subject: "Your Footfall password was changed",
  ...letterBodies({
    paragraphs: [
      `The password of ${email} on Footfall at ${baseUrl} was changed, and all other sessions were signed out.`,
      "If it was not you, reset your password immediately: open the console and choose Forgot your password. Then tell an admin of your organization.",
    ],
  }),
})
