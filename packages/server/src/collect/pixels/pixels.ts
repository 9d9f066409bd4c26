// An organization's pixels, and the lookup that the pixel host makes for every request, cached for a few seconds so
// that collecting does not query the database each time.
import {
  Cache,
  Clock,
  Context,
  Duration,
  Effect,
  Exit,
  Layer,
  MutableHashMap,
  Option,
  Schema,
} from "effect"
import {
  type HostedPixelRow,
  type PixelKey,
  type PixelRow,
  type PixelScope,
  type PixelScopeRow,
  PixelStore,
} from "./store.ts"

export class PixelNotFound extends Schema.TaggedError<PixelNotFound>()("PixelNotFound", {
  pixelId: Schema.String,
}) {}
/** How long another process's pixel host may miss a change. */
const rememberedDuration = "5 seconds"
const rememberedMax = 10_000
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export class Pixels extends Context.Service<
  Pixels,
  {
    /** Pixels that are not deleted, newest first. */ // spec 5.2.1
    list(organizationId: string): Effect.Effect<ReadonlyArray<PixelRow>>
    /** Fails with PixelNotFound for an unknown or deleted id, or another organization's. */
    find(key: PixelKey): Effect.Effect<PixelRow, PixelNotFound>
    /** Totals of the pixels in a scope. Fails with PixelNotFound for an unknown or deleted id. */
    scope(organizationId: string, scope: PixelScope): Effect.Effect<PixelScopeRow, PixelNotFound>
    /** The pixel as the pixel host needs it, at most 5 seconds old. None if it is unknown or deleted. */
    hosted(id: string): Effect.Effect<Option.Option<HostedPixelRow>>
    /** Like `hosted`, without waiting and without a fiber: undefined if it is not cached. For the collect route. */
    remembered(id: string): HostedPixelRow | undefined
    /** Call it after a change: this process's next `hosted` queries the database. */
    forget(id: string): Effect.Effect<void>
  }
>()("@footfall/server/pixels/Pixels") {
  static readonly layer = Layer.effect(
    Pixels,
    Effect.gen(function* () {
      const store = yield* PixelStore
      const clock = yield* Clock.Clock

      const remembered = yield* Cache.makeWith(store.findHosted, {
        capacity: rememberedMax,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? rememberedDuration : Duration.zero),
      })

      const find = Effect.fn("Pixels.find")(function* (key: PixelKey) {
        const found = yield* store.find(key)
        if (Option.isSome(found)) return found.value
        return yield* new PixelNotFound({ pixelId: key.pixelId })
      })

      const scope = Effect.fn("Pixels.scope")(function* (
        organizationId: string,
        asked: PixelScope,
      ) {
        const { pixelId } = asked
        const found = yield* store.scope(organizationId, asked)
        if (pixelId !== undefined && found.pixels === 0)
          return yield* new PixelNotFound({ pixelId })
        return found
      })

      return Pixels.of({
        list: store.list,
        find,
        scope,
        hosted: (id) =>
          uuidPattern.test(id) ? Cache.get(remembered, id) : Effect.succeed(Option.none()),
        forget: (id) => Cache.invalidate(remembered, id),
        remembered: (id) => {
          const entry = Option.getOrUndefined(MutableHashMap.get(remembered.map, id))
          // A lookup in progress has no end yet.
          if ((entry?.expiresAt ?? 0) <= clock.currentTimeMillisUnsafe()) return undefined
          const exit = entry?.fiber.pollUnsafe()
          return exit && Exit.isSuccess(exit) ? Option.getOrUndefined(exit.value) : undefined
        },
      })
    }),
  )
}
