// Suppression sources (spec 2.25, 5.21). Each write is one transaction with its audit entry.
import { Context, Effect, Layer, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Audit } from "../../access/audit/audit.ts"
import type { Caller } from "../../access/caller.ts"
import { PrivateAddressesAllowed } from "../../platform/outbound/outbound.ts"
import { readOutboundUrl } from "../../platform/outbound/outbound-url.ts"
import { UrlNotAllowed } from "../../platform/outbound/outbound-error.ts"
import { JobWakes } from "../../platform/jobs/queue.ts"
import { DataKeys } from "../../platform/secrets/data-keys.ts"
import { ListNotFound } from "../lists/lists.ts"
import { ListStore } from "../lists/store.ts"
import { RuleWrites } from "../suppression/rule-writes.ts"
import type { RuleType } from "../suppression/rule.ts"
import { sealHeaders } from "../../platform/secrets/sealed-headers.ts"
import { headersSealing, readHeaders } from "./headers.ts"
import { Mirror } from "./mirror.ts"
import {
  isOfService,
  type Schedule,
  type SourceKindName,
  SourceKinds,
  type SourcePeople,
  sourcesMax,
  type SourceService,
  syncQueue,
  typesOfList,
} from "./source.ts"
import { SourceStore } from "./store.ts"

export class SourceNotFound extends Schema.TaggedError<SourceNotFound>()("SourceNotFound", {}) {}

/** The organization has the most sources it may have. */
export class TooManySources extends Schema.TaggedError<TooManySources>()("TooManySources", {}) {}

/** Unknown, removed, or of another service. */
export class SourceAccountNotFound extends Schema.TaggedError<SourceAccountNotFound>()(
  "SourceAccountNotFound",
  {},
) {}

/** A field that a source of this kind needs, has no use for, or that is wrong. */
export class FieldRefused extends Schema.TaggedError<FieldRefused>()("FieldRefused", {
  field: Schema.String,
  message: Schema.String,
}) {}

/** `status`: what the source is, so that the request has no use. */
export class WrongStatus extends Schema.TaggedError<WrongStatus>()("WrongStatus", {
  status: Schema.String,
}) {}

interface Settings {
  readonly types?: ReadonlyArray<RuleType> | undefined
  readonly schedule?: Schedule | undefined
  readonly url?: string | undefined
  readonly column?: string | null | undefined
  readonly connectedAccountId?: string | undefined
  readonly people?: SourcePeople | undefined
}

