// Reads postmaster.pid, which a running Postgres keeps in its cluster directory: its process and where it listens. The
// file outlives a killed Postgres, so it may be stale.
import { Effect, FileSystem, Option, Path } from "effect"

export interface PostmasterFile {
  readonly processId: number
  readonly port: number
  /** Directory of the Unix socket; empty without one. */
  readonly socketDirectory: string
  /** Address of the TCP socket; empty without one. */
  readonly listenAddress: string
  /** Whether it accepts connections. */
  readonly isReady: boolean
}

/** Where Postgres keeps a cluster's file. */
export const postmasterFilePath = (path: Path.Path, directory: string): string =>
  path.join(directory, "postmaster.pid")

/** The file's content. None if there is no file or it is still being written. */
export const readPostmasterFile = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const file = postmasterFilePath(yield* Path.Path, directory)
  const text = yield* Effect.option(fs.readFileString(file))
  return Option.flatMap(text, parsePostmasterFile)
})

/** Postgres fixes the lines (pidfile.h): one value each, by number. */
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
