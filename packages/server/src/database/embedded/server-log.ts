// What the embedded Postgres says, in a file of bounded size beside the cluster: at 5 MiB the file
// becomes `postgres.log.1`, replacing the one before. A full disk loses lines and nothing else.
import { Effect, FileSystem } from "effect"

/** Size at which the file is set aside, in bytes. Together the two files stay below twice this. */
export const logBytesMax = 5 * 1024 * 1024

export interface ServerLog {
  /** Adds a line. Never fails: Postgres must not wait for its log. */
  append(line: string): Effect.Effect<void>
}

/** Opens the log for appending. Only one process writes it: the one that started Postgres. */
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

// Picks the line that says what is wrong from what a Postgres program wrote. The first error is the
// cause and the later ones its consequences, except that a full disk always is the cause.
const isFullDisk = (line: string): boolean => line.includes("No space left on device")

const freeSpaceHint = "Check free disk space."

const isError = (line: string): boolean => /\b(error|fatal|panic):/i.test(line)

/** One line, without the time and process the log puts before it. */
export const complaint = (output: string): string => {
  const lines = output.split("\n").filter((line) => line.trim() !== "")
  const line = lines.find(isFullDisk) ?? lines.find(isError) ?? lines.at(-1)
  if (line === undefined) return "it stopped without a message"
  const bare = line.replace(/^.*? UTC \[\d+\] /, "")
  // A short write is how a nearly full disk shows; only the hint below it says so.
  return !isFullDisk(line) && output.includes(freeSpaceHint) ? `${bare} (${freeSpaceHint})` : bare
}
