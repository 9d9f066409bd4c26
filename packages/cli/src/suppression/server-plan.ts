// Files of rules or values of a list as a plan of the server (spec 5.16): sent, compared with the list, then applied or dropped. Nothing
// changes before the plan is applied, and then all of it at once, so a command that was interrupted is run again.

import { basename } from "node:path"
import {
  type AppliedFileImport,
  ApiError,
  BadRequestError,
  type Footfall,
  type FileImportMode,
  type FileImportPlan,
  type SuppressionRuleCounts,
  type SuppressionRuleType,
} from "@footfall/sdk"
import { SLOW_TIMEOUT_MS } from "../connection/connect.ts"
import { CliError, ExitCode, usageError } from "../errors/cli-error.ts"
import { isTemporary, withRetries } from "../retry/retry.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { reportWaits, showWork } from "../terminal/work.ts"
import { counted, duration, sizeText, timeLeftText } from "../ui/text.ts"
import { checkRejectedFile, writeRejectedFile } from "./rejected-file.ts"
import { type Source, sourceName } from "./source.ts"

/** What to send, and what the server should do with it. */
export interface PlanRequest {
  readonly sources: ReadonlyArray<Source>
  readonly mode: FileImportMode
  /** The list that the files are for; undefined for suppression rules. */
  readonly listId?: string | undefined
  readonly type: SuppressionRuleType | undefined
  readonly column: string | undefined
  /** Why the rules are there. */
  readonly note?: string | undefined
  /** Rows of other types are rejected, and their rules stay; undefined accepts all. */
  readonly types?: ReadonlyArray<SuppressionRuleType> | undefined
  /** Where the rejected rows of each file go; null writes none. */
  readonly rejectedFiles: ReadonlyArray<string | null>
}

/** What the server would do. */
export interface ServerPlan {
  readonly plan: FileImportPlan
  /** In the order of the request. */
  readonly files: ReadonlyArray<{
    readonly file: string
    /** The file with the rejected rows; null if there are none, or nowhere to write them. */
    readonly rejectedFile: string | null
  }>
}

/** Applies the plan as a whole. Sends nothing if nothing would change. */
export type Apply = (allowed?: { readonly allowEmpty: boolean }) => Promise<AppliedFileImport>

const kindOf = ({ listId }: PlanRequest) => (listId === undefined ? "suppression-rules" : "lists")

/** Files of one import. */ // spec 10.3
const filesMax = 100

/** Characters of a file's name. */ // spec 5.16
const nameLengthMax = 255

/** The server applies millions of rules in one transaction. */
const applyTimeoutMs = 300_000

/** Longer would keep Ctrl-C waiting. The server drops a plan after an hour in any case. */
const dropTimeoutMs = 3_000

/** The account of the key. Waits for a server that is down, and shows the wait. Errors: those of the server. */
export const accountShown = (terminal: Terminal, client: Footfall) =>
  withRetries(
    () => client.account.get({ maxRetries: 0, timeoutMs: SLOW_TIMEOUT_MS }),
    reportWaits(terminal),
  )

/** The sum over all types. */
export const sumOf = (counts: SuppressionRuleCounts): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/**
 * Gives the plan to `use`. Drops what `use` has not applied, even with Ctrl-C. Errors: usage, for a file that the server
 * can't read; `IMPORT_INTERRUPTED` (exit code 1), if the server or the network fails; whatever `use` throws.
 */
