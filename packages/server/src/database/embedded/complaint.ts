// Picks the line that says what is wrong from what a Postgres program wrote. The first error is the
// cause and the later ones its consequences, except that a full disk always is the cause.

const isFullDisk = (line: string): boolean => line.includes("No space left on device")

const freeSpaceHint = "Check free disk space."

const isError = (line: string): boolean => /\b(error|fatal|panic):/i.test(line)

/** One line, without the time and process the log puts before it. */
export const complaint = (output: string): string => {
  const lines = output.split("\n").filter((line) => line.trim() !== "")
  const line = lines.find(isFullDisk) ?? lines.find(isError) ?? lines.at(-1)
  if (line === undefined) return "it ended without a word"
  const bare = line.replace(/^.*? UTC \[\d+\] /, "")
  // A short write is how a nearly full disk shows; only the hint below it says so.
  return !isFullDisk(line) && output.includes(freeSpaceHint) ? `${bare} (${freeSpaceHint})` : bare
}
