// What is in the repository beside its files: built, made by a server, forgotten. A run of tests adds nothing.
import { spawnSync } from "node:child_process"

/** Untracked paths, the ignored too. Empty where this is no clone, but files without git. */
export const untrackedPaths = (): ReadonlySet<string> => {
  const options = ["--porcelain", "-z", "--ignored", "--untracked-files=normal"]
  const { status, stdout } = spawnSync("git", ["status", ...options], { encoding: "utf8" })
  if (status !== 0) return new Set()
  const entries = stdout.split("\0").filter((entry) => /^(\?\?|!!) /.test(entry))
  return new Set(entries.map((entry) => entry.slice(3)))
}
