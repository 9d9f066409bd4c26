// What the system knows about a process id. Ids are reused, so a process is identified by its id and start time; a file
// that names a process can then be checked. Linux answers from /proc, other Unix systems through ps; Windows only says
// whether an id is taken.
import { Effect, FileSystem, Option } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"

/** Returns when the process started, in a form that is only good for comparing. None if it does not run. */
export const startOf = Effect.fnUntraced(function* (processId: number) {
  if (process.platform === "linux") return yield* linuxStart(processId)
  if (process.platform === "win32")
    return isTaken(processId) ? Option.some("running") : Option.none()
  return yield* ps(processId, "lstart=")
})

/** Whether the process is a Postgres server on this cluster directory. */
export const isPostmaster = Effect.fnUntraced(function* (options: {
  readonly processId: number
  readonly directory: string
}) {
  if (process.platform === "win32") return isTaken(options.processId)
  const command =
    process.platform === "linux"
      ? yield* linuxFile(options.processId, "cmdline")
      : yield* ps(options.processId, "command=")
  return Option.exists(
    command,
    (text) => text.includes("postgres") && text.includes(options.directory),
  )
})

const linuxFile = Effect.fnUntraced(function* (processId: number, name: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* Effect.option(fs.readFileString(`/proc/${processId}/${name}`))
})

// Field 22 counts clock ticks since boot, so the boot must be identified too. The program's name, field 2, may contain
// anything, so fields are counted from its closing parenthesis.
const linuxStart = Effect.fnUntraced(function* (processId: number) {
  const fs = yield* FileSystem.FileSystem
  const status = yield* linuxFile(processId, "stat")
  const fields = Option.map(status, (text) => text.slice(text.lastIndexOf(")") + 2).split(" "))
  const boot = yield* fs
    .readFileString("/proc/sys/kernel/random/boot_id")
    .pipe(Effect.orElseSucceed(() => ""))
  return fields.pipe(
    Option.filter(([state]) => state !== "Z" && state !== "X"),
    Option.map((values) => `${boot.trim()}:${values[19]}`),
  )
})

const ps = Effect.fnUntraced(function* (processId: number, column: string) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const output = yield* spawner
    .string(ChildProcess.make("ps", ["-ww", "-o", column, "-p", String(processId)]))
    .pipe(Effect.orElseSucceed(() => ""))
  return output.trim() === "" ? Option.none() : Option.some(output.trim())
})

const isTaken = (processId: number): boolean => {
  try {
    return process.kill(processId, 0)
  } catch {
    return false
  }
}
