// A lock between processes on one computer: a file that only one of them can create. It is released when the work
// ends; the lock of a dead process (kill -9) is taken over, and its temporary files are removed.

import { randomUUID } from "node:crypto"
import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"

/** Time between two attempts to take a held lock. */
const LOOK_INTERVAL_MS = 25

/**
 * Does the work while no other process does work under the same path.
 * Units: `waitMaxMs` 0 looks once. Errors: what `busy` makes, when the lock is not free in time; those
 * of the file system; those of the work.
 */
export const withFileLock = async <Result>(
  path: string,
  { waitMaxMs, busy }: { readonly waitMaxMs: number; readonly busy: () => Error },
  work: () => Promise<Result>,
): Promise<Result> => {
  const mark = `${process.pid} ${randomUUID()}`
  const deadlineMs = performance.now() + waitMaxMs
  while (!isTaken(path, mark)) {
    if (performance.now() >= deadlineMs) throw busy()
    await wait(LOOK_INTERVAL_MS)
  }
  const giveBack = (): void => rmSync(path, { force: true })
  // Ctrl-C ends the process in the middle of the work.
  process.once("exit", giveBack)
  try {
    return await work()
  } finally {
    process.off("exit", giveBack)
    giveBack()
  }
}

const isTaken = (path: string, mark: string): boolean => {
  if (isMade(path, mark)) return true
  const held = contentOf(path)
  if (held === null || isAlive(Number(held.split(" ")[0]))) return false
  buryDead(path, held)
  return isMade(path, mark)
}

/** The file is created with its content, so it is never seen empty. */
const isMade = (path: string, mark: string): boolean => {
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, mark, { mode: 0o600 })
    linkSync(draft, path)
    return true
  } catch (error) {
    if (isCode(error, "EEXIST")) return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/**
 * Takes a dead holder's file away. Two processes may try at once: only one of them gets the file, and
 * one that got a newer file, of a living holder, puts it back.
 */
const buryDead = (path: string, held: string): void => {
  const grave = `${path}.${process.pid}`
  try {
    renameSync(path, grave)
    if (readFileSync(grave, "utf8") !== held) linkSync(grave, path)
  } catch (error) {
    if (!isCode(error, "ENOENT") && !isCode(error, "EEXIST")) throw error
  } finally {
    rmSync(grave, { force: true })
  }
}

const contentOf = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if (isCode(error, "ENOENT")) return null
    throw error
  }
}

/** Text that is not a number is not a process id. */
const isAlive = (processId: number): boolean => {
  if (!Number.isInteger(processId) || processId <= 0) return false
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return !isCode(error, "ESRCH")
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code

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
    // It belongs to another user, or the folder cannot be listed: it does no harm.
  }
}
