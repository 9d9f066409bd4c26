// The journal of an unfinished import, next to its first file, so that a later import sends only
// the rest: FILE.footfall-import.json, always replaced as a whole.

import { createHash } from "node:crypto"
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from "node:fs"
import { unreadable, usageError } from "../errors/cli-error.ts"
import type { Prepared } from "./prepared.ts"
import type { SpooledRule } from "./rule-spool.ts"

/** What must be the same to resume an import. */
export interface ImportBinding {
  readonly server: string
  readonly organizationId: string
  readonly type: string | null
  readonly column: string | null
  readonly files: ReadonlyArray<{
    readonly file: string
    readonly size: number
    /** SHA-256 of the start of the file. */
    readonly head: string
  }>
}

/** The progress of an import. */
export interface ImportJournal {
  readonly version: 1
  readonly binding: ImportBinding
  readonly prepared: Prepared
  /** Bytes of the spool whose rules are stored on the server. */
  readonly bytesDone: number
  readonly rulesDone: number
  readonly added: number
  /** Rules that already existed, including those of a request that was sent twice. */
  readonly duplicates: number
  /** Rules that the command line accepted and the server rejected. */
  readonly refusedCount: number
  /** Some of those rules. */
  readonly refused: ReadonlyArray<SpooledRule & { readonly reason: string }>
  /** The organization's rules after the last request; null before the first. */
  readonly total: number | null
}

/** Bytes of a file that are hashed. */
const HEAD_BYTES = 1024 * 1024

/** Errors: usage, if a file cannot be read. */
export const boundFile = (file: string): ImportBinding["files"][number] => {
  try {
    const descriptor = openSync(file, "r")
    try {
      const bytes = Buffer.alloc(HEAD_BYTES)
      const length = readSync(descriptor, bytes, 0, HEAD_BYTES, 0)
      const head = createHash("sha256").update(bytes.subarray(0, length)).digest("hex")
      return { file, size: fstatSync(descriptor).size, head }
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** Null if there is none. Errors: usage, if the file is not a journal. */
export const readJournal = (path: string): ImportJournal | null => {
  try {
    const journal: unknown = JSON.parse(readFileSync(path, "utf8"))
    if (isJournal(journal)) return journal
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null
  }
  throw usageError(`${path} is not an import journal.`, "Add --restart to start over.")
}

/** Replaces the journal atomically. */
export const writeJournal = (path: string, journal: ImportJournal): void => {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(journal)}\n`, { mode: 0o600 })
  renameSync(draft, path)
}

/** Checks the numbers. `binding` says whether it belongs to this import. */
const isJournal = (content: unknown): content is ImportJournal => {
  if (typeof content !== "object" || content === null) return false
  const { version, binding, prepared, bytesDone, rulesDone, added, duplicates } =
    content as Partial<Record<keyof ImportJournal, unknown>>
  return (
    version === 1 &&
    [binding, prepared].every((part) => typeof part === "object" && part !== null) &&
    [bytesDone, rulesDone, added, duplicates].every(
      (count) => Number.isSafeInteger(count) && Number(count) >= 0,
    )
  )
}
