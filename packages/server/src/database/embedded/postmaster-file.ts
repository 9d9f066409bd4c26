// Reads postmaster.pid, the file a running Postgres keeps in its cluster directory: who it is and
// where it listens. The file outlives a Postgres that was killed, so it is a claim, not a proof.
import { Effect, FileSystem, Option, Path } from "effect"

export interface PostmasterFile {
  readonly processId: number
  readonly port: number
  /** Directory of the Unix socket; empty when there is none. */
  readonly socketDirectory: string
  /** Address of the TCP socket; empty when there is none. */
  readonly listenAddress: string
  /** Whether it accepts connections. */
  readonly isReady: boolean
}

/** Where Postgres keeps the file of a cluster. */
export const postmasterFilePath = (path: Path.Path, directory: string): string =>
  path.join(directory, "postmaster.pid")

/** The content of the file. None: there is no file, or it is still being written. */
export const readPostmasterFile = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const file = postmasterFilePath(yield* Path.Path, directory)
  const text = yield* Effect.option(fs.readFileString(file))
  return Option.flatMap(text, parsePostmasterFile)
})

/** The lines are fixed by Postgres (pidfile.h): one value each, by number. */
export const parsePostmasterFile = (text: string): Option.Option<PostmasterFile> => {
  const lines = text.split("\n").map((line) => line.trim())
  const processId = Number(lines[0])
  if (!Number.isSafeInteger(processId) || processId <= 0) return Option.none()
  return Option.some({
    processId,
    port: Number(lines[3] ?? 0),
    socketDirectory: lines[4] ?? "",
    listenAddress: lines[5] ?? "",
    isReady: lines[7] === "ready",
  })
}
