// Organizations: a user lists their own and creates new ones, admins change settings, the operator changes status and
// limits (spec 2.21, 4.6, 5.13).
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import type { CursorRefused } from "../../platform/lists/cursor.ts"
import { KeyedLists, type ListPage, type ListPosition } from "../../platform/lists/keyed-lists.ts"
import { Audit } from "../audit/audit.ts"
import type { Caller } from "../caller.ts"
import { MemberStore } from "../members/store.ts"
import { mayBecome, mayUse, type Organization, type OrganizationStatus } from "../organization.ts"
import { AccessStore } from "../store.ts"
import {
  type OperatorSettings,
  type OrganizationPatch,
  OrganizationStore,
  type SetOrganization,
} from "./store.ts"

export class SlugTaken extends Schema.TaggedError<SlugTaken>()("SlugTaken", {
  slug: Schema.String,
}) {}
/** How many organizations a user may own when they create one more: `ORGANIZATIONS_PER_USER`. */ // spec 10.3
export const OrganizationsPerUser = Context.Reference<number>(
  "@footfall/server/access/OrganizationsPerUser",
  { defaultValue: () => 5 },
)

export class OrganizationLimitReached extends Schema.TaggedError<OrganizationLimitReached>()(
  "OrganizationLimitReached",
  { limit: Schema.Int },
) {}
export class TimeZoneUnknown extends Schema.TaggedError<TimeZoneUnknown>()("TimeZoneUnknown", {
  timeZone: Schema.String,
}) {}
export class OrganizationNotFound extends Schema.TaggedError<OrganizationNotFound>()(
  "OrganizationNotFound",
  { organizationId: Schema.String },
) {
  override get message(): string {
    return `No organization found with id ${this.organizationId}. List them: footfall-server keys list`
  }
}
export class StatusUnreachable extends Schema.TaggedError<StatusUnreachable>()(
  "StatusUnreachable",
  { from: Schema.String, to: Schema.String },
) {
  override get message(): string {
    return `An organization that is ${this.from} can only become active, not ${this.to}.`
  }
}

/** Lets a later room react in the transaction that changes what an organization may use. */
export class OrganizationStanding extends Context.Service<
  OrganizationStanding,
  { changed(organizationId: string, standing: "usable" | "unusable"): Effect.Effect<void> }
>()("@footfall/server/access/OrganizationStanding") {}

const make = Effect.gen(function* () {
  const store = yield* OrganizationStore
  const members = yield* MemberStore
  const { transaction } = yield* AccessStore
  const audit = yield* Audit
  const standing = yield* OrganizationStanding
  const lists = yield* KeyedLists
  const random = yield* SecureRandom.SecureRandom

  const ownedMax = yield* OrganizationsPerUser

  const create = Effect.fn("Organizations.create")(function* (options: {
    readonly name: string
    readonly slug: string
    readonly userId: string
  }) {
    const { name, slug, userId } = options
    const id = yield* random.uuidV4()
    return yield* transaction(
      Effect.gen(function* () {
        if ((yield* store.lockOwned(userId)) >= ownedMax) {
          return yield* new OrganizationLimitReached({ limit: ownedMax })
        }
        if (!(yield* store.insert({ id, name, slug, createdBy: userId })))
          return yield* new SlugTaken({ slug })
        yield* members.insert({ organizationId: id, userId, role: "owner", isAccepted: true })
        const actor = { type: "user", id: userId } as const
        yield* audit.record({ organizationId: id, actor }, "organization.created", null)
        return yield* store.get(id)
      }),
    )
  })

  const spellingOf = Effect.fnUntraced(function* (timeZone: string | undefined) {
    if (timeZone === undefined) return undefined
    return (yield* store.findTimeZone(timeZone)) ?? (yield* new TimeZoneUnknown({ timeZone }))
  })

  const update = Effect.fn("Organizations.update")(function* (
    caller: Caller,
    patch: OrganizationPatch,
  ) {
    const { organizationId } = caller
    const timeZone = yield* spellingOf(patch.timeZone)
    return yield* transaction(
      Effect.gen(function* () {
        yield* store.update(organizationId, { ...patch, timeZone })
        yield* audit.record(caller, "organization.updated", null)
        return yield* store.get(organizationId)
      }),
    )
  })

  const moveTo = Effect.fnUntraced(function* (
    id: string,
    from: OrganizationStatus,
    to: OrganizationStatus,
  ) {
    if (from === to) return
    if (!mayBecome(from, to)) return yield* new StatusUnreachable({ from, to })
    yield* standing.changed(id, mayUse(to) ? "usable" : "unusable")
  })

  const set = Effect.fn("Organizations.set")(function* (
    organizationId: string,
    settings: OperatorSettings,
  ) {
    const id = organizationId.toLowerCase()
    return yield* transaction(
      Effect.gen(function* () {
        const status = Option.getOrUndefined(yield* store.lockStatus(id))
        if (status === undefined) return yield* new OrganizationNotFound({ organizationId })
        yield* moveTo(id, status, settings.status ?? status)
        const actor = { type: "operator" } as const
        yield* audit.record({ organizationId: id, actor }, "organization.updated", null)
        return yield* store.set(id, settings)
      }),
    )
  })

  const list = ({ actor, organizationId }: Caller, position: ListPosition, limit: number) =>
    lists.page(
      { organizationId, route: "organizations", filters: [actor.id], position, limit },
      {
        rows: (start, rowsMax) => store.page(actor.id, start, rowsMax),
        count: () => store.count(actor.id),
        keyOf: ({ createdText, id }) => [createdText, id],
      },
    )

  return { list, get: store.get, create, update, set }
})

export class Organizations extends Context.Service<
  Organizations,
  {
    /** The organizations of the caller's user, newest first. */ // spec 1.6
    list(
      caller: Caller,
      position: ListPosition,
      limit: number,
    ): Effect.Effect<ListPage<Organization>, CursorRefused>
    /** The organization must exist. */
    get(organizationId: string): Effect.Effect<Organization>
    /** The user becomes its owner. Fails with SlugTaken or OrganizationLimitReached. */
    create(options: {
      readonly name: string
      readonly slug: string
      readonly userId: string
    }): Effect.Effect<Organization, SlugTaken | OrganizationLimitReached>
    /** Fails with TimeZoneUnknown if the database does not know the zone. */
    update(caller: Caller, patch: OrganizationPatch): Effect.Effect<Organization, TimeZoneUnknown>
    /**
     * Sets what only the operator may set; pixels follow the status.
     *
     * *Errors*: OrganizationNotFound, StatusUnreachable.
     */ // spec 4.6
    set(
      organizationId: string,
      settings: OperatorSettings,
    ): Effect.Effect<SetOrganization, OrganizationNotFound | StatusUnreachable>
  }
>()("@footfall/server/access/Organizations") {
  static readonly layer = Layer.effect(Organizations, make)
}
