// Manages an organization's audiences (spec 2.8, 4.1, 5.8). Each change is one transaction with its audit entry and the
// reactions of later rooms. Only runs add people to audiences.
import { Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { isDeepStrictEqual } from "node:util"
import { Audit } from "../../../access/audit/audit.ts"
import { type Caller, userIdOf } from "../../../access/caller.ts"
import type { CursorRefused } from "../../../platform/lists/cursor.ts"
import {
  KeyedLists,
  type ListPage,
  type ListPosition,
} from "../../../platform/lists/keyed-lists.ts"
import { Catalog } from "../../topics/catalog/catalog.ts"
import type { TopicsUnknown } from "../../topics/lists/topic-lists.ts"
import {
  activated,
  type Audience,
  AudienceChanges,
  audiencesMax,
  type AudienceStatus,
  draft,
  moved,
  type SlotsFull,
  type TransitionInvalid,
} from "./audience.ts"
import type { GivenConfig } from "../config.ts"
import { type ConfigInvalid, Configs } from "../configs.ts"
import { AudienceLifecycleStore, type AudienceRow } from "./store.ts"

export class AudienceNotFound extends Schema.TaggedError<AudienceNotFound>()(
  "AudienceNotFound",
  {},
) {}

/** The organization has reached its limit of audiences. */
export class AudienceLimitReached extends Schema.TaggedError<AudienceLimitReached>()(
  "AudienceLimitReached",
  { limit: Schema.Int },
) {}

export interface GivenAudience {
  readonly name: string
  readonly config: GivenConfig & { readonly sourceUrl?: string | null }
}

/** JSON pointer to the configuration in a request. */
const configPath = "/body/config"

type ConfigRefused = ConfigInvalid | TopicsUnknown

interface AudiencesShape {
  /** Newest first, optionally with one status. Errors: CursorRefused for another list's cursor. */
  list(
    organizationId: string,
    page: {
      readonly status: AudienceStatus | undefined
      readonly position: ListPosition
      readonly limit: number
    },
  ): Effect.Effect<ListPage<Audience>, CursorRefused>
  /**
   * `status` defaults to draft. Starts no run.
   *
   * *Guarantee*: of concurrent requests, exactly as many succeed as the limits allow.
   */
  create(
    caller: Caller,
    audience: GivenAudience & { readonly status?: "draft" | "active" },
  ): Effect.Effect<Audience, ConfigRefused | SlotsFull | AudienceLimitReached>
  find(organizationId: string, audienceId: string): Effect.Effect<Audience, AudienceNotFound>
  /** Omitted fields do not change; the change is atomic. `config` replaces the whole configuration. */
  change(
    caller: Caller,
    audienceId: string,
    change: Partial<GivenAudience> & { readonly status?: AudienceStatus },
  ): Effect.Effect<Audience, ConfigRefused | AudienceNotFound | SlotsFull | TransitionInvalid>
  /** Frees its slot and its place. Fails with AudienceNotFound, also on the second call. */
  delete(caller: Caller, audienceId: string): Effect.Effect<void, AudienceNotFound>
}

const make = Effect.gen(function* () {
  const store = yield* AudienceLifecycleStore
  const configs = yield* Configs
  const catalog = yield* Catalog
  const changes = yield* AudienceChanges
  const lists = yield* KeyedLists
  const audit = yield* Audit
  const random = yield* SecureRandom.SecureRandom

  const withTopics = (rows: ReadonlyArray<AudienceRow>) =>
    Effect.map(catalog.byId, (byId) =>
      rows.map(({ config, createdKey: _, sourceUrl, ...audience }): Audience => {
        // Topics are never removed from the catalog.
        const topics = config.topicIds.map((topicId) => byId.get(topicId)!)
        return { ...audience, config: { segmentId: null, ...config, sourceUrl, topics } }
      }),
    )
  const wholeOf = (row: AudienceRow) => Effect.map(withTopics([row]), ([audience]) => audience!)

  const checked = Effect.fnUntraced(function* (
    organizationId: string,
    { sourceUrl = null, ...given }: GivenAudience["config"],
  ) {
    return { config: yield* configs.check(organizationId, given, configPath), sourceUrl }
  })

  const list: AudiencesShape["list"] = Effect.fn("Audiences.list")(function* (
    organizationId,
    { limit, position, status },
  ) {
    const page = yield* lists.page(
      {
        organizationId,
        route: "GET /v1/intent/audiences",
        filters: [status ?? null],
        position,
        limit,
      },
      store.list(organizationId, status),
    )
    return { ...page, rows: yield* withTopics(page.rows) }
  })

  const create: AudiencesShape["create"] = Effect.fn("Audiences.create")(function* (
    caller,
    { config: given, name, status },
  ) {
    const { organizationId } = caller
    const config = yield* checked(organizationId, given)
    const id = yield* random.uuidV4()
    const creation = Effect.gen(function* () {
      yield* configs.keepSegment(organizationId, config.config, configPath)
      const organization = yield* store.accessForChange(organizationId)
      const standing =
        status === "active" ? yield* Effect.fromResult(activated(organization)) : draft
      // If both limits are reached, the error about eligibility comes first. spec 1.4.
      if (organization.saved >= audiencesMax) {
        return yield* new AudienceLimitReached({ limit: audiencesMax })
      }
      if (standing.accessType === "one_shot") yield* store.takeOneShot(organizationId)
      const createdBy = userIdOf(caller)
      const row = { organizationId, id, name, ...config, ...standing, createdBy }
      return yield* Effect.tap(store.insert(row), audit.record(caller, "audience.created", id))
    })
    return yield* wholeOf(yield* store.transaction(creation))
  })

  const find: AudiencesShape["find"] = Effect.fn("Audiences.find")(
    function* (organizationId, audienceId) {
      const found = yield* store.find({ organizationId, audienceId })
      return found === undefined ? yield* new AudienceNotFound() : yield* wholeOf(found)
    },
  )

  const change: AudiencesShape["change"] = Effect.fn("Audiences.change")(function* (
    caller,
    audienceId,
    { config: given, name, status },
  ) {
    const { organizationId } = caller
    const key = { organizationId, audienceId }
    const config = given === undefined ? undefined : yield* checked(organizationId, given)
    const named = name === undefined ? {} : { name }
    const update = Effect.gen(function* () {
      if (config !== undefined) {
        yield* configs.keepSegment(organizationId, config.config, configPath)
      }
      const move =
        status === undefined
          ? undefined
          : { requested: status, organization: yield* store.accessForChange(organizationId) }
      const found = yield* store.findForChange(key)
      if (found === undefined) return yield* new AudienceNotFound()
      const standing = move === undefined ? {} : yield* Effect.fromResult(moved(found, move))
      const changed = { ...found, ...named, ...config, ...standing }
      if (isDeepStrictEqual(changed, found)) return found
      const isActivated = changed.status === "active" && found.status !== "active"
      if (isActivated && changed.accessType === "one_shot") yield* store.takeOneShot(organizationId)
      const updated = yield* store.update(key, changed)
      if (changed.status === "paused" && found.status === "active") {
        yield* changes.paused(organizationId, audienceId)
      }
      yield* audit.record(caller, "audience.updated", audienceId)
      return updated
    })
    return yield* wholeOf(yield* store.transaction(update))
  })

  const remove: AudiencesShape["delete"] = Effect.fn("Audiences.delete")(
    function* (caller, audienceId) {
      const { organizationId } = caller
      const removal = Effect.gen(function* () {
        const isDeleted = yield* store.delete({ organizationId, audienceId })
        if (!isDeleted) return yield* new AudienceNotFound()
        yield* changes.deleted(organizationId, audienceId)
        yield* audit.record(caller, "audience.deleted", audienceId)
      })
      yield* store.transaction(removal)
    },
  )

  return { list, create, find, change, delete: remove } satisfies AudiencesShape
})

export class Audiences extends Context.Service<Audiences, AudiencesShape>()(
  "@footfall/server/audiences/Audiences",
) {
  static readonly layer = Layer.effect(Audiences, make)
}
