// Invitations, and who owns an account (spec 5.12, 5.13). The inviting member also gets a token, so that one proves
// nothing. Three things prove an address: the token sent only by email, a token from the operator, and a token of the
// external issuer. Whoever proves the address of an unproven account takes it over.
import { Context, Effect, Layer, type Redacted } from "effect"
import { afterCommit } from "../../platform/database/transaction.ts"
import { Mail, type MailMessage } from "../../platform/outbound/mail/mail.ts"
import { AccessConfig } from "../access-config.ts"
import { Audit } from "../audit/audit.ts"
import type { Actor } from "../audit/store.ts"
import type { Role } from "../role.ts"
import { AccessStore } from "../store.ts"
import { invitationMail, inviteTokenDigest, makeInviteToken } from "./invitation.ts"
import { type Account, type Membership, MemberStore } from "./store.ts"

export interface Invitation {
  readonly organizationId: string
  readonly role: Role
  /** For the inviting member, or the operator. */
  readonly token: Redacted.Redacted
  /** Send it after the commit; undefined without email. */
  readonly letter: MailMessage | undefined
}

/** Invitations sent when an account is taken over; other memberships must be added again. */
const lettersMax = 20

const make = Effect.gen(function* () {
  const store = yield* MemberStore
  const { transaction } = yield* AccessStore
  const audit = yield* Audit
  const mail = yield* Mail
  const { baseUrl, hasConsole } = yield* AccessConfig

  const invite = Effect.fnUntraced(function* (
    member: Membership & { readonly email: string; readonly role: Role },
    { isVouched }: { readonly isVouched: boolean },
  ): Effect.fn.Return<Invitation> {
    const { email, organizationId, role } = member
    const token = makeInviteToken()
    const mailed = mail.isConfigured ? makeInviteToken() : undefined
    yield* store.invite(member, {
      digest: inviteTokenDigest(token),
      mailDigest: mailed === undefined ? undefined : inviteTokenDigest(mailed),
      isVouched,
    })
    const organizationName = yield* store.organizationName(organizationId)
    const letter =
      mailed === undefined
        ? undefined
        : invitationMail({ email, role, organizationName, baseUrl, hasConsole, token: mailed })
    return { organizationId, role, token, letter }
  })

  const send = (invitations: ReadonlyArray<Invitation>) =>
    Effect.forEach(
      invitations,
      ({ letter }) => (letter === undefined ? Effect.void : afterCommit(mail.post(letter))),
      { discard: true },
    )

  const takeOver = Effect.fn("Invitations.takeOver")(function* (
    { email, userId }: Pick<Account, "userId" | "email">,
    by: Actor,
    except?: string,
  ) {
    for (const organizationId of yield* store.release(userId, except)) {
      yield* audit.record({ organizationId, actor: by }, "member.reset", userId)
    }
    const isVouched = by.type === "operator"
    const invited: Array<Invitation> = []
    for (const { isInvited, organizationId, role } of yield* store.pending(userId)) {
      const isSent = mail.isConfigured && !isInvited && invited.length < lettersMax
      if (!isVouched && !isSent) continue
      invited.push(yield* invite({ organizationId, userId, email, role }, { isVouched }))
    }
    return invited
  })

  const proveByIssuer = Effect.fn("Invitations.proveByIssuer")(function* (key: {
    readonly email: string
    readonly organizationId: string | undefined
  }) {
    const invited = yield* transaction(
      Effect.gen(function* () {
        const before = yield* store.account(key)
        if (before === undefined) return []
        const { email, userId } = before
        yield* store.lockUser(userId)
        const actor = { type: "user", id: userId } as const
        const account = (yield* store.account(key))!
        const invitations =
          account.isProven || !account.hasPassword ? [] : yield* takeOver({ email, userId }, actor)
        yield* store.setProven(userId)
        const { organizationId } = (yield* store.account(key))!
        if (organizationId === null || !(yield* store.accept({ organizationId, userId }))) {
          return invitations
        }
        yield* audit.record({ organizationId, actor }, "user.invite_accepted", userId)
        return invitations.filter((one) => one.organizationId !== organizationId)
      }),
    )
    yield* send(invited)
  })

  return { invite, send, takeOver, proveByIssuer }
})

export class Invitations extends Context.Service<
  Invitations,
  {
    /** Replaces the membership's invitation. Runs in the caller's transaction. */
    invite(
      member: Membership & { readonly email: string; readonly role: Role },
      options: { readonly isVouched: boolean },
    ): Effect.Effect<Invitation>
    send(invitations: ReadonlyArray<Invitation>): Effect.Effect<void>
    /**
     * Ends every session of an account and makes its memberships pending again. Returns the new invitations; without
     * email only the operator gets any. Runs in the caller's transaction. `except`: an organization that is being
     * accepted.
     */
    takeOver(
      account: Pick<Account, "userId" | "email">,
      by: Actor,
      except?: string,
    ): Effect.Effect<ReadonlyArray<Invitation>>
    /** A token of the external issuer proves the address, so its owner joins the organization they requested. */
    proveByIssuer(key: {
      readonly email: string
      readonly organizationId: string | undefined
    }): Effect.Effect<void>
  }
>()("@footfall/server/access/Invitations") {
  static readonly layer = Layer.effect(Invitations, make)
}
