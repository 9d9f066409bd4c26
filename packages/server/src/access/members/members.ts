// Lists, adds and removes an organization's members, and changes their roles (spec 5.13). Only an owner can grant or
// remove the role `owner`, and the last owner stays. Changes to one organization's members run one at a time, so two
// owners can't remove each other. Each change reads the caller's role in its own transaction, so a member who was just
// removed can't change anything.
import { Context, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import type { CursorRefused } from "../../platform/lists/cursor.ts"
import { KeyedLists, type ListPage, type ListPosition } from "../../platform/lists/keyed-lists.ts"
import { Audit } from "../audit/audit.ts"
import type { Actor } from "../audit/store.ts"
import { AdminRequired, isAtLeast, type Role } from "../role.ts"
import { AccessStore } from "../store.ts"
import { type Invitation, Invitations } from "./invitations.ts"
import { type MemberRow, type Membership, MemberStore } from "./store.ts"

export class MemberNotFound extends Schema.TaggedError<MemberNotFound>()("MemberNotFound", {}) {}
export class AlreadyMember extends Schema.TaggedError<AlreadyMember>()("AlreadyMember", {
  email: Schema.String,
}) {
  override get message(): string {
    return `${this.email} is already a member or has an open invitation.`
  }
}
export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {
  email: Schema.String,
}) {
  override get message(): string {
    return `${this.email} has no account.`
  }
}
export class InvitationAccepted extends Schema.TaggedError<InvitationAccepted>()(
  "InvitationAccepted",
  {},
) {}
export class LastOwner extends Schema.TaggedError<LastOwner>()("LastOwner", {}) {}
export class OwnerRequired extends Schema.TaggedError<OwnerRequired>()("OwnerRequired", {}) {}

/** Who changes members, and their role. An operator has the rights of an owner. */
export interface MemberChanger {
  readonly actor: Actor
  readonly role: Role
}

export interface InvitedMember {
  readonly member: MemberRow
  /** The invitation's token. Only the account's owner can accept it. */
  readonly inviteToken: Redacted.Redacted
  /** Whether the invitation is also sent by email, with another token. */
  readonly emailSent: boolean
}

