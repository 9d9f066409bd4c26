// Helpers for tests of the embedded database: a new data directory, a query at an address, another process that owns a
// directory, and the Postgres processes of a directory.
import { type ChildProcess as NodeChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readdir, readFile } from "node:fs/promises"
import { PgConnection } from "@effect/sql-pg"
import { Effect, FileSystem } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { inject } from "vitest"
import { startEmbedded } from "../../src/platform/database/embedded.ts"
import "./database-setup.ts"
import { type Address, url } from "../../src/platform/database/embedded/address.ts"

/** A data directory that doesn't exist yet, below one that only its owner may enter. */
export const dataDirectory = Effect.fnUntraced(function* () {
  const fs = yield* FileSystem.FileSystem
  const directory = inject("temporaryDirectory")
  return `${yield* fs.makeTempDirectoryScoped({ directory, prefix: "data-" })}/data`
})

/** A data directory with an existing, stopped database. Faster than creating one. */
export const usedDataDirectory = Effect.fnUntraced(function* () {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const directory = yield* dataDirectory()
  const made = yield* madeOnce
  yield* spawner.exitCode(ChildProcess.make("cp", ["-a", made, directory]))
  return directory
})

// Created by the first test in a file that needs it. It is deleted with the run's temporary directory.
const madeOnce = Effect.runSync(
  Effect.cached(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = inject("temporaryDirectory")
      const made = yield* fs.makeTempDirectory({ directory, prefix: "made-" })
      yield* Effect.scoped(startEmbedded(made))
      return made
    }),
  ),
)

/** Runs one statement on a separate session. */
export const query = (address: Address, sql: string, parameters: ReadonlyArray<unknown> = []) =>
  PgConnection.make({ url: url(address) }).pipe(
    Effect.flatMap((connection) => connection.query(sql, parameters)),
    Effect.map(({ rows }) => rows),
    Effect.scoped,
  )

/** Another process that runs the Postgres of a directory. */
export const otherOwner = (
  directory: string,
  way: "never" | "exit" | "throw" = "never",
): Effect.Effect<NodeChildProcess> =>
  Effect.promise(async () => {
    const program = new URL("./database-owner.ts", import.meta.url).pathname
    const child = spawn(process.execPath, [program, directory, way], {
      stdio: ["ignore", "pipe", way === "throw" ? "ignore" : "inherit"],
    })
    await once(child.stdout, "data")
    return child
  })

/** Ends a process and waits until it has ended. */
export const end = (child: NodeChildProcess, signal: NodeJS.Signals): Effect.Effect<void> =>
  Effect.promise(async () => {
    const ended = once(child, "exit")
    child.kill(signal)
    await ended
  })

/** The ids of the processes whose command line names the directory (Linux). */
export const processesOn = (directory: string): Effect.Effect<ReadonlyArray<number>> =>
  Effect.promise(async () => {
    const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
    const lines = await Promise.all(
      ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")),
    )
    return ids.filter((_, index) => lines[index]?.includes(directory)).map(Number)
  })
