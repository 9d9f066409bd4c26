// Postgres refuses to run as root. As root on Linux, its programs run through setpriv as the owner of the cluster
// directory, by default the unprivileged user 65534 (`nobody`), keeping the one capability needed to pass a parent
// directory only root may enter. For any other user nothing changes. The capability can't be dropped later, so running
// as root is for containers and trials.
import { Effect, FileSystem, Option } from "effect"
import { ChildProcess } from "effect/process"

const unprivilegedId = 65534

/** Whether this process is root, on systems that have root. */
const isRoot = (): boolean => process.getuid?.() === 0

const setprivOptions = [
  "--clear-groups",
  "--inh-caps=+dac_override",
  "--ambient-caps=+dac_override",
  "--securebits=+no_setuid_fixup",
]

/** A child process as the owner of `directory`, or as `nobody` if root owns it. */
export const commandAsOwner = Effect.fnUntraced(function* (options: {
  readonly directory: string
  readonly program: string
  readonly arguments: ReadonlyArray<string>
  readonly processOptions: ChildProcess.CommandOptions
}) {
  if (!isRoot())
    return ChildProcess.make(options.program, options.arguments, options.processOptions)
  const info = yield* (yield* FileSystem.FileSystem).stat(options.directory)
  const userId = Option.filter(info.uid, (id) => id !== 0).pipe(
    Option.getOrElse(() => unprivilegedId),
  )
  const groupId = Option.filter(info.gid, (id) => id !== 0).pipe(
    Option.getOrElse(() => unprivilegedId),
  )
  return ChildProcess.make(
    "setpriv",
    [
      `--reuid=${userId}`,
      `--regid=${groupId}`,
      ...setprivOptions,
      options.program,
      ...options.arguments,
    ],
    options.processOptions,
  )
})

/** Gives a directory that this process just created to the user Postgres runs as. */
export const giveToOwner = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  if (isRoot()) yield* fs.chown(directory, unprivilegedId, unprivilegedId)
})
