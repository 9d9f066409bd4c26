// The embedded Postgres with its one owner: start, stop, limits, restart.
import { stat } from "node:fs/promises"
import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, FileSystem, Schedule, Scope } from "effect"
import { expect } from "vitest"
import { startEmbedded } from "../../src/platform/database/embedded.ts"
import { readPostmasterFile } from "../../src/platform/database/embedded/postmaster-file.ts"
import {
  dataDirectory,
  processesOn,
  query,
  usedDataDirectory,
} from "../support/database-directory.ts"

const settingsOf = `
  select name, setting from pg_settings
  where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses')
  order by name`

layer(NodeServices.layer, { excludeTestServices: true })("the embedded database", (it) => {
  it.effect("listens only on a socket in its own directory, durably", () =>
    Effect.gen(function* () {
      const directory = yield* dataDirectory()

      const address = yield* startEmbedded(directory)

      assert.deepStrictEqual(yield* query(address, settingsOf), [
        { name: "fsync", setting: "on" },
        { name: "full_page_writes", setting: "on" },
        { name: "listen_addresses", setting: "" },
        { name: "synchronous_commit", setting: "on" },
      ])
      assert.strictEqual(address.password, undefined)
      const cluster = yield* Effect.promise(() => stat(address.host))
      assert.strictEqual(cluster.mode & 0o777, 0o700)
      assert.strictEqual(cluster.uid, process.getuid?.() === 0 ? 65534 : process.getuid?.())
    }),
  )

  it.effect("keeps its rows across a stop and a start, and leaves nothing running", () =>
    Effect.gen(function* () {
      const directory = yield* usedDataDirectory()

      yield* Effect.scoped(
        Effect.gen(function* () {
          const address = yield* startEmbedded(directory)
          yield* query(address, "create table kept (n int)")
          yield* query(address, "insert into kept values (1)")
        }),
      )

      assert.deepStrictEqual(yield* processesOn(directory), [])
      assert.deepStrictEqual(yield* query(yield* startEmbedded(directory), "table kept"), [
        { n: 1 },
      ])
    }),
  )

  it.effect("stops by a fast shutdown, not by a crash", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* usedDataDirectory()

      yield* Effect.scoped(startEmbedded(directory))

      const log = yield* fs.readFileString(`${directory}/postgres.log`)
      assert.include(log, "received fast shutdown request")
      assert.include(log, "database system is shut down")
      assert.deepStrictEqual(yield* fs.readDirectory(directory), ["postgres", "postgres.log"])
    }),
  )

  it.effect("leaves nothing running when the start is interrupted halfway", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* dataDirectory()
      // Interrupted while initdb runs, and in the next round while Postgres starts.
      const isAtWork = Effect.map(processesOn(`${directory}/postgres`), (ids) => ids.length > 0)

      yield* Effect.forEach(["initdb", "postgres"], () =>
        Effect.gen(function* () {
          const starting = yield* Effect.forkChild(Effect.scoped(startEmbedded(directory)))
          yield* isAtWork.pipe(Effect.repeat({ until: (isTrue) => isTrue }))
          yield* Fiber.interrupt(starting)
          assert.deepStrictEqual(yield* processesOn(directory), [])
          yield* Effect.scoped(startEmbedded(directory))
        }),
      )

      assert.deepStrictEqual(yield* fs.readDirectory(directory), ["postgres", "postgres.log"])
    }),
  )

  it.effect("restarts when Postgres is killed, and loses no acknowledged row", () =>
    Effect.gen(function* () {
      const address = yield* startEmbedded(yield* usedDataDirectory())
      yield* query(address, "create table kept (n int)")
      yield* query(address, "insert into kept values (1)")
      const file = yield* Effect.flatMap(readPostmasterFile(address.host), Effect.fromOption)

      process.kill(file.processId, "SIGKILL")

      const rows = yield* query(address, "table kept").pipe(
        Effect.retry({ times: 200, schedule: Schedule.spaced("50 millis") }),
      )
      assert.deepStrictEqual(rows, [{ n: 1 }])
      const again = yield* Effect.flatMap(readPostmasterFile(address.host), Effect.fromOption)
      assert.notStrictEqual(again.processId, file.processId)
    }),
  )

  it.effect("writes no parameter, statement or key value to its log", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* usedDataDirectory()
      const address = yield* startEmbedded(directory)
      yield* query(address, "create table person (email text primary key)")
      yield* query(address, "insert into person values ($1)", ["secret@example.com"])

      yield* Effect.flip(query(address, "insert into person values ($1)", ["secret@example.com"]))
      yield* Effect.flip(query(address, "select 'secret'::int, $1::int", ["secret"]))

      const log = yield* fs.readFileString(`${directory}/postgres.log`)
      assert.include(log, "ready to accept connections")
      assert.notInclude(log, "secret")
    }),
  )

  it.effect("can be started and stopped many times in one process", () =>
    Effect.gen(function* () {
      const directory = yield* usedDataDirectory()
      const handles = () => process.getActiveResourcesInfo().length
      yield* Effect.scoped(startEmbedded(directory))
      const before = handles()

      yield* Effect.repeat(Effect.scoped(startEmbedded(directory)), { times: 9 })

      // A stream may close a moment after its program has ended.
      yield* Effect.promise(async () => {
        await expect.poll(handles).toBeLessThanOrEqual(before)
      })
    }),
  )

  it.effect("runs next to another in the same process", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const one = yield* startEmbedded(yield* usedDataDirectory()).pipe(
        Effect.provideService(Scope.Scope, scope),
      )
      const two = yield* startEmbedded(yield* usedDataDirectory())
      yield* query(one, "create table only_here (n int)")

      yield* Scope.close(scope, Exit.void)

      const rows = yield* query(two, "select to_regclass('only_here') is null as missing")
      assert.deepStrictEqual(rows, [{ missing: true }])
    }),
  )
})
