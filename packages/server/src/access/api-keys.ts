// Creates, finds and revokes API keys. A key with the wrong format or checksum is rejected without a query. A revoked
// or expired key, or one of an inactive organization, is rejected within five seconds everywhere (spec 5.13), which
// limits how long a look-up may be cached.
import {
  Cache,
  Context,
  type DateTime,
  Duration,
  Effect,
  Layer,
  Option,
  Redacted,
  Schema,
} from "effect"
import { SecureRandom } from "effect/crypto"
import { timingSafeEqual } from "node:crypto"
import { readAddress, StoreIp, truncateAddress } from "../platform/http/address.ts"
import { isWithin, parseNetwork } from "../platform/http/client-address.ts"
import { RequestContext } from "../platform/http/request-context.ts"
import type { CursorRefused } from "../platform/lists/cursor.ts"
import { KeyedLists, type ListPage, type ListPosition } from "../platform/lists/keyed-lists.ts"
import { type ApiKey, apiKeyDigest, isApiKey, makeApiKey } from "./api-key.ts"
import { Audit } from "./audit/audit.ts"
import type { Author } from "./audit/store.ts"
import type { Caller } from "./caller.ts"
import type { KeyRights } from "./key-rights.ts"
import { AdminRequired, isAtLeast } from "./role.ts"
import { AccessStore } from "./store.ts"

export class KeyRefused extends Schema.TaggedError<KeyRefused>()("KeyRefused", {}) {}
/** The key is valid, but not for requests from this address. */
export class NetworkRefused extends Schema.TaggedError<NetworkRefused>()("NetworkRefused", {
  address: Schema.String,
}) {}
/** The sites of a new key are not all the organization's. */
export class SitesUnknown extends Schema.TaggedError<SitesUnknown>()("SitesUnknown", {}) {}
/** Each key has its own rate limits, so the number of keys limits what one organization may request. */
export class KeyLimitReached extends Schema.TaggedError<KeyLimitReached>()("KeyLimitReached", {
  limit: Schema.Int,
}) {
  override get message(): string {
    return `This organization already has ${this.limit} active API keys. Revoke one first: footfall-server keys revoke`
  }
}
export class KeyNotFound extends Schema.TaggedError<KeyNotFound>()("KeyNotFound", {
  apiKeyId: Schema.String,
}) {
  override get message(): string {
    return `No API key found with id ${this.apiKeyId}. List them: footfall-server keys list`
  }
}

/** Maximum keys per organization that are neither revoked nor expired. */ // spec 10.3
export const keysMax = 100

/** How long a key may be used without another look-up. spec 5.13 allows 5 seconds. */
const rememberedSeconds = 4
const rememberedMax = 10_000

export interface NewKey extends Author {
  readonly name: string
  /** Default: never. */
  readonly expiresAt?: DateTime.Utc | undefined
  /** Default: everything. */
  readonly rights?: KeyRights | undefined
}

const allRights: KeyRights = { scopes: ["all"], pixelIds: null, allowedNetworks: null }

export interface CreatedKey {
  readonly apiKey: ApiKey
  readonly secret: Redacted.Redacted
}

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * Returns the caller of a key in the current request. Fails with KeyRefused, whatever the reason, and with
     * NetworkRefused for a valid key outside its networks.
     */
    authenticate(key: Redacted.Redacted): Effect.Effect<Caller, KeyRefused | NetworkRefused>
    /**
     * Creates a key; its secret is only in this response.
     *
     * *Errors*: KeyLimitReached; SitesUnknown; AdminRequired if the user is no longer an admin.
     */
    create(
      options: NewKey,
    ): Effect.Effect<CreatedKey, AdminRequired | KeyLimitReached | SitesUnknown>
    /** Newest first, including revoked keys. */ // spec 1.6
    list(
      organizationId: string,
      position: ListPosition,
      limit: number,
    ): Effect.Effect<ListPage<ApiKey>, CursorRefused>
    /** All keys of an organization, newest first; for operators. */
    all(organizationId: string): Effect.Effect<ReadonlyArray<ApiKey>>
    /** Fails with KeyNotFound if the organization has no such key or it is already revoked. */
    revoke(options: Author & { readonly apiKeyId: string }): Effect.Effect<void, KeyNotFound>
    /**
     * For operators: revokes a key of any organization; calling it twice is fine. Fails with KeyNotFound for an id that
     * never existed.
     */
    revokeAny(apiKeyId: string): Effect.Effect<void, KeyNotFound>
  }
