// A lock between processes on one computer: a file that only one of them can create. It is released
// when the work ends. The lock of a dead process (kill -9) is taken over, and its temporary files
// are removed.

import { randomUUID } from "node:crypto"
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"

/** Time between two attempts to take a held lock. */
const POLL_INTERVAL_MS = 25

/**
 * Does the work while no other process does work under the same path. Units: `waitMaxMs` in
 * milliseconds; 0 tries once. Errors: the result of `busy`, if the lock does not become free in
 * time; those of the file system; those of the work.
 */
export const withFileLock = async <Result>(
  path: string,
  { waitMaxMs, busy }: { readonly waitMaxMs: number; readonly busy: () => Error },
  work: () => Promise<Result>,
): Promise<Result> => {
  const owner = `${process.pid} ${randomUUID()}`
  const deadlineMs = performance.now() + waitMaxMs
  while (!tryLock(path, owner)) {
    if (performance.now() >= deadlineMs) throw busy()
    await wait(POLL_INTERVAL_MS)
  }
  const release = (): void => rmSync(path, { force: true })
  // Ctrl-C ends the process during the work.
  process.once("exit", release)
  try {
    return await work()
  } finally {
    process.off("exit", release)
    release()
  }
}

const tryLock = (path: string, owner: string): boolean => {
  if (tryCreate(path, owner)) return true
  const content = contentOf(path)
  if (content === null || isAlive(Number(content.split(" ")[0]))) return false
  removeDeadLock(path, content)
  return tryCreate(path, owner)
}

/** The file is created with its content, so no process ever sees it empty. */
const tryCreate = (path: string, owner: string): boolean => {
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, owner, { mode: 0o600 })
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
 * Removes the lock file of a dead process. If two processes try at once, only one gets the file. If
 * it got the newer lock of a live process, it puts that lock back.
 */
const removeDeadLock = (path: string, content: string): void => {
  const moved = `${path}.${process.pid}`
  try {
    renameSync(path, moved)
    if (readFileSync(moved, "utf8") !== content) linkSync(moved, path)
  } catch (error) {
    if (!isCode(error, "ENOENT") && !isCode(error, "EEXIST")) throw error
  } finally {
    rmSync(moved, { force: true })
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

/** Removes `PATH.PID` and `PATH.PID.part` of processes that have ended. Skips whatever cannot be read or removed. */
export const removeDeadDrafts = (path: string): void => {
  const start = `${basename(path)}.`
  try {
    for (const name of readdirSync(dirname(path))) {
      const [, processId] =
        (name.startsWith(start) && /^(\d+)(\.part)?$/.exec(name.slice(start.length))) || []
      if (processId === undefined || isAlive(Number(processId))) continue
      rmSync(join(dirname(path), name), { force: true })
    }
  } catch {
    // Another user owns it, or the folder cannot be listed. That does no harm.
  }
}
