// A running Postgres as a child process: started in a scope, ready when the effect succeeds, and stopped by a fast
// shutdown when the scope closes, even while it is starting. Windows has no signal for a fast shutdown; there it is
// killed and recovers at the next start.
import { Deferred, Effect, Fiber, Scope, Stream } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { DatabaseUnavailable } from "../database-error.ts"
import type { Address } from "./address.ts"
import type { Binaries } from "./binaries.ts"
import { failureReason, type ServerLog } from "./server-log.ts"
import type { Cluster } from "./cluster.ts"
import { commandAsOwner } from "./unprivileged.ts"

export interface Postmaster {
  readonly processId: number
  /** Succeeds once the process has ended, with the last lines it printed. */
  readonly ended: Effect.Effect<string>
}

// Printed once per start, after any crash recovery. `lc_messages` is C, so it is always English.
const readyLine = "database system is ready to accept connections"

/** Lines kept to explain a failed start. */
const lastLinesMax = 20

/** Crash recovery may first replay 2 GB of log (settings.ts, max_wal_size). */
const startTimeout = "2 minutes"

/**
 * Starts Postgres on a cluster and waits until it accepts connections.
 *
 * *Errors*: DatabaseUnavailable `StartFailed` or `OtherVersion` with Postgres's message.
 */
export const startPostmaster = Effect.fnUntraced(function* (options: {
  readonly binaries: Binaries
  readonly cluster: Cluster
  readonly address: Address
  readonly log: ServerLog
}) {
  const { binaries, cluster, address, log } = options
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const command = yield* commandAsOwner({
    directory: cluster.directory,
    program: binaries.postgres,
    arguments: [
      "-D",
      cluster.directory,
      ...settings({ address, majorVersion: cluster.majorVersion }),
    ],
    processOptions: {
      stdin: "ignore",
      env: { LC_ALL: "C" },
      extendEnv: true,
      killSignal: "SIGINT",
      forceKillAfter: "20 seconds",
    },
  })
  const ready = yield* Deferred.make<void>()
  const lastLines: Array<string> = []
  const read = (line: string) => {
    lastLines.push(line)
    if (lastLines.length > lastLinesMax) lastLines.shift()
    return line.includes(readyLine)
      ? Effect.andThen(log.append(line), Deferred.succeed(ready, undefined))
      : log.append(line)
  }
  // The reader outlives the process until the pipe is empty, to log the shutdown.
  const { handle, reading } = yield* Effect.acquireRelease(
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const handle = yield* Scope.provide(spawner.spawn(command), scope)
      const lines = Stream.splitLines(Stream.decodeText(handle.all))
      return { scope, handle, reading: yield* Effect.forkDetach(Stream.runForEach(lines, read)) }
    }),
    ({ scope, reading }, exit) => Effect.andThen(Scope.close(scope, exit), readToEnd(reading)),
  )
  // A process killed by a signal fails `exitCode`; here that is an ordinary end.
  const ended = Effect.exit(handle.exitCode).pipe(
    Effect.andThen(readToEnd(reading)),
    Effect.map(() => lastLines.join("\n")),
  )
  const failed = Effect.flatMap(ended, (output) => Effect.fail(startFailure(cluster, output)))
  yield* Effect.raceFirst(Deferred.await(ready), failed).pipe(
    Effect.timeoutOrElse({
      duration: startTimeout,
      orElse: () => Effect.fail(startFailure(cluster, lastLines.join("\n"))),
    }),
  )
  return { processId: handle.pid, ended } satisfies Postmaster
})

// A process of the crashed Postgres may keep the pipe open for too long.
const readToEnd = <E>(reading: Fiber.Fiber<void, E>) =>
  Fiber.await(reading).pipe(
    Effect.timeoutOrElse({ duration: "1 second", orElse: () => Fiber.interrupt(reading) }),
  )

/** Whether a failed start may succeed on a newly chosen address. */
export const isTemporary = (error: { readonly message: string }): boolean =>
  // Parts of a killed Postgres have not ended yet, or another program took the port.
  /pre-existing shared memory block|could not create any TCP\/IP sockets/.test(error.message)

const startFailure = (cluster: Cluster, output: string): DatabaseUnavailable =>
  output.includes("database files are incompatible with server")
    ? new DatabaseUnavailable({
        reason: "OtherVersion",
        message:
          `The database in ${cluster.directory} was created by Postgres ${cluster.majorVersion}, ` +
          `which this version cannot open. Start the version that created it, dump it, ` +
          `and load the dump here.`,
      })
    : new DatabaseUnavailable({
        reason: "StartFailed",
        message: `Postgres did not start on ${cluster.directory}: ${failureReason(output)}`,
      })

// The embedded Postgres's settings, passed as `-c` arguments so that no file in the cluster is edited. Sized for one
// small machine: server and Postgres together stay below 200 MiB when idle. Settings that make a commit durable (fsync,
// synchronous_commit, full_page_writes) are stated, not tuned.
const durable = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" }

// The defaults cost tail latency, not throughput: checkpoints come too often.
const sized = {
  max_connections: "100",
  shared_buffers: "128MB",
  max_wal_size: "2GB",
  checkpoint_timeout: "15min",
  wal_buffers: "8MB",
  jit: "off",
  // Nothing subscribes here, and the process that would start subscriptions takes memory.
  max_logical_replication_workers: "0",
}

// Statements, parameters and key values may be personal data, so none reaches the log: statement errors go only to the
// client (log_min_messages), and the rest is terse.
const discreet = {
  logging_collector: "off",
  log_destination: "stderr",
  lc_messages: "C",
  log_timezone: "UTC",
  log_line_prefix: "%m [%p] ",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_statement: "none",
  log_min_duration_statement: "-1",
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
  log_connections: "off",
  log_checkpoints: "off",
}

/**
 * The arguments of `postgres` that apply the settings.
 *
 * `majorVersion`: the cluster's, because an older Postgres stops at an unknown setting.
 */
export const settings = (options: {
  readonly address: Address
  readonly majorVersion: number
}): ReadonlyArray<string> => {
  const isSocket = options.address.host.startsWith("/")
  const values = {
    ...durable,
    ...sized,
    ...discreet,
    // Postgres 18 starts three I/O workers by default; one is enough for a small machine.
    ...(options.majorVersion >= 18 ? { io_workers: "1" } : {}),
    listen_addresses: isSocket ? "" : options.address.host,
    unix_socket_directories: isSocket ? options.address.host : "",
    unix_socket_permissions: "0700",
    port: String(options.address.port),
  }
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`])
}