export const withPlan = async <Result>(
  terminal: Terminal,
  client: Footfall,
  request: PlanRequest,
  use: (planned: ServerPlan, apply: Apply) => Promise<Result>,
): Promise<Result> => {
  if (request.sources.length > filesMax) throw usageError(`At most ${filesMax} files at a time.`)
  for (const path of request.rejectedFiles) if (path !== null) checkRejectedFile(path)
  /** The import that waits on the server. */
  let waiting: string | null = null
  const drop = async (): Promise<void> => {
    if (waiting === null) return
    const importId = waiting
    waiting = null
    await client.fileImports
      .drop(kindOf(request), importId, { maxRetries: 0, timeoutMs: dropTimeoutMs })
      .catch(() => undefined)
  }
  const onPlan = ({ importId }: FileImportPlan): void => {
    waiting = importId
  }
  terminal.atInterrupt.add(drop)
  try {
    const plan = await sendShown(terminal, client, request, { onPlan, drop })
    const files = await writeRejected(client, request, plan)
    return await use({ plan, files }, async ({ allowEmpty } = { allowEmpty: false }) => {
      if (plan.new + plan.removed === 0) {
        return { added: 0, removed: 0, total: sumOf(plan.byType.stored) }
      }
      const applied = await applyShown(terminal, client, plan, allowEmpty)
      waiting = null
      return applied
    })
  } finally {
    terminal.atInterrupt.delete(drop)
    await drop()
  }
}

const sendShown = async (
  terminal: Terminal,
  client: Footfall,
  request: PlanRequest,
  held: {
    readonly onPlan: (plan: FileImportPlan) => void
    readonly drop: () => Promise<void>
  },
): Promise<FileImportPlan> => {
  const { column, listId, mode, note, sources, type, types } = request
  const sending = new Sending(request)
  const work = await showWork(
    terminal,
    (elapsedMs) => sending.state(elapsedMs),
    () => "Interrupted. Nothing was changed. Run the command again.",
  )
  let plan: FileImportPlan | null = null
  let next = 0
  const sendRest = async (): Promise<FileImportPlan> => {
    for (; plan === null || next < sources.length; next += 1) {
      const { file } = sources[next]!
      plan = await client.fileImports.plan(
        kindOf(request),
        sending.chunks(next, work.update),
        { mode, type, types, column, note, list: listId, ...named(file), importId: plan?.importId },
        { timeoutMs: SLOW_TIMEOUT_MS },
      )
      held.onPlan(plan)
    }
    return plan
  }
  const send = async (): Promise<FileImportPlan> => {
    try {
      return await sendRest()
    } catch (error) {
      // The files before one that was refused still wait. A file whose response was lost may be among them or not.
      if (!(error instanceof ApiError && error.status === 429)) {
        plan = null
        next = 0
        await held.drop()
      }
      throw error
    }
  }
  const canRepeat = sources.every(({ size }) => size !== null)
  try {
    return await (canRepeat ? withRetries(send, work.waiting) : send())
  } catch (error) {
    throw sendError(error, client.baseUrl, request)
  } finally {
    work.end()
  }
}

/** The server shows the name to every member, so it is without the folders of this machine. */
const named = (file: string) =>
  ({
    name: basename(sourceName(file)).slice(-nameLengthMax),
    format: /\.(ndjson|jsonl)(\.gz)?$/i.test(file) ? "ndjson" : "csv",
  }) as const

/** Counts the bytes of the files as they are sent. */
class Sending {
  readonly #sources: ReadonlyArray<Source>
  readonly #existing: string
  readonly #bytes: Array<number> = []
  /** When the end of a file was sent, in the time of `performance.now()`; null while one is being sent. */
  #sentMs: number | null = null

  constructor({ listId, sources }: PlanRequest) {
    this.#sources = sources
    this.#existing = listId === undefined ? "the existing rules" : "the list"
  }

  async *chunks(index: number, onChunk: () => void): AsyncGenerator<Buffer, void, undefined> {
    this.#bytes.length = index
    this.#bytes.push(0)
    this.#sentMs = null
    for await (const chunk of this.#sources[index]!.read()) {
      this.#bytes[index]! += chunk.length
      onChunk()
      yield chunk
    }
    this.#sentMs = performance.now()
    onChunk()
  }

