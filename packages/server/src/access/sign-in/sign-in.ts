// Signing in (spec 5.12, 7): password or invitation for tokens, refresh token for the next
// ones, and out again. Whatever does not fit fails with one SignInRefused. A refresh token that is
// used a second time ends its chain: one of the two who had it stole it.
import { Context, Effect, Layer, Option, type Redacted, Schema, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"
import { timingSafeEqual } from "node:crypto"
import type { Action } from "../audit/store.ts"
import { Audit } from "../audit/audit.ts"
import { inviteTokenDigest } from "../members/invitation.ts"
import { MemberStore } from "../members/store.ts"
import { hashPassword, isSamePassword } from "../password.ts"
import { AccessStore } from "../store.ts"
import { AccessTokens } from "../tokens/access-tokens.ts"
import { makeRefreshToken, readRefreshToken } from "./refresh-token.ts"
import { SignInStore } from "./store.ts"

export class SignInRefused extends Schema.TaggedError<SignInRefused>()("SignInRefused", {}) {}

/** Too many passwords are compared at the moment. */
export class SignInBusy extends Schema.TaggedError<SignInBusy>()("SignInBusy", {}) {}

/**
 * Passwords that a process hashes at the same time, and that wait for it; more are refused. Each takes 32 MiB and one
 * of the four threads of Node, which looking names up and reading files need too. Our bounds.
 */
const hashesAtOnce = 2
const hashesWaitingMax = 20

export interface SignedIn {
  readonly accessToken: Redacted.Redacted
  readonly refreshToken: Redacted.Redacted
}

interface Moment {
  readonly userId: string
  readonly organizationId: string | undefined
  readonly action: Action
}

const make = Effect.gen(function* () {
  const store = yield* SignInStore
  const members = yield* MemberStore
  const { transaction } = yield* AccessStore
  const tokens = yield* AccessTokens
  const audit = yield* Audit
  const random = yield* SecureRandom.SecureRandom

  const turns = yield* Semaphore.make(hashesAtOnce)
  let asked = 0
  /** Work that ends with its thread, whoever waits for it. */
  const hashing = <A>(work: () => Promise<A>) =>
    Effect.suspend(() => {
      if (asked === hashesAtOnce + hashesWaitingMax) return Effect.fail(new SignInBusy())
      asked++
      return Effect.uninterruptible(Effect.promise(work)).pipe(
        turns.withPermits(1),
        Effect.ensuring(Effect.sync(() => asked--)),
      )
    })

  /** The member that signs in, with its entry in the audit log. Without organization: where it joined first. */
  const memberOf = Effect.fnUntraced(function* ({ action, organizationId, userId }: Moment) {
    const found = yield* members.find({ userId, organizationId })
    if (Option.isNone(found)) return yield* new SignInRefused()
    const actor = { type: "user", id: userId } as const
    yield* audit.record({ organizationId: found.value.organizationId, actor }, action, userId)
    return found.value
  })

  const begin = Effect.fnUntraced(function* (moment: Moment) {
    const member = yield* memberOf(moment)
    const id = yield* random.uuidV4()
    const refreshToken = makeRefreshToken(id)
    const { digest } = readRefreshToken(refreshToken)!
    yield* store.insertChain({ id, userId: moment.userId, digest })
    const { accessToken } = yield* tokens.issue(member)
    return { accessToken, refreshToken } satisfies SignedIn
  })

  const login = Effect.fn("SignIn.login")(function* (options: {
    readonly email: string
    readonly password: Redacted.Redacted
    /** From where, as a keyed hash. */
    readonly addressHash: string
    readonly organizationId?: string | undefined
  }) {
    const user = yield* store.findUser(options.email)
    const hash = user?.passwordHash ?? null
    const isSame = yield* hashing(() => isSamePassword(options.password, hash))
    if (user === undefined || !isSame) return yield* new SignInRefused()
    const { organizationId } = options
    return yield* transaction(
      Effect.tap(
        begin({ userId: user.userId, organizationId, action: "user.logged_in" }),
        store.keepAddress(user.userId, options.addressHash),
      ),
    )
  })

  const refresh = Effect.fn("SignIn.refresh")(function* (options: {
    readonly refreshToken: Redacted.Redacted
    readonly organizationId?: string | undefined
  }) {
    const token = readRefreshToken(options.refreshToken)
    if (token === undefined) return yield* new SignInRefused()
    const { chainId, digest } = token
    // What ends a chain must stay, so it is an answer of the transaction and not its failure.
    const answer = yield* transaction(
      Effect.gen(function* () {
        const chain = yield* store.lockChain(chainId)
        if (chain === undefined) return undefined
        const { userId } = chain
        if (!chain.isValid || !timingSafeEqual(chain.digest, digest)) {
          yield* store.endChains(userId, chainId)
          const action = chain.isValid ? "user.token_reused" : "user.token_expired"
          yield* Effect.option(memberOf({ userId, organizationId: undefined, action }))
          return undefined
        }
        const { organizationId } = options
        const member = yield* memberOf({ userId, organizationId, action: "user.token_refreshed" })
        const refreshToken = makeRefreshToken(chainId)
        yield* store.moveChain(chainId, readRefreshToken(refreshToken)!.digest)
        const { accessToken } = yield* tokens.issue(member)
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

  const acceptInvite = Effect.fn("SignIn.acceptInvite")(function* (options: {
    readonly token: Redacted.Redacted
    readonly password: Redacted.Redacted
    readonly name?: string | undefined
  }) {
    const digest = inviteTokenDigest(options.token)
    const invited = yield* store.findInvited(digest)
    if (Option.isNone(invited)) return yield* new SignInRefused()
    const { userId } = invited.value
    const passwordHash = yield* hashing(() => hashPassword(options.password))
    return yield* transaction(
      Effect.gen(function* () {
        if (!(yield* store.takeInvitation(digest))) return yield* new SignInRefused()
        yield* store.setPassword({ id: userId, passwordHash, name: options.name })
        return yield* begin({ userId, organizationId: undefined, action: "user.invite_accepted" })
      }),
    )
  })

  /** The chain of a token that is good for an exchange. */
  const chainOf = Effect.fnUntraced(function* (refreshToken: Redacted.Redacted) {
    const token = readRefreshToken(refreshToken)
    const digest = token === undefined ? undefined : yield* store.digestOfChain(token.chainId)
    return token !== undefined && digest !== undefined && timingSafeEqual(digest, token.digest)
      ? Option.some(token.chainId)
      : Option.none()
  })

  return {
    login,
    refresh,
    logout,
    acceptInvite,
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
