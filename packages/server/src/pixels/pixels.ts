// The pixels of an organization, and the one look-up that the pixel host makes for every request,
// remembered for a few seconds so that collecting does not ask the database each time.
import { Cache, Context, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { normalizeDomain } from "./pixel.ts"
import {
  type HostedPixelRow,
  type PixelRow,
  type PixelScope,
  type PixelScopeRow,
  PixelStore,
} from "./store.ts"

export class PixelExists extends Schema.TaggedError<PixelExists>()("PixelExists", {
  pixelId: Schema.String,
}) {}
export class PixelNotFound extends Schema.TaggedError<PixelNotFound>()("PixelNotFound", {
  pixelId: Schema.String,
}) {}
export class DomainInvalid extends Schema.TaggedError<DomainInvalid>()("DomainInvalid", {
  domain: Schema.String,
}) {}

/** How long a change of a pixel may go unnoticed by the pixel host of another process. */
const rememberedDuration = "5 seconds"
const rememberedMax = 10_000
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export class Pixels extends Context.Service<
  Pixels,
  {
    /** Non-deleted pixels, newest creation first. service.md, GET /v1/data/pixels. */
    list(organizationId: string): Effect.Effect<ReadonlyArray<PixelRow>>
    /** Fails with PixelExists when the organization has a pixel for the domain, DomainInvalid for no host name. */
    create(options: {
      readonly organizationId: string
      readonly domain: string
      readonly name?: string | undefined
      readonly settings?: PixelRow["settings"] | undefined
    }): Effect.Effect<PixelRow, PixelExists | DomainInvalid>
    /** The pixels of a scope added up. Fails with PixelNotFound for an unknown or deleted id. */
    scope(organizationId: string, scope: PixelScope): Effect.Effect<PixelScopeRow, PixelNotFound>
    /** The pixel of an id as the pixel host needs it; at most 5 seconds old. None: unknown or deleted. */
    hosted(id: string): Effect.Effect<Option.Option<HostedPixelRow>>
    /** The same without waiting: undefined when it would have to be asked for. For the collect route. */
    remembered(id: string): HostedPixelRow | undefined
  }
>()("@footfall/server/pixels/Pixels") {
  static readonly layer = Layer.effect(
    Pixels,
    Effect.gen(function* () {
      const store = yield* PixelStore
      const random = yield* SecureRandom.SecureRandom

      const remembered = yield* Cache.make({
        capacity: rememberedMax,
        timeToLive: rememberedDuration,
        lookup: store.findHosted,
      })

      const create = Effect.fn("Pixels.create")(function* (options: {
        readonly organizationId: string
        readonly domain: string
        readonly name?: string | undefined
        readonly settings?: PixelRow["settings"] | undefined
      }) {
        const domain = normalizeDomain(options.domain)
        if (domain === undefined) return yield* new DomainInvalid({ domain: options.domain })
        const { name = domain, organizationId, settings = {} } = options
        const id = yield* random.uuidV4()
        const inserted = yield* store.insert({ organizationId, id, domain, name, settings })
        if (Option.isSome(inserted)) return inserted.value
        const pixelId = yield* store.findIdByDomain(organizationId, domain)
        return yield* new PixelExists({ pixelId: pixelId ?? id })
      })

      const scope = Effect.fn("Pixels.scope")(function* (
        organizationId: string,
        { domain, pixelId }: PixelScope,
      ) {
        const found = yield* store.scope(organizationId, { domain, pixelId })
        if (pixelId !== undefined && found.pixels === 0)
          return yield* new PixelNotFound({ pixelId })
        return found
      })

      return Pixels.of({
        list: store.list,
        scope,
        create,
        hosted: (id) =>
          uuidPattern.test(id) ? Cache.get(remembered, id) : Effect.succeed(Option.none()),
        remembered: (id) =>
          Option.getOrUndefined(Option.flatten(Effect.runSync(Cache.getSuccess(remembered, id)))),
      })
    }),
  )
}
