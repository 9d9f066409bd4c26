// What processes that were killed left behind: drafts that carry the number of their process, which would
// have got another name or gone.

import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { isAlive } from "./file-lock.ts"

/** Removes `PATH.PID` and `PATH.PID.part` of processes that are gone. */
export const removeDeadDrafts = (path: string): void => {
  const name = basename(path)
  removeDead(dirname(path), (each) =>
    each.startsWith(`${name}.`) ? /^(\d+)(\.part)?$/.exec(each.slice(name.length + 1)) : null,
  )
}

/**
 * A new folder in the system's temporary one, that only its owner can read. Those of this name whose process
 * was killed are removed.
 */
export const makeTemporaryFolder = (name: string): string => {
  const prefix = `footfall-${name}-`
  removeDead(tmpdir(), (each) =>
    each.startsWith(prefix) ? /^(\d+)-\w{6}$/.exec(each.slice(prefix.length)) : null,
  )
  return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
}

/** `owner`: finds the number of the process in a name. What cannot be read or removed stays. */
const removeDead = (folder: string, owner: (name: string) => RegExpExecArray | null): void => {
  try {
    for (const name of readdirSync(folder)) {
      const [, processId] = owner(name) ?? []
      if (processId === undefined || isAlive(Number(processId))) continue
      rmSync(join(folder, name), { recursive: true, force: true })
    }
  } catch {
    // Somebody else's, or a folder that may not be listed: it is in nobody's way.
  }
}
