// A plan as a file: the bytes of the file that was planned, and what the list looked like. `apply` sends the same bytes
// again. The last line describes them and has a checksum. Only the owner can read it, because it contains addresses.

import type { FileImportPlan, SuppressionRuleType } from "@footfall/sdk"
import { createHash } from "node:crypto"
import {
  appendFileSync,
  closeSync,
  createReadStream,
  createWriteStream,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { codeOf, unreadable, usageError } from "../errors/cli-error.ts"
import { removeDeadDrafts } from "../profiles/file-lock.ts"
import { chunksOf, type Source } from "./source.ts"

/** What was planned. */
export interface PlanHeader {
  readonly server: string
  readonly organizationId: string
  readonly organization: string
  readonly createdAt: string
  /** The file that was planned. */
  readonly file: string
  readonly type: SuppressionRuleType | undefined
  readonly column: string | undefined
  readonly types: ReadonlyArray<SuppressionRuleType> | undefined
  readonly listVersion: string
  readonly new: number
  readonly removed: number
}

const start = '{"footfallPlan":'
const firstLine = `${start}2}\n`
/** The last line is much shorter. In bytes. */
const lastLineMax = 64 * 1024

/** Whether a file is a plan, of this version or another. */
export const isPlanFile = (path: string): boolean => {
  if (path === "-" || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false
  try {
    return textAt(path, 0, start.length) === start
  } catch {
    // Reading the file reports why.
    return false
  }
}

/** Errors: usage, if a file exists that is not a plan. */
export const checkPlanFile = (path: string): void => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || isPlanFile(path)) return
  throw usageError(`File already exists: ${path} (it is not a plan)`, "Choose another file.")
}

/** A plan file that has no name yet. */
export interface PlanDraft {
  /** Reads the copy of the file. */
  readonly source: Source
  /** Replaces the plan file as a whole. */
  readonly finish: (header: PlanHeader) => void
  readonly forget: () => void
}

/** Copies what is to be planned. Errors: usage, if it can't be read or written. */
export const draftPlan = async (path: string, source: Source): Promise<PlanDraft> => {
  removeDeadDrafts(path)
  const draft = `${path}.${process.pid}.part`
  const hash = createHash("sha256")
  const forget = (): void => rmSync(draft, { force: true })
  // Ctrl-C ends the process during the work.
  process.once("exit", forget)
  async function* content() {
    yield firstLine
    for await (const chunk of source.read()) {
      hash.update(chunk)
      yield chunk
    }
  }
  try {
    await pipeline(content, createWriteStream(draft, { mode: 0o600 }))
  } catch (error) {
    forget()
    throw error instanceof Error && "syscall" in error ? unwritable(path, error) : error
  }
  const size = statSync(draft).size - firstLine.length
  return {
    source: { ...source, size, read: () => chunksOf(bytesOf(draft, size), source.file) },
    finish: (header) => {
      try {
        const text = JSON.stringify(header)
        const sha256 = hash.update(text).digest("hex")
        appendFileSync(draft, `\n${JSON.stringify({ ...header, sha256 })}\n`)
        renameSync(draft, path)
      } catch (error) {
        throw unwritable(path, error)
      }
    },
    forget,
  }
}

const unwritable = (path: string, error: unknown): Error =>
  usageError(`Can't write ${path} (${codeOf(error)}).`)

/** A plan. Its source fails before the end if the bytes are not those that were planned. Errors: usage. */
export const readPlan = (
  path: string,
): { readonly header: PlanHeader; readonly source: Source } => {
  try {
    return planIn(path)
  } catch (error) {
    if (error instanceof Error && "syscall" in error) throw unreadable(path, error)
    throw error
  }
}

const planIn = (path: string): { readonly header: PlanHeader; readonly source: Source } => {
  if (textAt(path, 0, firstLine.length) !== firstLine) {
    throw usageError(`${path} is a plan of another version. Nothing was changed.`, again)
  }
  const { size } = statSync(path)
  const tail = textAt(path, Math.max(0, size - lastLineMax), lastLineMax)
  const lastLine = tail.slice(tail.lastIndexOf("\n", tail.length - 2) + 1)
  const { sha256, ...header } = lastLineIn(path, lastLine)
  const bytes = size - firstLine.length - Buffer.byteLength(lastLine) - 1
  if (bytes < 0 || typeof header.listVersion !== "string") throw damaged(path)
  async function* read() {
    const hash = createHash("sha256")
    for await (const chunk of chunksOf(bytesOf(path, bytes), path)) {
      hash.update(chunk)
      yield chunk
    }
    if (hash.update(JSON.stringify(header)).digest("hex") !== sha256) throw damaged(path)
  }
  return { header, source: { file: header.file, size: bytes, read } }
}

const lastLineIn = (path: string, line: string): PlanHeader & { readonly sha256: string } => {
  try {
    const header: unknown = line.endsWith("\n") ? JSON.parse(line) : null
    // The checksum covers it.
    if (typeof header === "object" && header !== null) return header as never
  } catch {
    // Not a whole line.
  }
  throw damaged(path)
}

/** Errors: usage, if the plan is for another organization or server. */
export const checkPlanTarget = (
  path: string,
  { organization, organizationId, server }: PlanHeader,
  baseUrl: string,
  own: { readonly id: string; readonly name: string },
): void => {
  if (server === baseUrl && organizationId === own.id) return
  throw usageError(
    `${path} is a plan for ${organization} on ${server}, not for ${own.name} on ${baseUrl}. Nothing was changed.`,
  )
}

/** Errors: usage, if applying would not do what the plan said. */
export const checkSamePlan = (path: string, planned: PlanHeader, plan: FileImportPlan): void => {
  const isSame =
    plan.listVersion === planned.listVersion &&
    plan.new === planned.new &&
    plan.removed === planned.removed
  if (isSame) return
  throw usageError(`The list has changed since ${path} was created. Nothing was changed.`, again)
}

const again = "Create it again with: footfall suppression plan"

const damaged = (path: string): Error =>
  usageError(`${path} is not a complete plan. Nothing was changed.`, again)

/** The copy of the file that was planned. */
const bytesOf = (path: string, size: number): AsyncIterable<Buffer> =>
  size === 0
    ? Readable.from([])
    : createReadStream(path, { start: firstLine.length, end: firstLine.length + size - 1 })

/** At most this many bytes from a position on. */
const textAt = (path: string, position: number, length: number): string => {
  const descriptor = openSync(path, "r")
  try {
    const bytes = Buffer.alloc(Math.min(length, Math.max(0, fstatSync(descriptor).size - position)))
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, position))
  } finally {
    closeSync(descriptor)
  }
}
