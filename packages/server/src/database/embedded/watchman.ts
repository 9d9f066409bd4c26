// Ends Postgres when this process has ended in any way: by `process.exit`, by an uncaught error, or killed. A shell of
// its own session reads a pipe that this process holds and never writes to. The end of the pipe is the end of this
// process. Postgres then gets the same fast shutdown as on a regular end, so the next start has nothing to recover.
// Windows has no such signal, and the next start recovers there.
import { Effect, Path, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { postmasterFilePath } from "./postmaster-file.ts"

// The file names the process until it has ended, so no other process that has its id by now is ended.
const program = `trap "" HUP INT TERM
read -r _
read -r id < "$2" && [ "$id" = "$1" ] && kill -INT "$id"`

/** Watches over the Postgres of a cluster until the scope closes. Without a shell it is not watched. */
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
