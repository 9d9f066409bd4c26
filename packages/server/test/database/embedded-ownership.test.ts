// One owner per data directory: who is refused, who takes over after a kill, who joins.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { NodeServices } from "@effect/platform-node"
import { PgConnection } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, FileSystem, Option, Schedule, Scope } from "effect"
import { joinEmbedded, startEmbedded } from "../../src/platform/database/embedded.ts"
import { url } from "../../src/platform/database/embedded/address.ts"
import { readPostmasterFile } from "../../src/platform/database/embedded/postmaster-file.ts"
import {
  dataDirectory,
  end,
  otherOwner,
  processesOn,
  query,
  usedDataDirectory,
} from "../support/database-directory.ts"

/** A running program, unrelated to Postgres, of the user that runs Postgres. */
const otherProgram = Effect.acquireRelease(
  Effect.promise(async () => {
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
    const child = spawn("sleep", ["600"], { stdio: "ignore", ...user })
    await once(child, "spawn")
    return child
  }),
  (child) => end(child, "SIGKILL"),
)

layer(NodeServices.layer, { excludeTestServices: true })("the data directory", (it) => {
  it.effect("is refused to a second server, which names the process of the first", () =>
    Effect.gen(function* () {
      const directory = yield* usedDataDirectory()
      const first = yield* otherOwner(directory)

      const error = yield* Effect.flip(startEmbedded(directory))

      assert.strictEqual(error.reason, "InUse")
      assert.strictEqual(error.processId, first.pid)
      assert.include(error.message, `in use by process ${first.pid}, a running server`)
      assert.notInclude(error.message, "\n")
      yield* end(first, "SIGTERM")
      assert.deepStrictEqual(yield* processesOn(directory), [])
    }),
  )

  it.effect("is refused to a second server in the same process", () =>
    Effect.gen(function* () {
      const directory = yield* usedDataDirectory()
      yield* startEmbedded(directory)

      const error = yield* Effect.flip(startEmbedded(directory))

      assert.strictEqual(error.processId, process.pid)
    }),
  )

  it.effect("has exactly one owner when several start at once", () =>
    Effect.gen(function* () {
      const directory = yield* dataDirectory()

      const exits = yield* Effect.all(
        Array.from({ length: 5 }, () => Effect.exit(startEmbedded(directory))),
        { concurrency: "unbounded" },
      )

      assert.strictEqual(exits.filter(Exit.isSuccess).length, 1)
    }),
  )

  it.effect("is taken over after kill -9 of the server: the orphan stops, no row is lost", () =>
    Effect.gen(function* () {
      const directory = yield* usedDataDirectory()
      const killed = yield* otherOwner(directory)
      const joined = yield* Effect.scoped(joinEmbedded(directory))
      yield* query(joined, "create table kept (n int)")
      yield* query(joined, "insert into kept values (1)")
      const orphan = yield* Effect.flatMap(readPostmasterFile(joined.host), Effect.fromOption)
      // The watching shell is killed too, so nothing restarts Postgres.
      for (const id of yield* processesOn(directory))
        if (id !== orphan.processId && id !== killed.pid) process.kill(id, "SIGKILL")
      yield* end(killed, "SIGKILL")
      assert.include(yield* processesOn(directory), orphan.processId)

      const address = yield* startEmbedded(directory)

      assert.notInclude(yield* processesOn(directory), orphan.processId)
      assert.deepStrictEqual(yield* query(address, "table kept"), [{ n: 1 }])
    }),
  )

  for (const [name, way, signal] of [
    ["process.exit", "exit", null],
    ["an uncaught error", "throw", null],
    ["SIGTERM", "never", "SIGTERM"],
    ["SIGINT", "never", "SIGINT"],
    ["SIGKILL", "never", "SIGKILL"],
  ] as const)
    it.effect(`is closed properly when its server ends by ${name}, and no process remains`, () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const directory = yield* usedDataDirectory()
        const log = `${directory}/postgres.log`
        const owner = yield* otherOwner(directory, way)
        if (signal !== null) yield* end(owner, signal)
        yield* processesOn(directory).pipe(
          Effect.repeat({
            while: (ids) => ids.length > 0,
            schedule: Schedule.spaced("20 millis"),
          }),
        )
        yield* fs.remove(log)

        yield* startEmbedded(directory)

        const contents = yield* fs.readFileString(log)
        assert.include(contents, "database system was shut down at")
        assert.notInclude(contents, "not properly shut down")
      }),
    )

  it.effect("is taken over when a process of a killed Postgres takes seconds to end", () =>
    Effect.gen(function* () {
      const directory = yield* usedDataDirectory()
      const killed = yield* otherOwner(directory)
      const { host } = yield* Effect.scoped(joinEmbedded(directory))
      const connection = yield* PgConnection.make({ url: url({ host, port: 5432 }) })
      const { rows } = yield* connection.query("select pg_backend_pid() as id", [])
      const lingering = Number(rows[0]?.["id"])
      const orphan = yield* Effect.flatMap(readPostmasterFile(host), Effect.fromOption)
      process.kill(lingering, "SIGSTOP")
      process.kill(orphan.processId, "SIGKILL")
      yield* end(killed, "SIGKILL")

      const starting = yield* Effect.forkChild(startEmbedded(directory))
      yield* Effect.sleep("4 seconds")
      process.kill(lingering, "SIGCONT")

      const address = yield* Fiber.join(starting)
      assert.deepStrictEqual(yield* query(address, "select 1 as one"), [{ one: 1 }])
    }),
  )

  it.effect("is free when the owner's process id now belongs to another program", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* usedDataDirectory()
      const other = yield* otherProgram
      yield* fs.makeDirectory(directory, { recursive: true })
      yield* fs.writeFileString(
        `${directory}/owner.json`,
        JSON.stringify({ processId: other.pid, processStart: "earlier", role: "server" }),
      )

      yield* startEmbedded(directory)

      const owner = yield* fs.readFileString(`${directory}/owner.json`)
      assert.strictEqual(JSON.parse(owner).processId, process.pid)
    }),
  )

  it.effect("is free when the owner file is not readable", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* usedDataDirectory()
      yield* fs.makeDirectory(directory, { recursive: true })
      yield* fs.writeFileString(`${directory}/owner.json`, "{")

      assert.isTrue(Exit.isSuccess(yield* Effect.exit(startEmbedded(directory))))
    }),
  )

  it.effect(
    "is taken over from stale lock files whose process id belongs to another program, which keeps running",
    () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const directory = yield* usedDataDirectory()
        const address = yield* Effect.scoped(startEmbedded(directory))
        const other = yield* otherProgram
        const lines = [other.pid, address.host, 0, 5432, address.host, "", "0 0", "ready"]
        for (const file of ["postmaster.pid", ".s.PGSQL.5432.lock"])
          yield* fs.writeFileString(`${address.host}/${file}`, `${lines.join("\n")}\n`)

        yield* startEmbedded(directory)

        const file = yield* readPostmasterFile(address.host)
        assert.notStrictEqual(Option.getOrThrow(file).processId, other.pid)
        assert.isNull(other.exitCode)
        assert.isNull(other.signalCode)
      }),
  )

  it.effect("is cleared of what an initdb killed halfway left behind", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* dataDirectory()
      yield* fs.makeDirectory(`${directory}/postgres.unfinished-x/base`, { recursive: true })

      yield* startEmbedded(directory)

      assert.notInclude(yield* fs.readDirectory(directory), "postgres.unfinished-x")
    }),
  )

  it.effect("gives a command the running server's Postgres, and leaves it running", () =>
    Effect.gen(function* () {
      const directory = yield* usedDataDirectory()
      const address = yield* startEmbedded(directory)

      const joined = yield* Effect.scoped(joinEmbedded(directory))

      assert.deepStrictEqual(joined, address)
      assert.deepStrictEqual(yield* query(address, "select 1 as one"), [{ one: 1 }])
    }),
  )

  it.effect("gives a command its own Postgres when none runs, and stops it afterwards", () =>
    Effect.gen(function* () {
      const directory = yield* usedDataDirectory()

      const rows = yield* Effect.scoped(
        Effect.flatMap(joinEmbedded(directory), (address) => query(address, "select 1 as one")),
      )

      assert.deepStrictEqual(rows, [{ one: 1 }])
      assert.deepStrictEqual(yield* processesOn(directory), [])
    }),
  )

  it.effect("is refused to a server while a command has its own Postgres there", () =>
    Effect.gen(function* () {
      const directory = yield* usedDataDirectory()
      yield* joinEmbedded(directory)

      const error = yield* Effect.flip(startEmbedded(directory))

      assert.include(error.message, `process ${process.pid}, a running operator command`)
    }),
  )

  it.effect("stays up until the command that joined another command's Postgres is done", () =>
    Effect.gen(function* () {
      const directory = yield* usedDataDirectory()
      const first = yield* Scope.make()
      const second = yield* Scope.make()
      yield* Scope.provide(joinEmbedded(directory), first)
      const address = yield* Scope.provide(joinEmbedded(directory), second)

      const closing = yield* Effect.forkChild(Scope.close(first, Exit.void))
      yield* query(address, "select pg_sleep(0.5)")
      assert.deepStrictEqual(yield* query(address, "select 1 as one"), [{ one: 1 }])
      yield* Scope.close(second, Exit.void)
      yield* Fiber.join(closing)

      assert.deepStrictEqual(yield* processesOn(directory), [])
    }),
  )
})
