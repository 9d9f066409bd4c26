// Files in the repository that git doesn't track: built, created by a server, or forgotten. A test run must not add
// any.
import { spawnSync } from "node:child_process"

/** Untracked paths, including ignored ones. Empty if this is a copy without git. */
export const untrackedPaths = (): ReadonlySet<string> => {
  const options = ["--porcelain", "-z", "--ignored", "--untracked-files=normal"]
  const { status, stdout } = spawnSync("git", ["status", ...options], { encoding: "utf8" })
  if (status !== 0) return new Set()
  const entries = stdout.split("\0").filter((entry) => /^(\?\?|!!) /.test(entry))
  return new Set(entries.map((entry) => entry.slice(3)))
}