export interface NewSource extends Settings {
  readonly name: string
  readonly kind: SourceKindName
  readonly listId?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface SourceChange extends Settings {
  readonly name?: string | undefined
  readonly status?: "active" | "paused" | undefined
  /** Of a service. Null: the whole account. */
  readonly listId?: string | null | undefined
  readonly headers?: Readonly<Record<string, string>> | null | undefined
}

const ofFiles = ["url", "column", "headers"] as const
const ofServices = ["connectedAccountId", "people"] as const

/** Fields that a kind has no use for. */
const needlessOf = (kind: SourceKindName): ReadonlyArray<string> => {
  if (kind === "url") return ["listId", ...ofServices]
  return kind === "list" ? [...ofFiles, ...ofServices] : ofFiles
}

const make = Effect.gen(function* () {
  const store = yield* SourceStore
  const kinds = yield* SourceKinds
  const mirror = yield* Mirror
  const lists = yield* ListStore
  const writes = yield* RuleWrites
  const wakes = yield* JobWakes
  const dataKeys = yield* DataKeys
  const audit = yield* Audit
  const random = yield* SecureRandom.SecureRandom
  const isPrivateAllowed = yield* PrivateAddressesAllowed

  const checkUrl = Effect.fnUntraced(function* (url: string) {
    const read = readOutboundUrl(url, { isPlainAllowed: false, isPrivateAllowed })
    if (Result.isFailure(read)) return yield* new UrlNotAllowed({ reason: read.failure.reason })
    return read.success.href
  })

  const refuse = (field: string, message: string) => new FieldRefused({ field, message })

  const checkedHeaders = Effect.fnUntraced(function* (headers: Readonly<Record<string, string>>) {
    const read = readHeaders(headers)
    return "refused" in read ? yield* refuse("headers", read.refused) : read.headers
  })

  const checkKind = Effect.fnUntraced(function* (
    kind: SourceKindName,
    given: Readonly<Record<string, unknown>>,
  ) {
    const needless = needlessOf(kind).find(
      // own keys: checked first.
      (field) => Object.hasOwn(given, field) && given[field] !== undefined,
    )
    if (needless !== undefined) {
      return yield* refuse(needless, `Expected no ${needless} for a source of kind ${kind}.`)
    }
  })

  /** The types of a list's rules. Runs in the transaction that stores them, so that the list stays. */
  const typesOf = Effect.fnUntraced(function* (
    organizationId: string,
    listId: string,
    types: ReadonlyArray<RuleType> | undefined,
  ) {
    const subject = (yield* lists.subjects(organizationId, [listId])).get(listId)
    if (subject === undefined) return yield* new ListNotFound()
    const possible: ReadonlyArray<RuleType> = typesOfList[subject]
    const wrong = types?.find((type) => !possible.includes(type))
    if (wrong !== undefined) {
      const message = `Expected ${possible.join(" or ")} for a list of ${subject}, received ${wrong}.`
      return yield* refuse("types", message)
    }
    return distinct(types ?? possible.slice(0, 1))
  })

  /** What a source of a service reads. Runs in the transaction that stores it, so that the account stays. */
  const checkService = Effect.fnUntraced(function* (
    organizationId: string,
    kind: SourceService,
    given: {
      readonly connectedAccountId: string | null
      readonly listId: string | null
      readonly types: ReadonlyArray<RuleType> | undefined
    },
  ) {
    const { connectedAccountId, listId, types } = given
    const wrong = types?.find((type) => type !== "email")
    if (wrong !== undefined) {
      const message = `Expected email for a source of kind ${kind}, received ${wrong}.`
      return yield* refuse("types", message)
    }
    if (connectedAccountId === null) {
      return yield* refuse("connectedAccountId", "Expected the id of a connected account.")
    }
    if (listId === null && kinds[kind].needsList) {
      return yield* refuse("listId", `Expected the id of a list: ${kind} has people on lists only.`)
    }
    if (!(yield* kinds[kind].holdAccount(organizationId, connectedAccountId))) {
      return yield* new SourceAccountNotFound()
    }
  })

  const create = Effect.fn("Sources.create")(function* (caller: Caller, source: NewSource) {
    const { organizationId } = caller
    const { headers: given = {}, kind, name, schedule = "daily" } = source
    // Ours are UUIDs. A service may tell upper and lower case apart.
    const listId = (kind === "list" ? source.listId?.toLowerCase() : source.listId) ?? null
    const connectedAccountId = source.connectedAccountId?.toLowerCase() ?? null
    yield* checkKind(kind, { ...source })
    const headers = yield* checkedHeaders(given)
    const url = source.url === undefined ? null : yield* checkUrl(source.url)
    if (kind === "url" && url === null) return yield* refuse("url", "Expected a URL.")
    if (kind === "url" && source.types === undefined) {
      return yield* refuse("types", "Expected the types of the rules in the file.")
    }
    if (kind === "list" && listId === null) {
      return yield* refuse("listId", "Expected the id of a list.")
    }
    if (kind === "list" && !isUuid(listId)) {
      return yield* refuse("listId", "Expected the id of a list: a UUID.")
    }
    const id = yield* random.uuidV4()
    const created = yield* lists.transaction(
      Effect.gen(function* () {
        if ((yield* store.countForInsert(organizationId)) >= sourcesMax) {
          return yield* new TooManySources()
        }
        const { types: given } = source
        if (isOfService(kind)) {
          yield* checkService(organizationId, kind, { connectedAccountId, listId, types: given })
        }
        const types =
          kind === "list"
            ? yield* typesOf(organizationId, listId!, given) // Checked before.
            : distinct(isOfService(kind) ? ["email"] : (given ?? []))
        yield* store.insert({
          organizationId,
          id,
          name,
          kind,
          types,
          schedule,
          url,
          listId,
          connectedAccountId,
          people: isOfService(kind) ? (source.people ?? "all") : null,
          column: source.column ?? null,
          headerNames: Object.keys(headers).toSorted(),
          headers: sealHeaders(dataKeys, headersSealing({ organizationId, id }), headers),
        })
        yield* audit.record(caller, "suppression_source.created", id)
        return yield* found(organizationId, id)
      }),
    )
    yield* wakes.wake(syncQueue)
    return created
  })

  const found = Effect.fnUntraced(function* (organizationId: string, id: string) {
    return (
      (yield* store.find({ organizationId, id: id.toLowerCase() })) ?? (yield* new SourceNotFound())
    )
  })

  const locked = Effect.fnUntraced(function* (organizationId: string, id: string) {
    const key = { organizationId, id: id.toLowerCase() }
    return (yield* store.findForChange(key)) ?? (yield* new SourceNotFound())
  })

  const update = Effect.fn("Sources.update")(function* (
    caller: Caller,
    id: string,
    change: SourceChange,
  ) {
    const { organizationId } = caller
    const headers =
      change.headers === undefined || change.headers === null
        ? change.headers === null
          ? {}
          : undefined
        : yield* checkedHeaders(change.headers)
    const url = change.url === undefined ? undefined : yield* checkUrl(change.url)
    const updated = yield* lists.transaction(
      Effect.gen(function* () {
        const before = yield* locked(organizationId, id)
        yield* checkKind(before.kind, { ...change })
        const { kind } = before
        if (kind === "list" && change.listId !== undefined) {
          return yield* refuse("listId", "Expected no listId: the list of a source never changes.")
        }
        const listId = change.listId === undefined ? before.listId : change.listId
        const connectedAccountId =
          change.connectedAccountId?.toLowerCase() ?? before.connectedAccountId
        const wanted = change.types ?? before.types
        if (isOfService(kind)) {
          yield* checkService(organizationId, kind, { connectedAccountId, listId, types: wanted })
        }
        const types =
          kind === "list" ? yield* typesOf(organizationId, listId!, wanted) : distinct(wanted)
        yield* store.update(before, {
          listId,
          connectedAccountId,
          people: change.people ?? before.people,
          name: change.name ?? before.name,
          types,
          schedule: change.schedule ?? before.schedule,
          url: url ?? before.url,
          column: change.column === undefined ? before.column : change.column,
          status: change.status ?? before.status,
          headerNames: headers === undefined ? before.headerNames : Object.keys(headers).toSorted(),
          headers:
            headers === undefined
              ? undefined
              : sealHeaders(dataKeys, headersSealing(before), headers),
        })
        yield* audit.record(caller, "suppression_source.updated", before.id)
        return yield* found(organizationId, id)
      }),
    )
    yield* wakes.wake(syncQueue)
    return updated
  })

  /** Fails with SourceNotFound, also on the second call; with RuleWritesBusy. */
  const remove = Effect.fn("Sources.delete")(function* (
    caller: Caller,
    id: string,
    rules: "keep" | "remove",
  ) {
    const { organizationId } = caller
    const removal = lists.transaction(
      Effect.gen(function* () {
        // In the order in which a sync locks them: the source first.
        const { id: sourceId } = yield* locked(organizationId, id)
        yield* mirror.leave({ organizationId, sourceId }, rules)
        if (!(yield* store.delete({ organizationId, id: sourceId }))) {
          return yield* new SourceNotFound()
        }
        yield* audit.record(caller, "suppression_source.deleted", sourceId)
      }),
    )
    yield* writes.run(organizationId, removal)
  })

  /** Makes the next sync due now. */
  const begin = (caller: Caller, id: string, { isApproved }: { readonly isApproved: boolean }) =>
    lists
      .transaction(
        Effect.gen(function* () {
          const { organizationId } = caller
          const source = yield* locked(organizationId, id)
          const { attention, status } = source
          if (isApproved ? status !== "needs_attention" : status === "paused") {
            return yield* new WrongStatus({ status })
          }
          yield* store.approve(source, isApproved ? (attention?.removals ?? null) : null)
          const action = isApproved ? "approved" : "sync_requested"
          yield* audit.record(caller, `suppression_source.${action}`, source.id)
          return yield* found(organizationId, id)
        }),
      )
      .pipe(Effect.tap(() => wakes.wake(syncQueue)))

  return {
    /** Newest first. */
    list: store.all,
    find: found,
    create,
    update,
    delete: remove,
    sync: (caller: Caller, id: string) => begin(caller, id, { isApproved: false }),
    approve: (caller: Caller, id: string) => begin(caller, id, { isApproved: true }),
  }
})

const isUuid = Schema.is(Schema.String.check(Schema.isUUID()))

const distinct = (types: ReadonlyArray<RuleType>): ReadonlyArray<RuleType> => [...new Set(types)]

export class Sources extends Context.Service<Sources, Effect.Success<typeof make>>()(
  "@footfall/server/suppression-sources/Sources",
) {
  static readonly layer = Layer.effect(Sources, make)
}
