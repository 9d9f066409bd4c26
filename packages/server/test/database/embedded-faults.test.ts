// Everything that can be wrong with a machine, and the line the operator gets for it.
import { createServer } from "node:net"
import { once } from "node:events"
import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Option, PlatformError, Redacted } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { vi } from "vitest"
import { joinEmbedded, startEmbedded } from "../../src/platform/database/embedded.ts"
import {
  BinariesDirectory,
  findBinaries,
  linkLibraries,
  Platform,
} from "../../src/platform/database/embedded/binaries.ts"
import {
  FreePort,
  socketPathBytesMax,
  Transport,
} from "../../src/platform/database/embedded/listening.ts"
import {
  dataDirectory,
  processesOn,
  query,
  usedDataDirectory,
} from "../support/database-directory.ts"

/** A directory with programs that print a text and fail. */
const failingBinaries = Effect.fnUntraced(function* (says: string) {
  const fs = yield* FileSystem.FileSystem
  const directory = yield* fs.makeTempDirectoryScoped({ prefix: "footfall-test-" })
  const script = `#!/bin/sh\n[ "$1" = --version ] && echo "initdb (PostgreSQL) 18.4" && exit\necho '${says}' >&2\nexit 1\n`
  yield* fs.writeFileString(`${directory}/initdb`, script, { mode: 0o755 })
  yield* fs.writeFileString(`${directory}/postgres`, script, { mode: 0o755 })
  yield* fs.chmod(directory, 0o755)
  return directory
})

layer(NodeServices.layer, { excludeTestServices: true })("the embedded database", (it) => {
  it.effect("says to set DATABASE_URL where npm has no Postgres for the platform", () =>
    Effect.gen(function* () {
      const error = yield* startEmbedded(yield* dataDirectory()).pipe(
        Effect.provideService(Platform, "linux-x64-musl"),
        Effect.flip,
      )

      assert.strictEqual(error.reason, "NoBinary")
      assert.strictEqual(
        error.message,
        "The embedded database cannot run here: no Postgres is packaged for linux-x64-musl. " +
          "Set DATABASE_URL to a Postgres 15 or newer.",
      )
    }),
  )

  it.effect("says to set DATABASE_URL where a program cannot be run", () =>
    Effect.gen(function* () {
      const directory = yield* dataDirectory()
      vi.stubEnv("PATH", "/nowhere")

      const error = yield* startEmbedded(directory).pipe(
        Effect.provideService(BinariesDirectory, Option.some("/nowhere")),
        Effect.flip,
        Effect.ensuring(Effect.sync(() => vi.unstubAllEnvs())),
      )

      assert.strictEqual(error.reason, "NoBinary")
      assert.include(error.message, "set DATABASE_URL")
    }),
  )

  it.effect(
    "names the directory and Postgres's message when the disk is full at the first start",
    () =>
      Effect.gen(function* () {
        const directory = yield* dataDirectory()
        const binaries = yield* failingBinaries("initdb: error: No space left on device")

        const error = yield* startEmbedded(directory).pipe(
          Effect.provideService(BinariesDirectory, Option.some(binaries)),
          Effect.flip,
        )

        assert.strictEqual(error.reason, "DirectoryUnusable")
        assert.strictEqual(
          error.message,
          `Postgres could not create a database in ${directory}/postgres: initdb: error: No space left on device`,
        )
      }),
  )

  it.effect(
    "names the directory and Postgres's message when the disk is full at a later start",
    () =>
      Effect.gen(function* () {
        const directory = yield* usedDataDirectory()
        yield* Effect.scoped(startEmbedded(directory))
        const binaries = yield* failingBinaries("FATAL:  could not write: No space left on device")

        const error = yield* startEmbedded(directory).pipe(
          Effect.scoped,
          Effect.provideService(BinariesDirectory, Option.some(binaries)),
          Effect.flip,
        )

        assert.strictEqual(error.reason, "StartFailed")
        assert.strictEqual(
          error.message,
          `Postgres did not start on ${directory}/postgres: FATAL:  could not write: No space left on device`,
        )
        yield* Effect.scoped(startEmbedded(directory))
      }),
  )

  it.effect("says what to do when another major version of Postgres created the directory", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* usedDataDirectory()
      yield* Effect.scoped(startEmbedded(directory))
      yield* fs.writeFileString(`${directory}/postgres/PG_VERSION`, "17\n")

      const error = yield* Effect.flip(startEmbedded(directory))

      assert.strictEqual(error.reason, "OtherVersion")
      assert.include(error.message, "was created by Postgres 17")
    }),
  )

  it.effect("names the data directory when it cannot be created", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* dataDirectory()
      yield* fs.writeFileString(directory, "a file")

      const error = yield* Effect.flip(startEmbedded(directory))

      assert.strictEqual(error.reason, "DirectoryUnusable")
      assert.include(error.message, `The data directory ${directory} cannot be used: EEXIST`)
    }),
  )

  it.effect("creates the library links itself where install scripts were skipped", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const { initdb } = yield* findBinaries
      const packed = initdb.replace("/native/bin/initdb", "")
      const root = `${yield* fs.makeTempDirectoryScoped()}/package`
      yield* spawner.exitCode(ChildProcess.make("cp", ["-a", packed, root]))
      yield* spawner.exitCode(
        ChildProcess.make("find", [`${root}/native/lib`, "-type", "l", "-delete"]),
      )
      const version = spawner.string(ChildProcess.make(`${root}/native/bin/initdb`, ["--version"]))
      assert.strictEqual(yield* version, "")

      yield* linkLibraries(root)

      assert.include(yield* version, "initdb (PostgreSQL) 18")
    }),
  )

  it.effect("says how to repair a package folder that is not writable", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const root = yield* fs.makeTempDirectoryScoped()
      yield* fs.makeDirectory(`${root}/native`)
      yield* fs.writeFileString(
        `${root}/native/pg-symlinks.json`,
        JSON.stringify([{ source: "native/lib/a.so.1", target: "native/lib/a.so" }]),
      )
      const readOnly = PlatformError.systemError({
        _tag: "PermissionDenied",
        module: "FileSystem",
        method: "symlink",
      })

      const error = yield* linkLibraries(root).pipe(
        Effect.provideService(FileSystem.FileSystem, {
          ...fs,
          symlink: () => Effect.fail(readOnly),
        }),
        Effect.flip,
      )

      assert.strictEqual(error.reason, "LibrariesMissing")
      assert.include(error.message, `Run "npm rebuild" there, or set DATABASE_URL.`)
    }),
  )

  it.effect("uses a short socket directory where the data directory's path is too long", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = `${yield* dataDirectory()}/${"d".repeat(socketPathBytesMax)}`

      const address = yield* Effect.scoped(
        Effect.gen(function* () {
          const address = yield* startEmbedded(directory)
          assert.deepStrictEqual(yield* Effect.scoped(joinEmbedded(directory)), address)
          assert.deepStrictEqual(yield* query(address, "select 1 as one"), [{ one: 1 }])
          return address
        }),
      )

      assert.notInclude(address.host, directory)
      assert.isFalse(yield* fs.exists(address.host))
      assert.deepStrictEqual(yield* processesOn(directory), [])
    }),
  )

  for (const { bytes, isOwn } of [
    { bytes: socketPathBytesMax - 1, isOwn: true },
    { bytes: socketPathBytesMax, isOwn: true },
    { bytes: socketPathBytesMax + 1, isOwn: false },
  ])
    it.effect(`uses the cluster directory for a socket path of ${bytes} bytes: ${isOwn}`, () =>
      Effect.gen(function* () {
        const parent = yield* dataDirectory()
        const rest = "/postgres/.s.PGSQL.5432"
        const directory = `${parent}/${"d".repeat(bytes - parent.length - 1 - rest.length)}`

        const address = yield* startEmbedded(directory)

        assert.strictEqual(address.host === `${directory}/postgres`, isOwn)
        assert.deepStrictEqual(yield* query(address, "select 1 as one"), [{ one: 1 }])
      }),
    )
})

