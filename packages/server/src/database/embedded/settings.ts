// The settings of the embedded Postgres, as `-c` arguments so that no file of the cluster is
// edited. Sized for one small machine: server and Postgres together stay below 200 MiB when idle.
// What makes a commit durable (fsync, synchronous_commit, full_page_writes) is stated, not tuned.
import type { Address } from "./address.ts"

const durable = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" }

// Stock settings cost tail latency, not throughput: checkpoints come too often.
const sized = {
  max_connections: "100",
  shared_buffers: "128MB",
  max_wal_size: "2GB",
  checkpoint_timeout: "15min",
  wal_buffers: "8MB",
  jit: "off",
}

// A statement, a parameter or a key value may be personal data, so none reaches the log: errors of
// statements go to the client alone (log_min_messages), and what remains is terse.
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
 * `majorVersion` is that of the cluster: a setting an older Postgres does not know stops it.
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
    // Three idle I/O workers are the default of 18; one is enough for a small machine.
    ...(options.majorVersion >= 18 ? { io_workers: "1" } : {}),
    listen_addresses: isSocket ? "" : options.address.host,
    unix_socket_directories: isSocket ? options.address.host : "",
    unix_socket_permissions: "0700",
    port: String(options.address.port),
  }
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`])
}
