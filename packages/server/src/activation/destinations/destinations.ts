// An audience's destinations: created as drafts, changed, activated, paused, deleted, tested (spec 2.15, 4.3, 5.10).
// Each change is one transaction with its audit entry. Network checks run before the transaction, and the change only
// applies to what was checked.
import { Context, Effect, Layer, Redacted, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { isDeepStrictEqual } from "node:util"
import { Audit } from "../../access/audit/audit.ts"
import type { Caller } from "../../access/caller.ts"
import type { Issue } from "../../platform/http/issues.ts"
import { DataKeys } from "../../platform/secrets/data-keys.ts"
import { openHeaders, sealHeaders } from "../../platform/secrets/sealed-headers.ts"
import { PrivateAddressesAllowed } from "../../platform/outbound/outbound.ts"
import { readOutboundUrl } from "../../platform/outbound/outbound-url.ts"
import { newWebhookSecret } from "../../platform/outbound/signing.ts"
import { Accounts, refuseUnhealthy } from "./accounts/accounts.ts"
import { AccountNotFound, AccountProbes } from "./accounts/probes.ts"
import { Approval, UrlRefused } from "./approval.ts"
import { connectors } from "./connectors/connectors.ts"
import {
  configHash,
  type DestinationConfig,
  destinationsPerAudienceMax,
  orderedEventTypes,
  timeoutMsDefault,
  validationPolicyDefault,
} from "./destination.ts"
import {
  type DestinationChange,
  foreignFields,
  missingFields,
  type NewDestination,
  templateIssues,
  unableIssues,
} from "./destination-request.ts"
import {
  type AudienceKey,
  type DestinationKey,
  type DestinationRow,
  DestinationStore,
} from "./store.ts"
import { automationConfig, bodyOf, changed, type Content, headersOf, textOf } from "./transition.ts"
import {
  type GivenHeaders,
  headerHashes,
  headersSealing,
  readHeaders,
  tooManyHeaders,
  withHeaders,
} from "./webhook-headers.ts"
import { type SecretOwner, sealSecret } from "./webhook-secret.ts"

/** No other response contains the secret. */
export interface WithSecret {
  readonly destination: DestinationRow
  readonly secret: Redacted.Redacted | null
}

const make = Effect.gen(function* () {
  const store = yield* DestinationStore
  const accounts = yield* Accounts
  const probes = yield* AccountProbes
  const approval = yield* Approval
  const audit = yield* Audit
  const dataKeys = yield* DataKeys
  const random = yield* SecureRandom.SecureRandom
  const isPrivateAllowed = yield* PrivateAddressesAllowed

  const find = Effect.fn("Destinations.find")(function* (key: DestinationKey) {
    return (yield* store.find(key)) ?? (yield* new DestinationNotFound())
  })

  /** Newest first. */
  const list = Effect.fn("Destinations.list")(function* (key: AudienceKey) {
    if ((yield* store.audience(key)) === undefined) return yield* new DestinationNotFound()
    return yield* store.list(key)
  })

  /** Literal addresses are checked when stored, hostnames when used. spec 1.9. */
  const checkUrl = Effect.fnUntraced(function* (url: string) {
    const read = readOutboundUrl(url, { isPlainAllowed: false, isPrivateAllowed })
    if (Result.isFailure(read)) return yield* new UrlRefused({ reason: read.failure.reason })
  })

  const refuseIssues = (issues: ReadonlyArray<Issue>) =>
    issues.length === 0 ? Effect.void : new FieldsInvalid({ issues })

  /** `headers`: as `readHeaders` returns them. */
  const configOf = Effect.fnUntraced(function* (
    owner: SecretOwner,
    given: NewDestination,
    headers: GivenHeaders,
  ) {
    const { organizationId } = owner
    // Required fields are present.
    if (given.destinationType === "webhook") {
      return {
        destinationType: given.destinationType,
        url: given.url!,
        eventTypes: orderedEventTypes(given.eventTypes!),
        timeoutMs: given.timeoutMs ?? timeoutMsDefault,
        ...headersOf(withHeaders({}, headerHashes(dataKeys, owner, headers))),
        ...bodyOf(given.body, textOf(given.template)),
      } satisfies DestinationConfig
    }
    const account = yield* accounts.find(organizationId, given.connectedAccountId!)
    const appSlug = given.appSlug!
    if (account.appSlug !== appSlug) return yield* new AccountNotFound()
    yield* refuseIssues(unableIssues(connectors[appSlug], given.config!))
    yield* refuseUnhealthy(account)
    yield* probes.connection(account)
    return {
      destinationType: given.destinationType,
      appSlug,
      connectedAccountId: account.id,
      config: automationConfig(appSlug, given.config!),
    } satisfies DestinationConfig
  })

  /** Creates a draft and sends nothing. *Guarantee*: at most 20 per audience, even with concurrent requests. */
  const create = Effect.fn("Destinations.create")(function* (
    caller: Caller,
    audienceId: string,
    given: NewDestination,
  ) {
    const { organizationId } = caller
    const { destinationType, name } = given
    const { headers, issues } = readHeaders(given.headers ?? {})
    const isWebhook = destinationType === "webhook"
    yield* refuseIssues([
      ...missingFields(destinationType, given),
      ...foreignFields(destinationType, given),
      ...(isWebhook
        ? [...issues, ...tooManyHeaders(headers), ...templateIssues(given, { isStored: false })]
        : []),
    ])
    if (given.url !== undefined) yield* checkUrl(given.url)
    if ((yield* store.audience({ organizationId, audienceId })) === undefined) {
      return yield* new DestinationNotFound()
    }
    const destinationId = yield* random.uuidV4()
    const key = { organizationId, audienceId, destinationId }
    const config = yield* configOf(key, given, headers)
    const validationPolicy = given.validationPolicy ?? validationPolicyDefault(destinationType)
    const secret = isWebhook ? yield* newWebhookSecret(random) : null
    const sealed = {
      secret: secret === null ? null : sealSecret(dataKeys, key, Redacted.value(secret)),
      headers: sealHeaders(dataKeys, headersSealing(key), withHeaders({}, headers)),
    }
    const insertion = Effect.gen(function* () {
      const total = yield* store.countForInsert(key)
      if (total === undefined) return yield* new DestinationNotFound()
      if (total >= destinationsPerAudienceMax) {
        return yield* new TooManyDestinations({ limit: destinationsPerAudienceMax })
      }
      const row = yield* store.insert(key, { config, name, validationPolicy }, sealed)
      yield* audit.record(caller, "destination.created", destinationId)
      return row
    })
    return { destination: yield* store.transaction(insertion), secret }
  })

  /** What a change makes of a destination, or what is wrong with it. */
  const changedTo = Effect.fnUntraced(function* (
    found: DestinationRow,
    { headers, ...change }: DestinationChange,
  ) {
    const { config } = found
    if (config.destinationType === "webhook") {
      const { body = config.body ?? "standard" } = change
      yield* refuseIssues(
        templateIssues({ ...change, body }, { isStored: config.template !== undefined }),
      )
    }
    // A path may spell the id in upper case, but what is sealed and hashed is bound to the stored text.
    const owner = { organizationId: found.organizationId, destinationId: found.id }
    const hashes = headers === undefined ? {} : headerHashes(dataKeys, owner, headers)
    const to = yield* Effect.fromResult(changed(contentOf(found), { ...change, headers: hashes }))
    const { config: wanted } = to.content
    yield* refuseIssues(wanted.destinationType === "webhook" ? tooManyHeaders(wanted.headers) : [])
    return to
  })

  /** Undefined if the destination changed after the network check. */
  const applied = (
    caller: Caller,
    key: DestinationKey,
    change: DestinationChange,
    approvedHash: string | undefined,
  ) =>
    Effect.gen(function* () {
      const found = yield* store.findForChange(key)
      if (found === undefined) return yield* new DestinationNotFound()
      const { content, isApproval, isWithdrawn } = yield* changedTo(found, change)
      if (isApproval && configHash(content.config) !== approvedHash) return undefined
      const present = contentOf(found)
      if (isDeepStrictEqual(content, present)) return found
      if (change.headers !== undefined) {
        const owner = { organizationId: found.organizationId, destinationId: found.id }
        const sealing = headersSealing(owner)
        const former = yield* openHeaders(dataKeys, sealing, yield* store.sealedHeaders(key))
        const headers = withHeaders(former, change.headers)
        yield* store.keepHeaders(key, sealHeaders(dataKeys, sealing, headers))
      }
      const updated = yield* store.update(key, content)
      if (isWithdrawn) yield* store.withdrawDeliveries(key)
      yield* audit.record(caller, "destination.updated", key.destinationId)
      return updated
    })

  /** Omitted fields do not change. *Guarantee*: concurrent changes to different fields are both kept. */
  const change = Effect.fn("Destinations.change")(function* (
    caller: Caller,
    keyOfPath: Omit<DestinationKey, "organizationId">,
    given: DestinationChange,
  ) {
    const { organizationId } = caller
    const key = { organizationId, ...keyOfPath }
    if (given.url !== undefined) yield* checkUrl(given.url)
    const { headers, issues } = readHeaders(given.headers ?? {})
    const change = given.headers === undefined ? given : { ...given, headers }
    for (;;) {
      const found = yield* find(key)
      yield* refuseIssues([...foreignFields(found.destinationType, change), ...issues])
      if (change.config !== undefined && found.config.destinationType === "automation") {
        yield* refuseIssues(unableIssues(connectors[found.config.appSlug], change.config))
      }
      const { content, isApproval } = yield* changedTo(found, change)
      if (isApproval) yield* approval.check(organizationId, content.config)
      const approvedHash = isApproval ? configHash(content.config) : undefined
      const updated = yield* store.transaction(applied(caller, key, change, approvedHash))
      // Each retry means that another request changed the destination in between.
      if (updated !== undefined) return updated
    }
  })

  /** Fails with DestinationNotFound, also on the second call. */
  const remove = Effect.fn("Destinations.delete")(function* (
    caller: Caller,
    keyOfPath: Omit<DestinationKey, "organizationId">,
  ) {
    const key = { organizationId: caller.organizationId, ...keyOfPath }
    const removal = Effect.gen(function* () {
      if ((yield* store.findForChange(key)) === undefined) return yield* new DestinationNotFound()
      yield* store.delete(key)
      yield* store.withdrawDeliveries(key)
      yield* audit.record(caller, "destination.deleted", key.destinationId)
    })
    yield* store.transaction(removal)
  })

  /** Creates a new secret. The current one keeps signing for this many hours. */
  const rotateSecret = Effect.fn("Destinations.rotateSecret")(function* (
    caller: Caller,
    keyOfPath: Omit<DestinationKey, "organizationId">,
    graceHours: number,
  ) {
    const key = { organizationId: caller.organizationId, ...keyOfPath }
    const secret = yield* newWebhookSecret(random)
    const rotation = Effect.gen(function* () {
      const found = yield* store.findForChange(key)
      if (found === undefined) return yield* new DestinationNotFound()
      if (found.destinationType === "automation") return yield* new NoSecret()
      // A path may spell the id in upper case, but the sealed value is bound to the stored text.
      const owner = { organizationId: found.organizationId, destinationId: found.id }
      const sealed = sealSecret(dataKeys, owner, Redacted.value(secret))
      const row = yield* store.rotate(key, { graceHours, secret: sealed })
      yield* audit.record(caller, "destination.secret_rotated", found.id)
      return row
    })
    return { destination: yield* store.transaction(rotation), secret }
  })

  return { list, find, create, change, delete: remove, rotateSecret }
})

export class Destinations extends Context.Service<Destinations, Effect.Success<typeof make>>()(
  "@footfall/server/destinations/Destinations",
) {
  static readonly layer = Layer.effect(Destinations, make)
}

const contentOf = (row: DestinationRow): Content => ({
  name: row.name,
  status: row.status,
  validationPolicy: row.validationPolicy,
  config: row.config,
  configRevision: row.configRevision,
  approvedConfigHash: row.approvedConfigHash,
  consecutiveErrors: row.stats.consecutiveErrors,
  mustBeApproved: row.mustBeApproved,
})

// How changes of an audience affect its destinations: deleting it stops them permanently and cancels queued deliveries
// (spec 5.8); pausing it changes nothing.
export const stoppedDestinations = Effect.map(DestinationStore, ({ deleteOfAudience }) => ({
  paused: () => Effect.void,
  deleted: (organizationId: string, audienceId: string) =>
    deleteOfAudience({ organizationId, audienceId }),
}))

// Why a destination can't be created, found or changed.

/** The audience or its destination does not exist. */
export class DestinationNotFound extends Schema.TaggedError<DestinationNotFound>()(
  "DestinationNotFound",
  {},
) {}

/** Fields that the type does not have, or required fields that are missing. */
export class FieldsInvalid extends Schema.TaggedError<FieldsInvalid>()("FieldsInvalid", {
  issues: Schema.Array(
    Schema.Struct({ path: Schema.String, code: Schema.String, message: Schema.String }),
  ),
}) {}

export class TooManyDestinations extends Schema.TaggedError<TooManyDestinations>()(
  "TooManyDestinations",
  { limit: Schema.Int },
) {}

/** A destination of type automation has no secret. */
class NoSecret extends Schema.TaggedError<NoSecret>()("NoSecret", {}) {}