layer(NodeServices.layer, { excludeTestServices: true })("without Unix sockets", (it) => {
  it.effect(
    "it listens on a loopback port, asks for a random password, and commands find both",
    () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const directory = yield* dataDirectory()

        const address = yield* startEmbedded(directory)

        assert.strictEqual(address.host, "127.0.0.1")
        assert.deepStrictEqual(yield* query(address, "select 1 as one"), [{ one: 1 }])
        assert.deepStrictEqual(yield* joinEmbedded(directory), address)
        const wrong = { ...address, password: Redacted.make("wrong") }
        const error = yield* Effect.flip(query(wrong, "select 1"))
        assert.strictEqual(error.reason._tag, "AuthenticationError")
        const { mode } = yield* fs.stat(`${directory}/postgres-password`)
        assert.strictEqual(mode & 0o777, 0o600)
      }).pipe(Effect.provideService(Transport, "port")),
  )

  it.effect("it takes another port when another program takes the first one", () =>
    Effect.gen(function* () {
      const taken = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const server = createServer().listen(0, "127.0.0.1")
          await once(server, "listening")
          return server
        }),
        (server) => Effect.sync(() => server.close()),
      )
      const found = taken.address()
      assert(typeof found === "object" && found !== null)
      const other = yield* yield* FreePort
      const ports = [found.port, other]

      const address = yield* startEmbedded(yield* dataDirectory()).pipe(
        Effect.provideService(
          FreePort,
          Effect.sync(() => ports.shift() ?? 0),
        ),
      )

      assert.strictEqual(address.port, other)
    }).pipe(Effect.provideService(Transport, "port")),
  )
})
