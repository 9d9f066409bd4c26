// Lists and their members (spec 2.22, 5.17). Each write is one transaction with its audit entry.
import { Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Audit } from "../../access/audit/audit.ts"
import type { Caller } from "../../access/caller.ts"
import type { CursorRefused } from "../../platform/lists/cursor.ts"
import { makePartyTurns } from "../../platform/jobs/fair-turns.ts"
import { KeyedLists, type ListPage, type ListPosition } from "../../platform/lists/keyed-lists.ts"
import { Tombstones } from "../person/tombstones/tombstones.ts"
import {
  listsMax,
  type ListSubject,
  readValues,
  type Submission,
  valuesMax,
  withoutErased,
} from "./list.ts"
import { type ListRow, ListStore, type MemberRow } from "./store.ts"

export class ListNotFound extends Schema.TaggedError<ListNotFound>()("ListNotFound", {}) {}

/** The organization has the most lists it may have. */
export class TooManyLists extends Schema.TaggedError<TooManyLists>()("TooManyLists", {}) {}

/** The values would make the list too large; `size`: how many it would have. */
export class ListFull extends Schema.TaggedError<ListFull>()("ListFull", { size: Schema.Int }) {}

/** A list would be replaced by values none of which is valid, which is probably the wrong file. */
export class NoValidValues extends Schema.TaggedError<NoValidValues>()("NoValidValues", {
  received: Schema.Int,
}) {}

/** No turn became free within the maximum wait. */
export class ListsBusy extends Schema.TaggedError<ListsBusy>()("ListsBusy", {}) {}

/** Segments test the list, webhooks send only what is in it, or sources mirror it. */
export class ListInUse extends Schema.TaggedError<ListInUse>()("ListInUse", {
  segmentIds: Schema.Array(Schema.String),
  webhookIds: Schema.Array(Schema.String),
  suppressionSourceIds: Schema.Array(Schema.String),
  /** Whether the organization's score tests it. */
  score: Schema.Boolean,
}) {}

// Prevents deleting a list that is in use. A later room implements it for its webhooks.
export class ListUse extends Context.Service<
  ListUse,
  {
    /** Ids of the webhooks that use the list. Runs in the caller's transaction. */
    webhooks(organizationId: string, listId: string): Effect.Effect<ReadonlyArray<string>>
  }
>()("@footfall/server/lists/ListUse") {}

/**
 * Writes to a list wait for one another. They wait here, because in the database each of them would hold a connection
 * that other organizations need.
 */
const writes = { turns: 3, turnsOfOne: 1, wait: "10 seconds", busy: () => new ListsBusy() } as const

export interface MembersWritten extends Pick<Submission, "rejected" | "rejectedCount"> {
  readonly added: number
  /** Values that were in the list, or that repeat one of the request. */
  readonly present: number
  readonly removed: number
  readonly size: number
}

