// Whether a pixel works, and the first reason why not (decisions.md 5.2). Only when no event of the
// pixel's own host ever came is its site read, through the guard. A site that cannot be read proves
// nothing of its tag: then what is said is what is certain, that no events came.
import { Context, Effect, Layer, Schema } from "effect"
import { Outbound } from "../../outbound/outbound.ts"
import { type PixelNotFound, Pixels } from "../pixels.ts"
import { type PixelKey, type PixelRow, PixelStore } from "../store.ts"
import { hasScriptOf } from "./page-script.ts"

export const VerificationReason = Schema.Literals([
  "paused",
  "domain_mismatch",
  "script_missing",
  "no_events",
])
export type VerificationReason = typeof VerificationReason.Type

/** The page of a site that is read. A test has its sites elsewhere. */
export const SiteAddress = Context.Reference<(domain: string) => string>(
  "@footfall/server/pixels/SiteAddress",
  { defaultValue: () => (domain) => `https://${domain}/` },
)

/** decisions.md 1.9. */
const reading = { redirectsMax: 3, timeoutMs: 10_000, bytesMax: 2 * 1024 * 1024 }

export class Verification extends Context.Service<
  Verification,
  {
    /** The pixel, and null when it is verified. May take as long as its site: up to 10 seconds. */
    verify(
      key: PixelKey,
    ): Effect.Effect<
      { readonly pixel: PixelRow; readonly reason: VerificationReason | null },
      PixelNotFound
    >
  }
>()("@footfall/server/pixels/Verification") {
  static readonly layer = Layer.effect(
    Verification,
    Effect.gen(function* () {
      const pixels = yield* Pixels
      const store = yield* PixelStore
      const outbound = yield* Outbound
      const addressOf = yield* SiteAddress

      /** Undefined: the site cannot be read. */
      const hasScript = ({ domain, id }: PixelRow): Effect.Effect<boolean | undefined> =>
        outbound.readPage({ url: addressOf(domain), ...reading }).pipe(
          Effect.map((page) => (isReadable(page) ? hasScriptOf(textOf(page.body), id) : undefined)),
          Effect.orElseSucceed(() => undefined),
        )

      return Verification.of({
        verify: Effect.fn("Verification.verify")(function* (key) {
          const pixel = yield* pixels.find(key)
          const failed = (reason: VerificationReason) => ({ pixel, reason })
          if (pixel.verifiedAt !== null) return { pixel, reason: null }
          if (pixel.status === "paused") return failed("paused")
          if (yield* store.hasForeignEvents(key)) return failed("domain_mismatch")
          return failed((yield* hasScript(pixel)) === false ? "script_missing" : "no_events")
        }),
      })
    }),
  )
}

/** A page that says it is HTML, or says nothing, and is sent as it is. */
const isReadable = (page: {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
}): boolean => {
  const { "content-encoding": encoding = "identity", "content-type": type = "text/html" } =
    page.headers
  return (
    page.status < 300 &&
    encoding === "identity" &&
    /^\s*(?:text\/html|application\/xhtml\+xml)/i.test(type)
  )
}

/** Of an unknown encoding as well: what is looked for is ASCII. */
const textOf = (body: Uint8Array): string => new TextDecoder().decode(body)