  /** What the screen shows. */
  state(elapsedMs: number) {
    const sources = this.#sources
    const what = sources.length === 1 ? sourceName(sources[0]!.file) : `${sources.length} files`
    const bytes = this.#bytes.reduce((sum, count) => sum + count, 0)
    if (this.#sentMs !== null) {
      const seconds = Math.floor((performance.now() - this.#sentMs) / 1000)
      return {
        title: `Comparing ${what} with ${this.#existing}`,
        fraction: null,
        figures: [`${sizeText(bytes)} sent`, duration(seconds)],
      }
    }
    const sizes = sources.map(({ size }) => size)
    const total = sizes.every((size) => size !== null)
      ? sizes.reduce((sum, size) => sum + size, 0)
      : null
    return {
      title: `Sending ${what}`,
      fraction: total === null || total === 0 ? null : Math.min(1, bytes / total),
      figures: [
        total === null ? sizeText(bytes) : `${sizeText(bytes)} of ${sizeText(total)}`,
        timeLeftText({ done: bytes, left: total === null ? null : total - bytes, elapsedMs }),
      ].filter((figure) => figure !== null),
    }
  }
}

/** What an error of a file's request means for the command. */
const sendError = (error: unknown, baseUrl: string, { listId }: PlanRequest): unknown => {
  if (isTemporary(error)) return interrupted(error, "Nothing was changed. Run the command again.")
  if (!(error instanceof ApiError)) return error
  if (error.status === 404 && listId === undefined) {
    return new CliError({
      code: "SERVER_TOO_OLD",
      message: `The server at ${baseUrl} does not read files of rules. Nothing was changed.`,
      exitCode: ExitCode.failed,
      nextStep: "It needs Footfall 0.3.0 or newer. Ask the server operator to update it.",
    })
  }
  if (error instanceof BadRequestError)
    return usageError(error.message, readingAdvice(error, listId !== undefined))
  return error.status === 413 ? usageError(error.message) : error
}

/** How many columns the advice offers. */
const choicesMax = 4

/** What to do about the file, or which options tell what it does not say. */
const readingAdvice = (
  { hint, unknownColumn }: BadRequestError,
  isOfList: boolean,
): string | undefined => {
  if (unknownColumn === null) return hint ?? undefined
  const { choices, missing } = unknownColumn
  if (choices.length > 0) {
    const options = choices
      .slice(0, choicesMax)
      .map(
        ({ column, type }) => `--column ${shellWord(column)}${isOfList ? "" : ` --type ${type}`}`,
      )
    return `Add ${options.join(", or ")}.`
  }
  if (!missing.includes("column")) return "Add --type email, domain, company_domain or industry."
  return `Add --column with a name or a number${missing.includes("type") ? ", and --type" : ""}.`
}

const shellWord = (text: string): string =>
  /^[\p{L}\p{N}_.-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

const interrupted = ({ message }: Error, nextStep: string): CliError =>
  new CliError({ code: "IMPORT_INTERRUPTED", message, exitCode: ExitCode.failed, nextStep })

const writeRejected = async (
  client: Footfall,
  request: PlanRequest,
  { files, importId }: FileImportPlan,
): Promise<ServerPlan["files"]> => {
  const { rejectedFiles, sources } = request
  const written: Array<ServerPlan["files"][number]> = []
  for (const [index, { file }] of sources.entries()) {
    const path = rejectedFiles[index] ?? null
    const hasRows = files[index]!.rejected > 0
    if (path !== null) {
      const rows = hasRows
        ? await client.fileImports.rejected(kindOf(request), importId, { file: index })
        : null
      await writeRejectedFile(path, rows)
    }
    written.push({ file, rejectedFile: hasRows ? path : null })
  }
  return written
}

const applyShown = async (
  terminal: Terminal,
  client: Footfall,
  { importId, kind, new: added, removed }: FileImportPlan,
  allowEmpty: boolean,
): Promise<AppliedFileImport> => {
  const isUnknown =
    "The server applies the plan as a whole, or not at all. To make sure, run the command again."
  const work = await showWork(
    terminal,
    (elapsedMs) => ({
      title: "Applying",
      fraction: null,
      figures: [counted(added + removed, "change"), duration(Math.floor(elapsedMs / 1000))],
    }),
    () => `Interrupted. ${isUnknown}`,
  )
  try {
    return await client.fileImports.apply(
      kind,
      { importId, allowRemovals: removed, allowEmpty },
      { timeoutMs: applyTimeoutMs },
    )
  } catch (error) {
    throw isTemporary(error) ? interrupted(error, isUnknown) : error
  } finally {
    work.end()
  }
}
