// A plan as a file: everything that `apply` sends, so that it need not read the list again. The first line is the plan
// and the state of the list, then one rule per line, then a checksum. Only the owner can read it, because it contains
// addresses.

import { createHash, type Hash } from "node:crypto"
import {
  closeSync,
  createReadStream,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs"
import { createInterface } from "node:readline"
import { normalizeRule } from "@footfall/normal-form"
import { noCounts } from "@footfall/normal-form/reading"
import type { SuppressionRuleCounts } from "@footfall/sdk"
import { codeOf, unreadable, usageError } from "../errors/cli-error.ts"
import type { ChangeSpools } from "./changes.ts"
import type { ListPlan } from "./list-plan.ts"
import { SpoolWriter, spooledRules } from "./rule-spool.ts"

/** What the list looks like; every change of the list changes it. */
export interface ListState {
  readonly counts: SuppressionRuleCounts
  /** Id of the newest rule; null if the list is empty. */
  readonly newest: string | null
}

/** The first line. */
export interface PlanHeader {
  readonly footfallPlan: 1
  readonly organizationId: string
  readonly createdAt: string
  readonly list: ListState
  readonly plan: ListPlan
}

const START = '{"footfallPlan":'

const kinds = ["wanted", "additions", "removals"] as const satisfies ReadonlyArray<
  keyof ChangeSpools
>

/** Whether a file is a plan. */
export const isPlanFile = (path: string): boolean => {
  if (path === "-") return false
  try {
    const descriptor = openSync(path, "r")
    const bytes = Buffer.alloc(START.length)
    const length = readSync(descriptor, bytes, 0, bytes.length, 0)
    closeSync(descriptor)
    return bytes.toString("utf8", 0, length) === START
  } catch {
    // Reading the file reports why.
    return false
  }
}

/** Errors: usage, if a file exists that is not a plan. */
export const checkPlanFile = (path: string): void => {
  try {
    closeSync(openSync(path, "r"))
  } catch (error) {
    if (codeOf(error) === "ENOENT") return
    throw unreadable(path, error)
  }
  if (isPlanFile(path)) return
  throw usageError(`File already exists: ${path} (it is not a plan)`, "Choose another file.")
}

/** Replaces the file as a whole. Errors: usage, if it cannot be written. */
export const writePlan = (path: string, header: PlanHeader, spools: ChangeSpools): void => {
  const draft = `${path}.${process.pid}.part`
  try {
    const descriptor = openSync(draft, "w", 0o600)
    const hash = createHash("sha256")
    let buffered = ""
    const flush = (): void => {
      hash.update(buffered)
      const bytes = Buffer.from(buffered)
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
      buffered = ""
    }
    const write = (line: unknown): void => {
      buffered += `${JSON.stringify(line)}\n`
      if (buffered.length > 64 * 1024) flush()
    }
    write(header)
    for (const kind of kinds) {
      // Only a replacement sends the whole list.
      if (kind === "wanted" && header.plan.method !== "replace") continue
      for (const { type, value } of spooledRules(spools[kind])) write([kind, type, value])
    }
    flush()
    buffered = `${JSON.stringify({ sha256: hash.digest("hex") })}\n`
    writeSync(descriptor, buffered)
    closeSync(descriptor)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw usageError(`Can't write ${path} (${codeOf(error)}).`)
  }
}

/** A plan read from a file, with its rules counted. */
export interface PlanRead extends PlanHeader {
  readonly counts: Readonly<Record<(typeof kinds)[number], SuppressionRuleCounts>>
}

/** A line is much shorter, except for the first. In characters. */
const LINE_LENGTH_MAX = 1024 * 1024

/** Writes its rules to the spools. Errors: usage, for a file that is damaged or of another version. */
export const readPlan = async (path: string, spools: ChangeSpools): Promise<PlanRead> => {
  const writers = {
    wanted: new SpoolWriter(spools.wanted),
    additions: new SpoolWriter(spools.additions),
    removals: new SpoolWriter(spools.removals),
  }
  const counts = { wanted: noCounts(), additions: noCounts(), removals: noCounts() }
  const hash = createHash("sha256")
  let header: PlanHeader | null = null
  let isComplete = false
  const stream = createReadStream(path)
  try {
    for await (const line of createInterface({
      input: stream,
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      if (isComplete || line.length > LINE_LENGTH_MAX) throw damaged(path)
      if (header === null) {
        header = headerIn(path, line)
        hash.update(`${line}\n`)
        continue
      }
      const parsed: unknown = parse(path, line)
      if (!Array.isArray(parsed)) {
        isComplete = isChecksum(parsed, hash)
        if (!isComplete) throw damaged(path)
        continue
      }
      hash.update(`${line}\n`)
      const [kind, type, value]: ReadonlyArray<unknown> = parsed
      const known = kinds.find((each) => each === kind)
      const rule = normalizeRule({ type, value })
      if (known === undefined || typeof rule === "string") throw damaged(path)
      counts[known][rule.type] += 1
      writers[known].add({ ...rule, file: 0, line: 0 })
    }
  } catch (error) {
    if (error instanceof Error && "syscall" in error) throw unreadable(path, error)
    throw error
  } finally {
    stream.destroy()
    for (const writer of Object.values(writers)) writer.close()
  }
  if (header === null || !isComplete) throw damaged(path)
  return { ...header, counts }
}

const headerIn = (path: string, line: string): PlanHeader => {
  const header = parse(path, line) as Partial<PlanHeader> | null
  if (header?.footfallPlan !== 1) {
    throw usageError(
      `${path} is a plan of another version.`,
      "Create it again with: footfall suppression plan",
    )
  }
  if (typeof header.plan?.server !== "string" || typeof header.list?.counts !== "object") {
    throw damaged(path)
  }
  return header as PlanHeader
}

const isChecksum = (parsed: unknown, hash: Hash): boolean =>
  typeof parsed === "object" &&
  parsed !== null &&
  "sha256" in parsed &&
  parsed.sha256 === hash.digest("hex")

const parse = (path: string, line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    throw damaged(path)
  }
}

const damaged = (path: string): Error =>
  usageError(
    `${path} is not a complete plan. Nothing was sent.`,
    "Create it again with: footfall suppression plan",
  )
