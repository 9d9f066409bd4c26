// Signing in (spec 5.12, 7): exchanges a password or invitation for tokens, exchanges a refresh token for the next
// ones, and signs out. Every mismatch fails with the same SignInRefused. Using a refresh token twice ends its chain,
// because one of its two holders stole it. Only a console may repeat an exchange for ten seconds, because a page that
// is reloaded during the exchange never sees the response.
import { Context, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { timingSafeEqual } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { RequestContext } from "../../platform/http/request-context.ts"
import type { Action } from "../audit/store.ts"
import { Audit } from "../audit/audit.ts"
import { inviteTokenDigest } from "../members/invitation.ts"
import { Invitations } from "../members/invitations.ts"
import { MemberStore } from "../members/store.ts"
import type { Caller } from "../caller.ts"
import { Secrets } from "../../platform/secrets/secrets.ts"
import { AccessStore } from "../store.ts"
import { AccessTokens } from "../tokens/access-tokens.ts"
import { PasswordStore } from "./passwords/store.ts"
import { PasswordTurns } from "../password.ts"
import { makeRefreshToken, nextRefreshTokens, readRefreshToken } from "./refresh-token.ts"
import { type Invited, type RefreshChain, SignInStore } from "./store.ts"

export class SignInRefused extends Schema.TaggedError<SignInRefused>()("SignInRefused", {}) {}

/** The invited address has an account, and the caller has not proven that it is theirs. */
export class AccountHeld extends Schema.TaggedError<AccountHeld>()("AccountHeld", {}) {}

export interface SignedIn {
  readonly accessToken: Redacted.Redacted
  readonly refreshToken: Redacted.Redacted
}

interface Moment {
  readonly userId: string
  readonly organizationId: string | undefined
  readonly action: Action
  readonly isConsole: boolean
}

/** How an invitation's holder gets access to the account. */
type WayIn = "has the password" | "chooses the password" | "takes over"

/**
 * Undefined: no access. The inviting member has a token too, which only gives access to an account no one has used. A
 * token that proves the address sets the password, unless an owner who proved it earlier has one.
 */
const wayIn = (
  { isMember, isProven, passwordHash, proves }: Invited,
  isSame: boolean,
): WayIn | undefined => {
  if (isSame) return "has the password"
  const isUsed = passwordHash !== null || isProven || isMember
  if (!isUsed || (proves && isProven && passwordHash === null)) return "chooses the password"
  return proves && !isProven ? "takes over" : undefined
}

/** Whether two reads agree in everything that decides the way in. */
const isSameState = (one: Invited, other: Invited): boolean =>
  isDeepStrictEqual(stateOf(one), stateOf(other))

const stateOf = ({ isMember, isProven, passwordHash }: Invited) => [
  passwordHash,
  isProven,
  isMember,
]

const make = Effect.gen(function* () {
  const store = yield* SignInStore
  const members = yield* MemberStore
  const invitations = yield* Invitations
  const { transaction } = yield* AccessStore
  const tokens = yield* AccessTokens
  const audit = yield* Audit
  const random = yield* SecureRandom.SecureRandom

  const turns = yield* PasswordTurns
  const passwords = yield* PasswordStore
  const nextKeys = (yield* Secrets).keys("refresh-token")

  /** Returns the member signing in, for the audit log. Without an organization: the one joined first. */
  const memberOf = Effect.fnUntraced(function* ({
    action,
    organizationId,
    userId,
  }: Omit<Moment, "isConsole">) {
    const found = yield* members.find({ userId, organizationId })
    if (Option.isNone(found)) return yield* new SignInRefused()
    const actor = { type: "user", id: userId } as const
    yield* audit.record({ organizationId: found.value.organizationId, actor }, action, userId)
    return found.value
  })

  /** Starts a session. Runs in the caller's transaction. */
  const begin = Effect.fnUntraced(function* (moment: Moment) {
    const member = yield* memberOf(moment)
    const id = yield* random.uuidV4()
    const refreshToken = makeRefreshToken(id)
    const { digest } = readRefreshToken(refreshToken)!
    const { isConsole, userId } = moment
    const { userAgent } = yield* RequestContext
    yield* store.insertChain({ id, userId, digest, isConsole, userAgent })
    const { accessToken } = yield* tokens.issue({ ...member, isConsole, sessionId: id })
    return { accessToken, refreshToken } satisfies SignedIn
  })

  const login = Effect.fn("SignIn.login")(function* (options: {
    readonly email: string
    readonly password: Redacted.Redacted
    /** Keyed hash of the client address. */
    readonly addressHash: string
    readonly organizationId?: string | undefined
    /** The tokens are for the console. */
    readonly isConsole?: boolean | undefined
  }) {
    const user = yield* store.findUser(options.email)
    const hash = user?.passwordHash ?? null
    const isSame = yield* turns.isSame(options.addressHash, options.password, hash)
    if (user === undefined || !isSame) return yield* new SignInRefused()
    const { isConsole = false, organizationId } = options
    const { userId } = user
    return yield* transaction(
      Effect.gen(function* () {
        yield* members.lockUser(userId)
        // The password may have changed while this one waited to be compared.
        if (!(yield* passwords.isStill(userId, hash))) return yield* new SignInRefused()
        const begun = yield* begin({ userId, organizationId, action: "user.logged_in", isConsole })
        yield* store.keepAddress(userId, options.addressHash)
        return begun
      }),
    )
  })

  const nextOf = ({ id, isConsole }: RefreshChain, refreshToken: Redacted.Redacted) =>
    isConsole ? nextRefreshTokens(refreshToken, id, nextKeys)[0]! : makeRefreshToken(id)

  /** Returns the chain's current token, if a console just got it in exchange for this one. */
  const exchangedFor = (
    { digest, id, isConsole, isRecent }: RefreshChain,
    refreshToken: Redacted.Redacted,
  ) =>
    isConsole && isRecent
      ? nextRefreshTokens(refreshToken, id, nextKeys).find((next) =>
          timingSafeEqual(readRefreshToken(next)!.digest, digest),
        )
      : undefined

  /** Whether the token can be exchanged. */
  const isExchangeable = (chain: RefreshChain, refreshToken: Redacted.Redacted): boolean =>
    timingSafeEqual(chain.digest, readRefreshToken(refreshToken)!.digest) ||
    exchangedFor(chain, refreshToken) !== undefined

  /** Console and other refresh tokens are not interchangeable. */
  const refresh = Effect.fn("SignIn.refresh")(function* (options: {
    readonly refreshToken: Redacted.Redacted
    readonly organizationId?: string | undefined
    readonly isConsole?: boolean | undefined
  }) {
    const token = readRefreshToken(options.refreshToken)
    if (token === undefined) return yield* new SignInRefused()
    const { chainId } = token
    // Ending a chain must be committed, so it is a result of the transaction, not a failure.
    const answer = yield* transaction(
      Effect.gen(function* () {
        const { isConsole = false, organizationId } = options
        const chain = yield* store.lockChain(chainId)
        if (chain === undefined || chain.isConsole !== isConsole) return undefined
        const { userId } = chain
        if (!chain.isValid || !isExchangeable(chain, options.refreshToken)) {
          yield* store.endChains(userId, chainId)
          const action = chain.isValid ? "user.token_reused" : "user.token_expired"
          yield* Effect.option(memberOf({ userId, organizationId: undefined, action }))
          return undefined
        }
        const member = yield* memberOf({ userId, organizationId, action: "user.token_refreshed" })
        const given = exchangedFor(chain, options.refreshToken)
        const refreshToken = given ?? nextOf(chain, options.refreshToken)
        if (given === undefined) {
          yield* store.moveChain(chainId, readRefreshToken(refreshToken)!.digest)
        }
        const { accessToken } = yield* tokens.issue({ ...member, isConsole, sessionId: chainId })
        return { accessToken, refreshToken } satisfies SignedIn
      }),
    )
    return answer ?? (yield* new SignInRefused())
  })

  const logout = Effect.fn("SignIn.logout")(function* (options: {
    readonly userId: string
    readonly organizationId: string
    readonly refreshToken?: Redacted.Redacted | undefined
  }) {
    const { organizationId, refreshToken, userId } = options
    const token = refreshToken === undefined ? undefined : readRefreshToken(refreshToken)
    if (refreshToken !== undefined && token === undefined) return
    yield* transaction(
      Effect.gen(function* () {
        if ((yield* store.endChains(userId, token?.chainId)) === 0) return
        const actor = { type: "user", id: userId } as const
        yield* audit.record({ organizationId, actor }, "user.logged_out", userId)
      }),
    )
  })

  /** Ends one of a user's sessions, or all but one. Returns how many. */
  const endOf = Effect.fn("SignIn.endOf")(function* (
    caller: Caller,
    which: { readonly only: string } | { readonly allBut: string | undefined },
  ) {
    const { actor, organizationId } = caller
    return yield* transaction(
      Effect.gen(function* () {
        const ended =
          "only" in which
            ? yield* store.endChains(actor.id, which.only)
            : yield* store.endOtherChains(actor.id, which.allBut)
        if (ended > 0) {
          yield* audit.record({ organizationId, actor }, "user.logged_out", actor.id)
        }
        return ended
      }),
    )
  })

  /** Ends the session of a refresh token; does nothing for any other token. */
  const endSession = Effect.fn("SignIn.endSession")(function* (refreshToken: Redacted.Redacted) {
    const token = readRefreshToken(refreshToken)
    if (token === undefined) return
    yield* transaction(
      Effect.gen(function* () {
        const chain = yield* store.lockChain(token.chainId)
        if (chain === undefined || !isExchangeable(chain, refreshToken)) return
        yield* store.endChains(chain.userId, token.chainId)
        const { userId } = chain
        // A user removed from every organization has no audit log.
        yield* Effect.option(
          memberOf({ userId, organizationId: undefined, action: "user.logged_out" }),
        )
      }),
    )
  })

  /** Locks the account, so of two requests with one invitation the second finds it used. */
  const accept = Effect.fnUntraced(function* (digest: Uint8Array, read: Invited, way: WayIn) {
    const { email, organizationId, userId } = read
    yield* members.lockUser(userId)
    const invited = Option.getOrUndefined(yield* store.findInvited(digest))
    if (invited === undefined || !isSameState(invited, read)) return yield* new SignInRefused()
    if (!(yield* members.accept(invited))) return yield* new SignInRefused()
    const actor = { type: "user", id: userId } as const
    const others =
      way === "takes over"
        ? yield* invitations.takeOver({ email, userId }, actor, organizationId)
        : []
    if (invited.proves) yield* members.setProven(userId)
    return others
  })

  const acceptInvite = Effect.fn("SignIn.acceptInvite")(function* (options: {
    readonly token: Redacted.Redacted
    readonly password: Redacted.Redacted
    /** Keyed hash of the client address. */
    readonly addressHash: string
    readonly name?: string | undefined
  }) {
    const digest = inviteTokenDigest(options.token)
    const found = yield* store.findInvited(digest)
    if (Option.isNone(found)) return yield* new SignInRefused()
    const invited = found.value
    const { organizationId, passwordHash, userId } = invited
    const isSame =
      passwordHash !== null &&
      (yield* turns.isSame(options.addressHash, options.password, passwordHash))
    const way = wayIn(invited, isSame)
    if (way === undefined) return yield* new AccountHeld()
    const newHash =
      way === "has the password"
        ? undefined
        : yield* turns.hash(options.addressHash, options.password)
    const { others, signedIn } = yield* transaction(
      Effect.gen(function* () {
        const others = yield* accept(digest, invited, way)
        if (newHash !== undefined) {
          yield* store.setPassword({ id: userId, passwordHash: newHash, name: options.name })
        }
        const action = "user.invite_accepted"
        const signedIn = yield* begin({ userId, organizationId, action, isConsole: false })
        return { others, signedIn }
      }),
    )
    yield* invitations.send(others)
    return signedIn
  })

  /** What an open invitation is for. Says nothing about the account, because an inviting member may ask too. */
  const invitation = Effect.fn("SignIn.invitation")(function* (token: Redacted.Redacted) {
    const found = yield* store.findInvited(inviteTokenDigest(token))
    if (Option.isNone(found)) return yield* new SignInRefused()
    const { email, organizationName, role } = found.value
    return { organization: { name: organizationName }, email, role }
  })

  const join = Effect.fn("SignIn.join")(function* (options: {
    readonly userId: string
    readonly token: Redacted.Redacted
    /** Accepts nothing. */
    readonly isPreview: boolean
  }) {
    const digest = inviteTokenDigest(options.token)
    const { isPreview, userId } = options
    return yield* transaction(
      Effect.gen(function* () {
        const found = yield* store.findInvited(digest)
        if (Option.isNone(found) || found.value.userId !== userId) return yield* new SignInRefused()
        const { organizationId } = found.value
        if (isPreview) return yield* store.invitedTo(userId, organizationId)
        yield* accept(digest, found.value, "has the password")
        yield* memberOf({ userId, organizationId, action: "user.invite_accepted" })
        return (yield* store.joined(userId)).find(({ id }) => id === organizationId)!
      }),
    )
  })

  /** Returns the chain of a token that can be exchanged. */
  const chainOf = Effect.fnUntraced(function* (refreshToken: Redacted.Redacted) {
    const token = readRefreshToken(refreshToken)
    const chain = token === undefined ? undefined : yield* store.findChain(token.chainId)
    return chain !== undefined && chain.isValid && isExchangeable(chain, refreshToken)
      ? Option.some(chain.id)
      : Option.none()
  })

  return {
    begin,
    login,
    refresh,
    logout,
    endSession,
    endOf,
    /** A user's unexpired sessions, most recently used first. */
    sessions: store.sessions,
    acceptInvite,
    invitation,
    /** Accepts an invitation to another organization while signed in. */
    join,
    /** The account an invitation is for. */
    invitedAccount: (token: Redacted.Redacted) =>
      Effect.map(
        store.findInvited(inviteTokenDigest(token)),
        Option.map(({ email }) => email),
      ),
    chainOf,
    isKnownAddress: store.isKnownAddress,
    getUser: store.getUser,
    joined: store.joined,
  }
})

export class SignIn extends Context.Service<SignIn, Effect.Success<typeof make>>()(
  "@footfall/server/access/SignIn",
) {
  static readonly layer = Layer.effect(SignIn, make)
}
