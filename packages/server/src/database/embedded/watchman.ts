// Ends Postgres when this process ends, however that happens: `process.exit`, an uncaught error, or a kill. A shell in
// its own session reads a pipe that this process holds and never writes to; when the pipe closes, this process is gone.
// Postgres then gets the same fast shutdown as on a regular exit, so the next start has nothing to recover. Windows has
// no such signal, and the next start recovers there.
import { Effect, Path, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { postmasterFilePath } from "./postmaster-file.ts"

// The file names the process until it ends, so a process that later gets its id is not killed.
const program = `trap "" HUP INT TERM
read -r _
read -r id < "$2" && [ "$id" = "$1" ] && kill -INT "$id"`

/** Watches a cluster's Postgres until the scope closes. Without a shell it does nothing. */
export const watchOver = Effect.fnUntraced(function* (options: {
  readonly processId: number
  readonly directory: string
}) {
  if (process.platform === "win32") return
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const file = postmasterFilePath(yield* Path.Path, options.directory)
  const command = ChildProcess.make(
    "sh",
    ["-c", program, "footfall-watchman", String(options.processId), file],
    { stdin: Stream.never, stdout: "ignore", stderr: "ignore", killSignal: "SIGKILL" },
  )
  yield* Effect.ignore(spawner.spawn(command))
})