const make = Effect.gen(function* () {
  const store = yield* MemberStore
  const { lockOrganization, roleOf, transaction } = yield* AccessStore
  const audit = yield* Audit
  const lists = yield* KeyedLists
  const invitations = yield* Invitations
  const random = yield* SecureRandom.SecureRandom

  /** Starts a change. Returns the caller's current role, whatever it was when the request arrived. */
  const begin = Effect.fnUntraced(function* (
    organizationId: string,
    { actor, role }: MemberChanger,
  ) {
    yield* lockOrganization(organizationId)
    if (actor.type !== "user") return role
    const current = yield* roleOf(organizationId, actor.id)
    return current !== undefined && isAtLeast(current, "admin")
      ? current
      : yield* new AdminRequired()
  })

  /** Replaces the member's invitation. It is mailed after the commit. */
  const invited = Effect.fnUntraced(function* (
    organizationId: string,
    member: MemberRow,
    by: Actor,
  ): Effect.fn.Return<InvitedMember> {
    const invitation = yield* invitations.invite(
      { ...member, organizationId },
      { isVouched: by.type === "operator" },
    )
    yield* invitations.send([invitation])
    return { member, inviteToken: invitation.token, emailSent: invitation.letter !== undefined }
  })

  const add = Effect.fn("Members.add")(function* (options: {
    readonly organizationId: string
    /** In normal form. */
    readonly email: string
    readonly role: Role
    readonly by: MemberChanger
  }): Effect.fn.Return<InvitedMember, AdminRequired | AlreadyMember | OwnerRequired> {
    const { by, email, organizationId, role } = options
    const id = yield* random.uuidV4()
    return yield* transaction(
      Effect.gen(function* () {
        const changer = yield* begin(organizationId, by)
        if (role === "owner" && changer !== "owner") return yield* new OwnerRequired()
        yield* store.insertUser({ id, email })
        const membership = { organizationId, userId: yield* store.userOf(email) }
        if (!(yield* store.insert({ ...membership, role, isAccepted: false }))) {
          return yield* new AlreadyMember({ email })
        }
        const member = Option.getOrThrow(yield* store.get(membership))
        yield* audit.record({ organizationId, actor: by.actor }, "member.added", membership.userId)
        return yield* invited(organizationId, member, by.actor)
      }),
    )
  })

  const invite = Effect.fn("Members.invite")(function* (
    membership: Membership,
    { actor, role }: MemberChanger,
  ) {
    const { organizationId, userId } = membership
    return yield* transaction(
      Effect.gen(function* () {
        if (Option.isNone(yield* store.get(membership))) return yield* new MemberNotFound()
        // Accepting locks in this order too, so it happens either before or after.
        yield* store.lockUser(userId)
        const changer = yield* begin(organizationId, { actor, role })
        const member = Option.getOrUndefined(yield* store.get(membership))
        if (member === undefined) return yield* new MemberNotFound()
        if (member.role === "owner" && changer !== "owner") return yield* new OwnerRequired()
        if (member.status === "active") return yield* new InvitationAccepted()
        yield* audit.record({ organizationId, actor }, "member.invited", userId)
        return yield* invited(organizationId, member, actor)
      }),
    )
  })

  /**
   * Returns the member to change, if the change is allowed. `becomes`: the new role; undefined to remove the member.
   */
  const changeable = Effect.fnUntraced(function* (
    membership: Membership,
    by: MemberChanger,
    becomes: Role | undefined,
  ) {
    const changer = yield* begin(membership.organizationId, by)
    const member = Option.getOrUndefined(yield* store.get(membership))
    if (member === undefined) return yield* new MemberNotFound()
    const isOwner = member.role === "owner"
    if ((isOwner || becomes === "owner") && changer !== "owner") return yield* new OwnerRequired()
    if (isOwner && becomes !== "owner" && !(yield* store.hasOtherOwner(membership))) {
      return yield* new LastOwner()
    }
    return member
  })

  const setRole = Effect.fn("Members.setRole")(function* (
    membership: Membership,
    role: Role,
    by: MemberChanger,
  ) {
    const author = { organizationId: membership.organizationId, actor: by.actor }
    return yield* transaction(
      Effect.gen(function* () {
        const member = yield* changeable(membership, by, role)
        if (member.role === role) return member
        yield* store.setRole({ ...membership, role })
        yield* audit.record(author, "member.updated", membership.userId)
        return { ...member, role }
      }),
    )
  })

  const remove = Effect.fn("Members.remove")(function* (membership: Membership, by: MemberChanger) {
    const author = { organizationId: membership.organizationId, actor: by.actor }
    yield* transaction(
      Effect.gen(function* () {
        yield* changeable(membership, by, undefined)
        yield* store.remove(membership)
        yield* audit.record(author, "member.removed", membership.userId)
      }),
    )
  })

  const reset = Effect.fn("Members.reset")(function* (email: string) {
    return yield* transaction(
      Effect.gen(function* () {
        const account = yield* store.account({ email, organizationId: undefined })
        if (account === undefined) return yield* new AccountNotFound({ email })
        yield* store.lockUser(account.userId)
        return yield* invitations.takeOver(account, { type: "operator" })
      }),
    )
  })

  const list = (organizationId: string, position: ListPosition, limit: number) =>
    lists.page(
      { organizationId, route: "members", filters: [], position, limit },
      {
        rows: (start, rowsMax) => store.page(organizationId, start, rowsMax),
        count: () => store.count(organizationId),
        keyOf: ({ createdText, userId }) => [createdText, userId],
      },
    )

  return { add, invite, setRole, remove, reset, list }
})

export class Members extends Context.Service<
  Members,
  {
    /** Newest first. */ // spec 1.6
    list(
      organizationId: string,
      position: ListPosition,
      limit: number,
    ): Effect.Effect<ListPage<MemberRow>, CursorRefused>
    /**
     * The membership is pending until its user accepts the invitation, which is also sent by email if SMTP is
     * configured. Fails with AlreadyMember, AdminRequired, or OwnerRequired if only an owner may grant the role.
     */
    add(options: {
      readonly organizationId: string
      readonly email: string
      readonly role: Role
      readonly by: MemberChanger
    }): Effect.Effect<InvitedMember, AdminRequired | AlreadyMember | OwnerRequired>
    /**
     * Invites a pending member again, as `add` does. Earlier invitations of this membership stop working. Fails with
     * MemberNotFound, AdminRequired, OwnerRequired if the member would be an owner, or InvitationAccepted.
     */
    invite(
      membership: Membership,
      by: MemberChanger,
    ): Effect.Effect<
      InvitedMember,
      AdminRequired | MemberNotFound | OwnerRequired | InvitationAccepted
    >
    /** Fails with MemberNotFound, OwnerRequired, AdminRequired, or LastOwner if there is no other owner. */
    setRole(
      membership: Membership,
      role: Role,
      by: MemberChanger,
    ): Effect.Effect<MemberRow, AdminRequired | MemberNotFound | OwnerRequired | LastOwner>
    /** Fails like `setRole`. */
    remove(
      membership: Membership,
      by: MemberChanger,
    ): Effect.Effect<void, AdminRequired | MemberNotFound | OwnerRequired | LastOwner>
    /**
     * Takes an account away from its user: removes password and sessions and makes every membership pending again.
     * Returns the invitations. For operators.
     */
    reset(email: string): Effect.Effect<ReadonlyArray<Invitation>, AccountNotFound>
  }
>()("@footfall/server/access/Members") {
  static readonly layer = Layer.effect(Members, make)
}
