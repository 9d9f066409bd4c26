// What exports of all organizations share in a process: turns to recreate a file, and connections that copy out. No
// organization locks others out of them, and a waiting request gets a response.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Audit } from "../../../src/access/audit/audit.ts"
import { Copy } from "../../../src/platform/database/copy.ts"
import { KeyedLists } from "../../../src/platform/lists/keyed-lists.ts"
import { JobWakes } from "../../../src/platform/jobs/queue.ts"
import { RunAds } from "../../../src/intent/runs/exports/ads/run-ads.ts"
import { RunCsv } from "../../../src/intent/runs/exports/csv/run-csv.ts"
import { CsvStore } from "../../../src/intent/runs/exports/csv/store.ts"
import { RunParquet } from "../../../src/intent/runs/exports/parquet/run-parquet.ts"
import { Exports } from "../../../src/intent/runs/exports/exports.ts"
import { ExportFiles } from "../../../src/intent/runs/exports/files/export-files.ts"
import { ExportLinks } from "../../../src/intent/runs/exports/links.ts"
import { ExportStore } from "../../../src/intent/runs/exports/store.ts"
import { Runs } from "../../../src/intent/runs/runs.ts"

const begin = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Effect.result(effect))
    for (let turns = 0; turns < 20; turns++) yield* Effect.yieldNow
    return fiber
  })

const tagOf = (result: { readonly _tag: string; readonly failure?: unknown }) =>
  (result.failure as { readonly _tag: string } | undefined)?._tag ?? result._tag

describe("files that are recreated", () => {
  /** Each export belongs to the organization in its name. There are no files, and creating one never ends. */
  const began: Array<string> = []
  const neverMade = Exports.layer.pipe(
    Layer.provide([
      Layer.succeed(ExportStore, {
        findLinked: (id: string) =>
          Effect.succeed({
            id,
            organizationId: id.split(" ")[0],
            status: "completed",
            exportType: "csv",
          }),
        run: () => Effect.succeed({}),
      } as never),
      Layer.mock(ExportFiles, {
        open: () => Effect.succeed(undefined),
        write: ({ id }) =>
          Effect.suspend(() => {
            began.push(id)
            return Effect.never
          }),
      }),
      Layer.mock(RunCsv, { lines: () => Stream.empty }),
      Layer.mock(RunAds, { lines: () => Stream.empty }),
      Layer.mock(RunParquet, { lines: () => Stream.empty }),
      Layer.mock(ExportLinks, { check: () => Effect.void }),
      Layer.mock(Runs, {}),
      Layer.mock(KeyedLists, {}),
      Layer.mock(Audit, {}),
      Layer.mock(JobWakes, {}),
      Layer.mock(SecureRandom.SecureRandom, {}),
    ]),
  )
  const download = (exportId: string) =>
    Effect.flatMap(Exports, (exports) =>
      exports.download({ exportId, expires: "1", signature: "x" } as never),
    )

  it.effect("one organization recreates one at a time, and another one need not wait for it", () =>
    Effect.gen(function* () {
      began.length = 0
      yield* begin(download("a 1"))
      yield* begin(download("a 2"))
      yield* begin(download("b 1"))

      assert.deepStrictEqual(began, ["a 1", "b 1"])
    }).pipe(Effect.provide(neverMade)),
  )

  it.effect(
    "a request that waits ten seconds for a turn gets an error that the server is busy",
    () =>
      Effect.gen(function* () {
        yield* begin(download("a 1"))
        const waiting = yield* begin(download("a 2"))

        yield* TestClock.adjust("10 seconds")

        assert.strictEqual(tagOf(yield* Fiber.join(waiting)), "ExportFilesBusy")
      }).pipe(Effect.provide(neverMade)),
  )
})

describe("connections that copy out", () => {
  const statements = Object.assign(() => "", { csv: () => "", literal: () => "" })
  let asked = 0
  const neverCopied = CsvStore.layer.pipe(
    Layer.provide(
      Layer.mock(Copy, {
        csv: () =>
          Effect.suspend(() => {
            asked++
            return Effect.never
          }),
      }),
    ),
    // This test only builds the text of a statement.
    Layer.provide(Layer.succeed(SqlClient.SqlClient, statements as never)),
  )
  const part = (organizationId: string) =>
    Effect.flatMap(CsvStore, (store) =>
      store.part(
        { organizationId, runId: "r", topics: [], keepsFormulas: false },
        { from: 1, to: 2 },
      ),
    )

  it.effect("the next free turn goes to an organization that has none", () =>
    Effect.gen(function* () {
      asked = 0
      const [first] = [yield* begin(part("a")), yield* begin(part("a")), yield* begin(part("a"))]
      const other = yield* begin(part("b"))
      assert.strictEqual(asked, 2)

      yield* Fiber.interrupt(first)
      for (let turns = 0; turns < 20; turns++) yield* Effect.yieldNow
      assert.strictEqual(asked, 3)
      yield* TestClock.adjust("10 seconds")

      // The first organization's third request got no turn in time, the other organization's request did.
      assert.isUndefined(other.pollUnsafe())
    }).pipe(Effect.provide(neverCopied)),
  )

  it.effect("a request that waits ten seconds for a turn fails, as without a database", () =>
    Effect.gen(function* () {
      const all = [yield* begin(part("a")), yield* begin(part("b")), yield* begin(part("c"))]

      yield* TestClock.adjust("10 seconds")

      assert.strictEqual(tagOf(yield* Fiber.join(all[2]!)), "SqlError")
    }).pipe(Effect.provide(neverCopied)),
  )
})
