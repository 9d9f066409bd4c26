// Writes the embedded Postgres's output to a file of limited size beside the cluster: at 5 MiB it becomes
// `postgres.log.1`, replacing the previous one. A full disk only loses lines.
import { Effect, FileSystem } from "effect"

/** Size in bytes at which the file is rotated. Both files together stay below twice this. */
export const logBytesMax = 5 * 1024 * 1024

export interface ServerLog {
  /** Appends a line. Never fails, because Postgres must not wait for its log. */
  append(line: string): Effect.Effect<void>
}

/** Opens the log for appending. Only the process that started Postgres writes it. */
export const openServerLog = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  let bytes = yield* fs.stat(file).pipe(
    Effect.map((info) => Number(info.size)),
    Effect.orElseSucceed(() => 0),
  )
  const append = (line: string) =>
    Effect.gen(function* () {
      const text = `${line}\n`
      const size = Buffer.byteLength(text)
      if (bytes > 0 && bytes + size > logBytesMax) {
        yield* fs.rename(file, `${file}.1`)
        bytes = 0
      }
      yield* fs.writeFileString(file, text, { flag: "a", mode: 0o600 })
      bytes += size
    }).pipe(Effect.ignore)
  return { append } satisfies ServerLog
})

// Picks the line that explains a failure from a Postgres program's output. The first error is the cause and later ones
// are its consequences, except that a full disk is always the cause.
const isFullDisk = (line: string): boolean => line.includes("No space left on device")

const freeSpaceHint = "Check free disk space."

const isError = (line: string): boolean => /\b(error|fatal|panic):/i.test(line)

/** One line, without the log's time and process prefix. */
export const failureReason = (output: string): string => {
  const lines = output.split("\n").filter((line) => line.trim() !== "")
  const line = lines.find(isFullDisk) ?? lines.find(isError) ?? lines.at(-1)
  if (line === undefined) return "it stopped without a message"
  const bare = line.replace(/^.*? UTC \[\d+\] /, "")
  // A nearly full disk shows as a short write; only the hint below says so.
  return !isFullDisk(line) && output.includes(freeSpaceHint) ? `${bare} (${freeSpaceHint})` : bare
}