>()("@footfall/server/access/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const store = yield* AccessStore
      const audit = yield* Audit
      const lists = yield* KeyedLists
      const random = yield* SecureRandom.SecureRandom
      const storeIp = yield* StoreIp

      const find = Effect.fnUntraced(function* (digestHex: string) {
        const digest = Buffer.from(digestHex, "hex")
        const holder = Option.getOrUndefined(yield* store.findHolder(digest))
        if (holder === undefined || !holder.isUsable) return yield* new KeyRefused()
        if (!timingSafeEqual(holder.digest, digest)) return yield* new KeyRefused()
        const { allowedNetworks, apiKeyId, pixelIds, scopes, usableMs } = holder
        const caller: Caller = {
          organizationId: holder.organizationId,
          organizationStatus: holder.organizationStatus,
          isIntentEnabled: holder.isIntentEnabled,
          role: "member",
          actor: { type: "api_key", id: apiKeyId },
          key: { scopes, pixelIds, allowedNetworks },
        }
        const networks = allowedNetworks?.map((text) => parseNetwork(text))
        return { caller, networks, usableMs: usableMs ?? Infinity, isNoted: false }
      })

      const holders = yield* Cache.makeWith(find, {
        capacity: rememberedMax,
        timeToLive: (exit) =>
          exit._tag === "Success"
            ? Duration.millis(Math.min(rememberedSeconds * 1_000, exit.value.usableMs))
            : Duration.zero,
      })

      const authenticate = Effect.fnUntraced(function* (key: Redacted.Redacted) {
        if (!isApiKey(Redacted.value(key))) return yield* new KeyRefused()
        const digest = Buffer.from(apiKeyDigest(key)).toString("hex")
        const holder = yield* Cache.get(holders, digest)
        const { caller, networks } = holder
        const { clientAddress } = yield* RequestContext
        if (networks !== undefined && !isWithin(clientAddress, networks)) {
          return yield* new NetworkRefused({ address: clientAddress })
        }
        if (!holder.isNoted) {
          holder.isNoted = true
          const { actor, organizationId } = caller
          yield* store.touchKey(organizationId, actor.id, storedAddress(clientAddress, storeIp))
        }
        return caller
      })

      const create = Effect.fn("ApiKeys.create")(function* (options: NewKey) {
        const { actor, expiresAt, name, organizationId, rights = allRights } = options
        const secret = makeApiKey()
        const text = Redacted.value(secret)
        const id = yield* random.uuidV4()
        return yield* store.transaction(
          Effect.gen(function* () {
            yield* store.lockOrganization(organizationId)
            if (actor.type === "user") {
              const role = yield* store.roleOf(organizationId, actor.id)
              if (role === undefined || !isAtLeast(role, "admin")) return yield* new AdminRequired()
            }
            if ((yield* store.countUsableKeys(organizationId)) >= keysMax) {
              return yield* new KeyLimitReached({ limit: keysMax })
            }
            const pixelIds = new Set(rights.pixelIds)
            if ((yield* store.countSites(organizationId, [...pixelIds])) < pixelIds.size) {
              return yield* new SitesUnknown()
            }
            yield* store.insertKey({
              ...rights,
              organizationId,
              name,
              expiresAt,
              id,
              prefix: text.slice(0, 7),
              last4: text.slice(-4),
              digest: apiKeyDigest(secret),
            })
            yield* audit.record(options, "api_key.created", id)
            return { apiKey: yield* store.getKey(organizationId, id), secret }
          }),
        )
      })

      const revoke = Effect.fn("ApiKeys.revoke")(function* (
        options: Author & { readonly apiKeyId: string },
      ) {
        const { apiKeyId, organizationId } = options
        yield* store.transaction(
          Effect.gen(function* () {
            if (!(yield* store.revokeKey(organizationId, apiKeyId))) {
              return yield* new KeyNotFound({ apiKeyId })
            }
            yield* audit.record(options, "api_key.revoked", apiKeyId)
          }),
        )
      })

      const revokeAny = Effect.fn("ApiKeys.revokeAny")(function* (text: string) {
        const organizationId = Option.getOrUndefined(yield* store.organizationOfKey(text))
        if (organizationId === undefined) return yield* new KeyNotFound({ apiKeyId: text })
        yield* Effect.ignore(
          revoke({ organizationId, apiKeyId: text.toLowerCase(), actor: { type: "operator" } }),
        )
      })

      const list = (organizationId: string, position: ListPosition, limit: number) =>
        lists.page(
          { organizationId, route: "api-keys", filters: [], position, limit },
          {
            rows: (start, rowsMax) => store.listKeys(organizationId, start, rowsMax),
            count: () => store.countKeys(organizationId),
            keyOf: ({ createdText, id }) => [createdText, id],
          },
        )

      const all = (organizationId: string) => store.listKeys(organizationId, { offset: 0 }, null)

      return ApiKeys.of({ authenticate, create, list, all, revoke, revokeAny })
    }),
  )
}

/** Null if the address is not known. */
const storedAddress = (text: string, storeIp: "truncated" | "full"): string | null => {
  const address = readAddress(text)
  if (address === undefined) return null
  return storeIp === "full" ? address.toString() : truncateAddress(address)
}