const make = Effect.gen(function* () {
  const store = yield* ListStore
  const use = yield* ListUse
  const lists = yield* KeyedLists
  const audit = yield* Audit
  const tombstones = yield* Tombstones
  const random = yield* SecureRandom.SecureRandom
  const turns = yield* makePartyTurns(writes)

  /** Changes a list in one transaction, after other changes of the organization. */
  const change = <A, E extends { readonly _tag: string }>(
    { organizationId }: Caller,
    effect: Effect.Effect<A, E>,
  ) => turns.run(organizationId, store.transaction(effect))

  const create = Effect.fn("Lists.create")(function* (
    caller: Caller,
    { name, subject }: { readonly name: string; readonly subject: ListSubject },
  ) {
    const { organizationId } = caller
    const id = yield* random.uuidV4()
    return yield* change(
      caller,
      Effect.gen(function* () {
        if ((yield* store.countForInsert(organizationId)) >= listsMax)
          return yield* new TooManyLists()
        const created = yield* store.insert({ organizationId, id, name, subject })
        yield* audit.record(caller, "list.created", id)
        return created
      }),
    )
  })

  const find = Effect.fn("Lists.find")(function* (organizationId: string, listId: string) {
    return (yield* store.find({ organizationId, id: listId })) ?? (yield* new ListNotFound())
  })

  const locked = Effect.fnUntraced(function* (
    { organizationId }: Caller,
    listId: string,
    what: "deletion" | "change" = "change",
  ) {
    return (yield* store.lock({ organizationId, id: listId }, what)) ?? (yield* new ListNotFound())
  })

  const rename = Effect.fn("Lists.rename")(function* (
    caller: Caller,
    listId: string,
    name: string,
  ) {
    const renaming = Effect.gen(function* () {
      const found = yield* locked(caller, listId)
      if (found.name === name) return found
      yield* audit.record(caller, "list.updated", listId)
      return yield* store.rename(found, name)
    })
    return yield* change(caller, renaming)
  })

  /**
   * Fails with ListNotFound, also on the second call; with ListInUse while a segment or the score tests it or a webhook uses it;
   * with ListsBusy. Guarantee: none ever loses its list, whatever the order of concurrent requests.
   */
  const remove = Effect.fn("Lists.delete")(function* (caller: Caller, listId: string) {
    const removal = Effect.gen(function* () {
      const found = yield* locked(caller, listId, "deletion")
      const segmentIds = yield* store.segmentsUsing(found)
      const webhookIds = yield* use.webhooks(caller.organizationId, found.id)
      const suppressionSourceIds = yield* store.sourcesUsing(found)
      const score = yield* store.isScoreUsing(found)
      if (segmentIds.length + webhookIds.length + suppressionSourceIds.length > 0 || score) {
        return yield* new ListInUse({ segmentIds, webhookIds, suppressionSourceIds, score })
      }
      yield* store.delete(found)
      yield* audit.record(caller, "list.deleted", listId)
    })
    yield* change(caller, removal)
  })

  /** Without people whom the organization erased. Runs in its turn, so that no erasure is in progress. */
  const acceptable = Effect.fnUntraced(function* (
    { organizationId, subject }: ListRow,
    submission: Submission,
  ) {
    if (subject === "companies") return submission
    const erased = yield* tombstones.among(
      submission.members.map(({ key }) => ({ organizationId, emailHash: key })),
    )
    return withoutErased(submission, new Set(erased.map(({ emailHash }) => emailHash)))
  })

  /**
   * Adds values; `others` also removes all others. An invalid value is reported and doesn't reject the others.
   * *Errors*: ListNotFound; ListsBusy; ListFull and NoValidValues, and nothing is stored. *Guarantee*: a repeat changes
   * nothing.
   */
  const write = Effect.fnUntraced(function* (
    caller: Caller,
    listId: string,
    values: ReadonlyArray<unknown>,
    others: "keep" | "remove",
  ): Effect.fn.Return<MembersWritten, ListsBusy | ListNotFound | ListFull | NoValidValues> {
    const { organizationId } = caller
    const { subject } = yield* find(organizationId, listId)
    const submission = readValues(subject, values)
    if (others === "remove" && values.length > 0 && submission.members.length === 0) {
      return yield* new NoValidValues({ received: values.length })
    }
    const writing = Effect.gen(function* () {
      if (subject === "people") yield* store.waitForTurn(organizationId)
      const found = yield* locked(caller, listId)
      const { members, rejected, rejectedCount } = yield* acceptable(found, submission)
      const removed = others === "keep" ? 0 : yield* store.removeMembers(found, "others", members)
      yield* store.holdMembers(found, members)
      const added = yield* store.addMembers(found, members)
      const size = found.size + added - removed
      if (size > valuesMax) return yield* new ListFull({ size })
      if (added + removed > 0) {
        yield* store.resize(found, size)
        yield* audit.record(caller, "list.members_changed", listId)
      }
      const present = values.length - rejectedCount - added
      return { added, present, removed, rejectedCount, rejected, size }
    })
    return yield* change(caller, writing)
  })

  const removeMembers = Effect.fn("Lists.removeMembers")(function* (
    caller: Caller,
    listId: string,
    values: ReadonlyArray<unknown>,
  ) {
    const removal = Effect.gen(function* () {
      const found = yield* locked(caller, listId)
      const { members } = readValues(found.subject, values)
      const removed = yield* store.removeMembers(found, "named", members)
      if (removed > 0) {
        yield* store.resize(found, found.size - removed)
        yield* audit.record(caller, "list.members_changed", listId)
      }
      return { removed, size: found.size - removed }
    })
    return yield* change(caller, removal)
  })

  /** By value. Errors: ListNotFound; CursorRefused. */
  const members = (
    organizationId: string,
    listId: string,
    {
      limit,
      position,
      text,
    }: {
      /** Part of a value, in lower case. */
      readonly text: string | undefined
      readonly position: ListPosition
      readonly limit: number
    },
  ): Effect.Effect<ListPage<MemberRow>, CursorRefused | ListNotFound> => {
    const key = { organizationId, id: listId.toLowerCase() }
    return lists.page<MemberRow, ListNotFound>(
      {
        organizationId,
        route: "GET /v1/data/lists/{listId}/members",
        filters: [key.id, text ?? null],
        position,
        limit,
      },
      {
        parent: find(organizationId, listId),
        rows: (start, rowsMax) => store.members(key, { start, text }, rowsMax),
        count: () => Effect.succeed(null),
        keyOf: ({ value }) => [value],
      },
    )
  }

  return {
    /** Runs a write when the organization gets a turn. Fails with ListsBusy. */
    inTurn: turns.run,
    /** Newest first. Errors: CursorRefused for another list's cursor. */
    list: (
      organizationId: string,
      position: ListPosition,
      limit: number,
    ): Effect.Effect<ListPage<ListRow>, CursorRefused> =>
      lists.page(
        { organizationId, route: "GET /v1/data/lists", filters: [], position, limit },
        store.list(organizationId),
      ),
    create,
    find,
    rename,
    delete: remove,
    members,
    addMembers: Effect.fn("Lists.addMembers")(
      (caller: Caller, listId: string, values: ReadonlyArray<unknown>) =>
        write(caller, listId, values, "keep"),
    ),
    replaceMembers: Effect.fn("Lists.replaceMembers")(
      (caller: Caller, listId: string, values: ReadonlyArray<unknown>) =>
        write(caller, listId, values, "remove"),
    ),
    removeMembers,
    /** The subjects of the given lists that exist. In a transaction, they can't be deleted until it ends. */
    subjects: store.subjects,
  }
})

export class Lists extends Context.Service<Lists, Effect.Success<typeof make>>()(
  "@footfall/server/lists/Lists",
) {
  static readonly layer = Layer.effect(Lists, make)
}
