// Creates, changes and deletes pixels (spec 2.3, 4.6, 5.2). Each change is one transaction with its audit entry. This
// process's pixel host sees it at once, others within 5 seconds.
import { Context, Effect, Layer, Option, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { isDeepStrictEqual } from "node:util"
import type { Author } from "../../access/audit/store.ts"
import { Audit } from "../../access/audit/audit.ts"
import type { PixelChange } from "./pixel.ts"
import { PixelNotFound, Pixels } from "./pixels.ts"
import { changeSettings, type SettingsChange, topicsOf } from "./settings.ts"
import { type PixelRow, PixelStore } from "./store.ts"

export class PixelExists extends Schema.TaggedError<PixelExists>()("PixelExists", {
  pixelId: Schema.String,
}) {}
export class TopicsUnknown extends Schema.TaggedError<TopicsUnknown>()("TopicsUnknown", {
  topicIds: Schema.Array(Schema.Int),
}) {}

/** Each retry follows the deletion of a conflicting pixel by another request. */
const insertAttemptsMax = 5

export interface PixelCreation {
  /** In normal form. */
  readonly domain: string
  /** Default: the domain. */
  readonly name?: string
  readonly settings?: SettingsChange
}

const make = Effect.gen(function* () {
  const store = yield* PixelStore
  const pixels = yield* Pixels
  const audit = yield* Audit
  const random = yield* SecureRandom.SecureRandom
  const topics = yield* KnownTopics
  const rulesChanged = yield* TopicRulesChanged

  const checkTopics = Effect.fnUntraced(function* (settings: SettingsChange = {}) {
    const named = topicsOf(settings)
    if (named.length === 0) return
    const known = yield* topics.ids
    const topicIds = named.filter((topicId) => !known.has(topicId))
    if (topicIds.length > 0) return yield* new TopicsUnknown({ topicIds })
  })

  const insert = Effect.fnUntraced(function* (author: Author, creation: PixelCreation) {
    const { organizationId } = author
    const { domain, name = domain, settings = {} } = creation
    const id = yield* random.uuidV4()
    const row = { organizationId, id, domain, name, settings: changeSettings({}, settings) }
    for (let attempt = 0; attempt < insertAttemptsMax; attempt++) {
      const inserted = yield* store.insert(row)
      if (Option.isSome(inserted)) {
        yield* audit.record(author, "pixel.created", id)
        if (row.settings["topicRules"] !== undefined) yield* rulesChanged.notify(organizationId)
        return inserted.value
      }
      // None: the conflicting pixel has been deleted, so the domain is free.
      const pixelId = yield* store.findIdByDomain(organizationId, domain)
      if (pixelId !== undefined) return yield* new PixelExists({ pixelId })
    }
    return yield* Effect.die(
      new Error("Pixels for this domain are being created and deleted repeatedly."),
    )
  })

  const update = Effect.fnUntraced(function* (
    author: Author,
    pixelId: string,
    change: PixelChange,
  ) {
    const { organizationId } = author
    const found = yield* store.findForChange({ organizationId, pixelId })
    if (Option.isNone(found)) return yield* new PixelNotFound({ pixelId })
    const changed = yield* Effect.fromResult(changedPixel(found.value, change))
    if (isDeepStrictEqual(changed, found.value)) return found.value
    const updated = yield* store.update(changed)
    yield* audit.record(author, "pixel.updated", pixelId)
    if (!isDeepStrictEqual(changed.settings["topicRules"], found.value.settings["topicRules"])) {
      yield* rulesChanged.notify(organizationId)
    }
    return updated
  })

  const remove = Effect.fnUntraced(function* (author: Author, pixelId: string) {
    const { organizationId } = author
    const isDeleted = yield* store.delete({ organizationId, pixelId })
    if (!isDeleted) return yield* new PixelNotFound({ pixelId })
    yield* audit.record(author, "pixel.deleted", pixelId)
  })

  return {
    /**
     * *Errors*: PixelExists if the organization already has a pixel for the domain; TopicsUnknown. *Guarantee*: of
     * concurrent requests for one domain, exactly one succeeds.
     */
    create: Effect.fn("PixelChanges.create")(function* (author: Author, creation: PixelCreation) {
      yield* checkTopics(creation.settings)
      const pixel = yield* store.transaction(insert(author, creation))
      yield* pixels.forget(pixel.id)
      return pixel
    }),

    /**
     * *Guarantee*: concurrent changes to different fields or settings are both kept.
     */
    change: Effect.fn("PixelChanges.change")(function* (
      author: Author,
      pixelId: string,
      change: PixelChange,
    ) {
      yield* checkTopics(change.settings)
      const pixel = yield* store.transaction(update(author, pixelId, change))
      yield* pixels.forget(pixelId)
      return pixel
    }),

    /** Frees the domain; the data stays. Fails with PixelNotFound, also on the second call. */
    delete: Effect.fn("PixelChanges.delete")(function* (author: Author, pixelId: string) {
      yield* store.transaction(remove(author, pixelId))
      yield* pixels.forget(pixelId)
    }),
  }
})

export class PixelChanges extends Context.Service<PixelChanges, Effect.Success<typeof make>>()(
  "@footfall/server/pixels/PixelChanges",
) {
  static readonly layer = Layer.effect(PixelChanges, make)
}

// The topics that pixel rules may name. A later room, which owns the catalog, implements it.
export class KnownTopics extends Context.Service<
  KnownTopics,
  {
    /** The topic ids of the current catalog. */
    readonly ids: Effect.Effect<{ has(topicId: number): boolean }>
  }
>()("@footfall/server/pixels/KnownTopics") {}

// Requests that a later room recompute own intent because topic rules changed. Called in the transaction of the
// change.
export class TopicRulesChanged extends Context.Service<
  TopicRulesChanged,
  { notify(organizationId: string): Effect.Effect<void> }
>()("@footfall/server/pixels/TopicRulesChanged") {}

// Applies a change to a pixel (spec 2.3, 2.4, 4.6): a pure function from the old state to the new one, or to an
// error. A request can pause a pixel permanently, even one that is already paused with its organization. A pixel
// paused with its organization resumes only with it.
/** Excluded and included paths cannot both be set. */
export class PathListsExclusive extends Schema.TaggedError<PathListsExclusive>()(
  "PathListsExclusive",
  { field: Schema.Literals(["excludedPaths", "includedPaths"]) },
) {}
/** A pixel can't be resumed while its organization is not active. */
export class PausedWithOrganization extends Schema.TaggedError<PausedWithOrganization>()(
  "PausedWithOrganization",
  {},
) {}

/** The pixel after the change. */
export const changedPixel = (
  pixel: PixelRow,
  change: PixelChange,
): Result.Result<PixelRow, PathListsExclusive | PausedWithOrganization> => {
  const excludedPaths = listAfter(pixel.excludedPaths, change.excludedPaths)
  const includedPaths = listAfter(pixel.includedPaths, change.includedPaths)
  if (excludedPaths !== null && includedPaths !== null) {
    const field = change.includedPaths === undefined ? "excludedPaths" : "includedPaths"
    return Result.fail(new PathListsExclusive({ field }))
  }
  if (change.status === "active" && pixel.pausedReason === "organization_inactive") {
    return Result.fail(new PausedWithOrganization())
  }
  return Result.succeed({
    ...pixel,
    name: change.name ?? pixel.name,
    status: change.status ?? pixel.status,
    pausedReason: reasonAfter(pixel, change),
    excludedPaths,
    includedPaths,
    settings: changeSettings(pixel.settings, change.settings ?? {}),
  })
}

/** An empty list equals no list. */
const listAfter = (
  stored: ReadonlyArray<string> | null,
  sent: ReadonlyArray<string> | null | undefined,
): ReadonlyArray<string> | null => {
  if (sent === undefined) return stored
  return sent === null || sent.length === 0 ? null : sent
}

const reasonAfter = (pixel: PixelRow, { status }: PixelChange): PixelRow["pausedReason"] => {
  if (status === undefined) return pixel.pausedReason
  return status === "paused" ? "manual" : null
}
