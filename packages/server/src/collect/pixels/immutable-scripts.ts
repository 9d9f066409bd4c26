// Scripts by hash, for pages that pin what they load (spec 2.3). A published hash returns the same bytes as long as the
// pixel exists: after its settings change, while it is paused, and after server upgrades. A script is stored before it
// is published, so every process has it. The same holds for the full script that a smaller one loads by hash.
import { createHash } from "node:crypto"
import { Cache, Context, Duration, Effect, Exit, Layer, Option } from "effect"
import { assemble, type Composition, PixelScript, scriptHash, type ScriptParts } from "./script.ts"
import type { PixelRow } from "./store.ts"
import { ImmutableScriptStore, type ScriptKey } from "./immutable-store.ts"

export interface ImmutableScript {
  readonly hash: string
  /** The SRI value: `sha384-` and a digest. */
  readonly integrity: string
}

/** Scripts kept in memory, a few kilobytes each. Others cost one lookup. */
const rememberedMax = 1_000

const make = Effect.gen(function* () {
  const scripts = yield* PixelScript
  const store = yield* ImmutableScriptStore

  const remembered = yield* Cache.makeWith(
    // the text was made from a key, below
    (text: string) => Effect.map(store.find(JSON.parse(text) as ScriptKey), Option.map(assemble)),
    {
      capacity: rememberedMax,
      timeToLive: (exit) =>
        Exit.isSuccess(exit) && Option.isSome(exit.value) ? Duration.infinity : Duration.zero,
    },
  )

  /** The bytes of a published script. */
  const find = ({
    hash,
    organizationId,
    pixelId,
  }: ScriptKey): Effect.Effect<Option.Option<string>> =>
    Cache.get(remembered, JSON.stringify({ organizationId, pixelId, hash }))

  /** Stores the script unless this process already has it. Returns the body. */
  const keep = Effect.fnUntraced(function* (pixel: PixelRow, parts: ScriptParts) {
    const body = assemble(parts)
    const key = {
      organizationId: pixel.organizationId,
      pixelId: pixel.id,
      hash: scriptHash(body),
    }
    if (Option.isSome(yield* find(key))) return body
    const templateDigest = digest("sha256", parts.template).toString("hex")
    yield* store.keep(key, { ...parts, templateDigest })
    return body
  })

  const keepFull = ({ full }: Composition, pixel: PixelRow) =>
    full === undefined ? Effect.void : keep(pixel, full)

  /** Publishes the pixel's current script for pinning. For a paused pixel, not its no-op script. */
  const publish = Effect.fn("ImmutableScripts.publish")(function* (pixel: PixelRow) {
    const composition = scripts.compose(pixel)
    yield* keepFull(composition, pixel)
    const body = yield* keep(pixel, composition.parts)
    const integrity = `sha384-${digest("sha384", body).toString("base64")}`
    return { hash: scriptHash(body), integrity }
  })

  const fullPublished = new WeakSet<PixelRow>()
  /** Publishes the full script that the current one may load. */
  const publishFull = Effect.fn("ImmutableScripts.publishFull")(function* (pixel: PixelRow) {
    if (fullPublished.has(pixel)) return
    yield* keepFull(scripts.compose(pixel), pixel)
    fullPublished.add(pixel)
  })

  return { publish, publishFull, find }
})

export class ImmutableScripts extends Context.Service<
  ImmutableScripts,
  Effect.Success<typeof make>
>()("@footfall/server/pixels/ImmutableScripts") {
  static readonly layer = Layer.effect(ImmutableScripts, make)
}

const digest = (algorithm: "sha256" | "sha384", text: string): Buffer =>
  createHash(algorithm).update(text).digest()
