// Reading pages that strangers made to be slow, in real threads.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { PageThreads, PageTimeMax } from "./page-threads.ts"

const pageOf = (html: string) => ({
  body: Buffer.from(html),
  contentType: "text/html; charset=utf-8",
  host: "acme.example",
})

const read = (html: string, reader = "a") =>
  Effect.flatMap(PageThreads, (threads) => threads.read(reader, pageOf(html)))

const twoMebibytes = 2 * 1024 * 1024

describe("a page is read in a thread", () => {
  it.live.each([
    ["punctuation without an end", `${"?".repeat(twoMebibytes)}x`],
    ["one sign that normalization makes 18 of", "\ufdfa".repeat(twoMebibytes / 3)],
    ["different words only", Array.from({ length: 250_000 }, (_, n) => `w${n}`).join(" ")],
    ["spaces between bars", "| ".repeat(twoMebibytes / 2)],
  ])("the event loop goes on meanwhile: %s", ([, text]) =>
    Effect.gen(function* () {
      let turns = 0
      const counting = setInterval(() => turns++, 1)
      const { keywords, terms } = yield* read(`<title>Docks</title><p>${text}</p>`)
      clearInterval(counting)

      assert.include(keywords, "docks")
      assert.isAtMost(terms.words.size, 20_000)
      assert.isAtMost(terms.pairs.size, 20_000)
      assert.isAbove(turns, 3)
    }).pipe(Effect.provide(PageThreads.layer)),
  )

  it.live("a page that keeps its thread too long is unreadable, and the next page is read", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(read(`<p>${"| ".repeat(twoMebibytes / 2)}</p>`))
      assert.deepInclude(failure, { _tag: "SiteUnreadable", reason: "timeout" })

      const short = Effect.retry(read("<title>Harbor yard</title><p>.</p>"), { times: 50 })
      assert.strictEqual((yield* short).title, "Harbor yard")
    }).pipe(Effect.provide(Layer.provide(PageThreads.layer, Layer.succeed(PageTimeMax, 40)))),
  )

  it.live("a page without text is unreadable", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(read("<title>404</title>"))
      assert.deepInclude(failure, { _tag: "SiteUnreadable", reason: "empty" })
    }).pipe(Effect.provide(PageThreads.layer)),
  )

  it.live("pages of one caller are read one after another, and another caller's beside them", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const long = `<p>${"dock yard ".repeat(100_000)}</p>`
      const done = (name: string) => () => Effect.sync(() => order.push(name))
      const ours = [1, 2, 3, 4].map((n) => Effect.tap(read(long, "a"), done(`a${n}`)))
      const theirs = Effect.tap(read("<p>crane</p>", "b"), done("b"))
      yield* Effect.all([...ours, theirs], { concurrency: "unbounded" })

      assert.deepEqual(
        order.filter((name) => name !== "b"),
        ["a1", "a2", "a3", "a4"],
      )
      assert.isBelow(order.indexOf("b"), 4)
    }).pipe(Effect.provide(PageThreads.layer)),
  )
})
