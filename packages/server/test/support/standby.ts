// A Postgres with a streaming replica, run by the packaged programs. They lack pg_basebackup, so this does the same: it
// copies the files between pg_backup_start and pg_backup_stop.
import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { appendFile, chown, mkdir, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { NodeServices } from "@effect/platform-node"
import { Effect, Exit, Option, Redacted, Scope } from "effect"
import { ChildProcessSpawner } from "effect/process"
import pg from "pg"
import { startEmbedded } from "../../src/platform/database/embedded.ts"
import { socketPort, url, username } from "../../src/platform/database/embedded/address.ts"
import { BinariesDirectory, findBinaries } from "../../src/platform/database/embedded/binaries.ts"
import { settings } from "../../src/platform/database/embedded/postmaster.ts"
import { commandAsOwner } from "../../src/platform/database/embedded/unprivileged.ts"
import { attempted } from "./attempted.ts"

export interface Standby {
  readonly primaryUrl: string
  readonly replicaUrl: string
  /** The replica's Postgres, for signals. */
  readonly processId: number
  onPrimary(text: string): Promise<ReadonlyArray<Record<string, unknown>>>
  onReplica(text: string): Promise<ReadonlyArray<Record<string, unknown>>>
  /** Resolves once the replica has replayed everything written so far. */
  caughtUp(): Promise<void>
  stop(): Promise<void>
}

/** `parent`: the folder for the files of both. */
export const startStandby = async (parent: string): Promise<Standby> => {
  const scope = Scope.makeUnsafe()
  const inScope = <A, E, R extends Scope.Scope | NodeServices.NodeServices>(
    effect: Effect.Effect<A, E, R>,
  ): Promise<A> =>
    Effect.runPromise(
      effect.pipe(
        Effect.provideService(
          BinariesDirectory,
          Option.fromNullishOr(process.env["TEST_POSTGRES_BIN"]),
        ),
        Effect.provide(NodeServices.layer),
        Effect.provideService(Scope.Scope, scope),
      ) as Effect.Effect<A, E>,
    )
  const folder = join(parent, `standby-${randomBytes(3).toString("hex")}`)
  await mkdir(folder, { mode: 0o700 })
  const primaryUrl = Redacted.value(url(await inScope(startEmbedded(join(folder, "a")))))
  const directory = join(folder, "b")
  await copyBase(primaryUrl, directory)
  const replicaUrl = Redacted.value(url({ host: directory, port: socketPort }))
  const { pid } = await inScope(startReplica(directory, majorVersionOf(await version(primaryUrl))))
  await attempted(() => ask(replicaUrl, "select 1"), { timeout: 60_000, interval: 50 })

  const caughtUp = async () => {
    const [written] = await ask(primaryUrl, "select pg_current_wal_insert_lsn()::text as place")
    await attempted(
      async () => {
        const [replica] = await ask(
          replicaUrl,
          `select pg_last_wal_replay_lsn() >= '${String(written?.["place"])}' as "isThere"`,
        )
        if (replica?.["isThere"] !== true) throw new Error("the replica is behind")
      },
      { timeout: 60_000, interval: 25 },
    )
  }
  return {
    primaryUrl,
    replicaUrl,
    processId: pid,
    onPrimary: (text) => ask(primaryUrl, text),
    onReplica: (text) => queryWithRetry(replicaUrl, text),
    caughtUp,
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  }
}

const version = async (address: string) =>
  String(
    (await ask(address, "select current_setting('server_version_num') as version"))[0]?.["version"],
  )

const majorVersionOf = (text: string) => Math.trunc(Number(text) / 10_000)

const ask = async (address: string, text: string) => {
  const client = new pg.Client({ connectionString: address })
  client.on("error", () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

/** Retries if the replica canceled the statement because replay needed its rows. */
const queryWithRetry = async (address: string, text: string): ReturnType<typeof ask> => {
  try {
    return await ask(address, text)
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === "40001")
      return queryWithRetry(address, text)
    throw error
  }
}

/** Copies a running primary's files and turns the copy into a replica. */
const copyBase = async (primaryUrl: string, directory: string) => {
  const client = new pg.Client({ connectionString: primaryUrl })
  await client.connect()
  const one = async (text: string) => (await client.query<Record<string, string>>(text)).rows[0]!
  const { data_directory: from = "" } = await one("show data_directory")
  await one("select pg_backup_start('replica', true)")
  // A file may disappear while it is copied. The write-ahead log contains whatever the replica needs of it.
  await promisify(execFile)("cp", ["-a", from, directory]).catch(() => undefined)
  const { labelfile = "" } = await one("select labelfile from pg_backup_stop(false)")
  await client.end()
  const host = new URL(primaryUrl).searchParams.get("host")
  const socket = `.s.PGSQL.${socketPort}`
  for (const name of ["postmaster.pid", "postmaster.opts", "pg_wal", socket, `${socket}.lock`]) {
    await rm(join(directory, name), { recursive: true, force: true })
  }
  const { gid, uid } = await stat(from)
  await mkdir(join(directory, "pg_wal"), { mode: 0o700 })
  await chown(join(directory, "pg_wal"), uid, gid)
  await writeFile(join(directory, "backup_label"), labelfile)
  await writeFile(join(directory, "standby.signal"), "")
  for (const name of ["backup_label", "standby.signal"])
    await chown(join(directory, name), uid, gid)
  await appendFile(
    join(directory, "postgresql.auto.conf"),
    `primary_conninfo = 'host=${host} port=${socketPort} user=${username}'
     wal_retrieve_retry_interval = '100ms'
     max_standby_streaming_delay = 0\n`,
  )
}

const startReplica = Effect.fnUntraced(function* (directory: string, majorVersion: number) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const { postgres } = yield* findBinaries
  const address = { host: directory, port: socketPort }
  const command = yield* commandAsOwner({
    directory,
    program: postgres,
    arguments: ["-D", directory, ...settings({ address, majorVersion })],
    processOptions: {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      env: { LC_ALL: "C" },
      extendEnv: true,
      killSignal: "SIGINT",
      forceKillAfter: "5 seconds",
    },
  })
  return yield* spawner.spawn(command)
})
