// Scripts by their hash, for pages that pin what they load (decisions.md 2.3). A hash that was handed
// out once answers with the same bytes for as long as the pixel exists: through changes of its
// settings, while it is paused, and after the server was upgraded. It is kept before it is handed out,
// so every replica knows it.
import { createHash } from "node:crypto"
import { Cache, Context, Duration, Effect, Exit, Layer, Option } from "effect"
import { assemble, PixelScript } from "../script.ts"
import type { PixelRow } from "../store.ts"
import { ImmutableScriptStore, type ScriptKey } from "./store.ts"

export interface ImmutableScript {
  readonly hash: string
  /** The SRI value: `sha384-` and a digest. */
  readonly integrity: string
}

const hashLength = 16
/** Scripts in memory, some kilobytes each. What is not there is one look-up away. */
const rememberedMax = 1_000

export class ImmutableScripts extends Context.Service<
  ImmutableScripts,
  {
    /** Makes the present script of a pixel one that can be pinned; a paused pixel's is not its no-op. */
    publish(pixel: PixelRow): Effect.Effect<ImmutableScript>
    /** The bytes of a script that was published. */
    find(key: ScriptKey): Effect.Effect<Option.Option<string>>
  }
>()("@footfall/server/pixels/ImmutableScripts") {
  static readonly layer = Layer.effect(
    ImmutableScripts,
    Effect.gen(function* () {
      const scripts = yield* PixelScript
      const store = yield* ImmutableScriptStore

      const publish = Effect.fn("ImmutableScripts.publish")(function* (pixel: PixelRow) {
        const parts = scripts.parts(pixel)
        const body = assemble(parts)
        const hash = digest("sha256", body).toString("hex").slice(0, hashLength)
        const templateDigest = digest("sha256", parts.template).toString("hex")
        const { id: pixelId, organizationId } = pixel
        yield* store.keep({ organizationId, pixelId, hash }, { ...parts, templateDigest })
        return { hash, integrity: `sha384-${digest("sha384", body).toString("base64")}` }
      })

      const remembered = yield* Cache.makeWith(
        // The text was made from a key, below.
        (text: string) =>
          Effect.map(store.find(JSON.parse(text) as ScriptKey), Option.map(assemble)),
        {
          capacity: rememberedMax,
          timeToLive: (exit) =>
            Exit.isSuccess(exit) && Option.isSome(exit.value) ? Duration.infinity : Duration.zero,
        },
      )

      return ImmutableScripts.of({
        publish,
        find: ({ hash, organizationId, pixelId }) =>
          Cache.get(remembered, JSON.stringify({ organizationId, pixelId, hash })),
      })
    }),
  )
}

const digest = (algorithm: "sha256" | "sha384", text: string): Buffer =>
  createHash(algorithm).update(text).digest()
