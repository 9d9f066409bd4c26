// Reading a site with the guard in other hands: how many at a time, and that none is forgotten.
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { Outbound } from "../../outbound/outbound.ts"
import { Sites, SitesAtOnceMax } from "./sites.ts"

const page = {
  status: 200,
  headers: { "content-type": "text/html" },
  body: Buffer.from("<p>Docks</p>"),
  url: "https://acme.example/home",
}

/** Sites of which two are read at a time; each waits until it is let. */
const gated = (gate: Deferred.Deferred<void>) =>
  Sites.layer.pipe(
    Layer.provide(Layer.succeed(SitesAtOnceMax, 2)),
    Layer.provide(Layer.mock(Outbound, { readPage: () => Effect.as(Deferred.await(gate), page) })),
  )

it.effect("above the bound a site is refused at once; a place is free again after each", () =>
  Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    yield* Effect.gen(function* () {
      const sites = yield* Sites
      const read = sites.read("https://acme.example/")
      const [first, second] = [yield* Effect.forkChild(read), yield* Effect.forkChild(read)]
      yield* Effect.yieldNow

      assert.strictEqual((yield* Effect.flip(read))._tag, "SitesBusy")

      yield* Fiber.interrupt(first)
      const third = yield* Effect.forkChild(read)
      yield* Effect.yieldNow
      assert.strictEqual((yield* Effect.flip(read))._tag, "SitesBusy")
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of [second, third]) {
        const { blocks, host } = yield* Fiber.join(fiber)
        assert.deepStrictEqual(
          { blocks, host },
          {
            blocks: [{ text: "Docks", level: 0 }],
            host: "acme.example",
          },
        )
      }
      assert.strictEqual((yield* read).host, "acme.example")
    }).pipe(Effect.provide(gated(gate)))
  }),
)
