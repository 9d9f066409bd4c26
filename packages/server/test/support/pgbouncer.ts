// PgBouncer in transaction mode before a Postgres, as an operator would run it: a real process with its own
// configuration. It refuses to run as root, so then it runs as the owner of the database's files.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, stat, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { freePort } from "../../../sdk/test/support/free-port.ts"
import { attempted } from "./attempted.ts"
import { pgBouncerPath } from "../../../../scripts/test-run/programs.ts"

export interface PgBouncer {
  readonly port: number
  stop(): Promise<void>
}

export interface PgBouncerOptions {
  /** The directory of Postgres's socket. */
  readonly host: string
  readonly serverPort: number
  readonly user: string
  /** For its configuration. */
  readonly folder: string
  /** Sessions of Postgres that all clients share. */
  readonly poolSize: number
}

/** Parameters that a server sends when a session begins. PgBouncer refuses the connection unless it ignores them. */
const passedOver = "statement_timeout,lock_timeout,idle_in_transaction_session_timeout"

export const startPgBouncer = async (options: PgBouncerOptions): Promise<PgBouncer> => {
  const directory = await mkdtemp(join(options.folder, "pgbouncer-"))
  const port = await freePort()
  const file = join(directory, "pgbouncer.ini")
  await writeFile(
    file,
    `[databases]
* = host=${options.host} port=${options.serverPort} user=${options.user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${options.poolSize}
max_client_conn = 500
ignore_startup_parameters = ${passedOver}
log_connections = 0
log_disconnections = 0
`,
    { mode: 0o644 },
  )
  const child = await launch(file, options.host)
  await attempted(() => answers(port), { timeout: 30_000, interval: 50 })
  return {
    port,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill("SIGKILL")
      await once(child, "exit")
    },
  }
}

const launch = async (file: string, host: string): Promise<ChildProcess> => {
  if (process.getuid?.() !== 0) return spawn(pgBouncerPath, ["-q", file], { stdio: "ignore" })
  const { gid, uid } = await stat(host)
  // Run like Postgres itself: with access to directories of root above its own.
  const options = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    "--clear-groups",
    "--pdeathsig=KILL",
    "--inh-caps=+dac_override",
    "--ambient-caps=+dac_override",
    "--securebits=+no_setuid_fixup",
  ]
  return spawn("setpriv", [...options, pgBouncerPath, "-q", file], { stdio: "ignore" })
}

const answers = async (port: number): Promise<void> => {
  const socket = connect(port, "127.0.0.1")
  try {
    await once(socket, "connect")
  } finally {
    socket.destroy()
  }
}
