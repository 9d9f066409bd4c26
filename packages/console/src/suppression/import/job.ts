// One import of a file of rules. It lives outside the screens, so it continues while the user is elsewhere.
import type {
  SuppressionAffectedPerson,
  SuppressionRuleInput,
  SuppressionRuleType,
} from "@footfall/sdk"
import { footfall, session } from "../../session/session.ts"
import { notify } from "../../ui/notices.tsx"
import { count } from "../../ui/time.tsx"
import {
  forgetJournal,
  isOfFile,
  readJournal,
  writeJournal,
  type ImportJournal,
} from "./journal.ts"
import { Reader } from "./reader.ts"
import {
  rulesPerRequest,
  type LayoutOptions,
  type Changes,
  type FileFormat,
  type Reading,
} from "./messages.ts"
import { isolated } from "../../ui/isolated.ts"

/** The effect of adding all rules. */
export interface Effect {
  readonly wouldAdd: number
  readonly duplicates: number
  readonly affectedVisitors: number
  /** A few of them. */
  readonly sample: ReadonlyArray<SuppressionAffectedPerson>
  /** Whether each person counts once. If not, the figure is an upper bound. */
  readonly isExact: boolean
}

export interface Progress {
  readonly done: number
  readonly total: number
  /** Seconds until the server accepts more; 0 if it does now. */
  readonly waitSeconds: number
}

/** The result of the import. */
export interface Outcome {
  readonly added: number
  readonly duplicates: number
  readonly removed: number
  /** Rules that the server rejected. This only happens if the server has another version. */
  readonly refused: number
}

/** `stopped`: rules already sent stay, and the rest wasn't sent. */
export type ImportStep =
  | ("none" | "reading" | "unclear" | "ready" | "comparing" | "compared")
  | ("sending" | "stopped" | "done")

export interface ImportState {
  readonly step: ImportStep
  readonly organizationId: string | null
  readonly file: File | null
  readonly asked: LayoutOptions
  readonly format: FileFormat | null
  /** In bytes during reading. */
  readonly progress: Progress
  readonly rows: number
  readonly reading: Reading | null
  /** Null until known, and for files that would take too many requests. */
  readonly effect: Effect | null
  /** From an interrupted import of this file. */
  readonly journal: ImportJournal | null
  /** Null for the whole list. */
  readonly types: ReadonlyArray<SuppressionRuleType> | null
  readonly changes: Changes | null
  readonly outcome: Outcome | null
  readonly error: unknown
}

const noProgress = { done: 0, total: 0, waitSeconds: 0 }
const noOutcome = { added: 0, duplicates: 0, removed: 0, refused: 0 }

const nothing: ImportState = {
  step: "none",
  organizationId: null,
  file: null,
  asked: { type: undefined, column: undefined, hasHeader: undefined },
  format: null,
  progress: noProgress,
  rows: 0,
  reading: null,
  effect: null,
  journal: null,
  types: null,
  changes: null,
  outcome: null,
  error: null,
}

/**
 * Above this, don't ask the server whom the rules affect: these requests count against the same rate limit as the
 * import.
 */
export const previewRulesMax = 4 * rulesPerRequest

/** A request may wait for other writes to the same list. */
const timeoutMs = 120_000

/** The server's maximum. spec 5.5.2 */
const pageSize = 5_000

class ImportJob {
  #state = nothing
  #reader: Reader | undefined
  #stop = new AbortController()
  readonly #listeners = new Set<() => void>()

  constructor() {
    let userId = session.identity()?.userId
    session.subscribe(() => {
      const before = userId
      userId = session.identity()?.userId
      if (before !== undefined && before !== userId) this.reset()
    })
    addEventListener("beforeunload", (event) => {
      if (this.#state.step === "sending") event.preventDefault()
    })
  }

  readonly state = (): ImportState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Drops the file. Rules already sent stay. */
  reset(): void {
    this.#begin()
    this.#reader?.close()
    this.#reader = undefined
    this.#become(nothing)
  }

  choose(file: File, organizationId: string): Promise<void> {
    const journal = readJournal(organizationId)
    const isSame = journal !== null && isOfFile(journal, file)
    this.#become({ ...nothing, organizationId, file, journal: isSame ? journal : null })
    return this.ask(isSame ? journal.asked : nothing.asked)
  }

  /** Reads the file with the user's settings. */
  async ask(asked: LayoutOptions): Promise<void> {
    const signal = this.#begin()
    const { file, journal, organizationId } = this.#state
    if (file === null) return
    this.#reader?.close()
    const reader = new Reader(file, ({ bytes, rejectedCount: _, rows }) => {
      if (!signal.aborted) {
        this.#change({ progress: { done: bytes, total: file.size, waitSeconds: 0 }, rows })
      }
    })
    this.#reader = reader
    this.#become({ ...nothing, step: "reading", organizationId, file, journal, asked })
    await this.#run(signal, "unclear", async () => {
      const format = await reader.call("detectFormat", asked)
      this.#change({ format })
      if (format.layout === null) return this.#change({ step: "unclear" })
      const reading = await reader.call("read")
      this.#change({ step: "ready", reading })
      await this.#preview(reading, signal)
    })
  }

  /** Adds the rules that an earlier attempt didn't add. */
  async add(): Promise<void> {
    const signal = this.#begin()
    const { journal, reading } = this.#state
    if (reading === null) return
    const skipped = journal?.done ?? 0
    this.#send(reading.rules, skipped)
    await this.#run(signal, "stopped", async () => {
      let refused = 0
      const upload = await footfall.suppression.upload(this.#each("all", skipped, signal), {
        rowsPerRequest: rulesPerRequest,
        timeoutMs,
        signal,
        onWait: (seconds) => this.#advance(0, seconds),
        onProgress: ({ added, duplicates, rejectedCount, rowsDone }) => {
          refused = rejectedCount
          this.#note({
            done: skipped + rowsDone,
            added: (journal?.added ?? 0) + added,
            duplicates: (journal?.duplicates ?? 0) + duplicates,
          })
        },
      })
      this.#finish({
        ...noOutcome,
        added: (journal?.added ?? 0) + upload.added,
        duplicates: (journal?.duplicates ?? 0) + upload.duplicates,
        refused,
      })
    })
  }

  /** Reads the list and compares it with the file. `types`: only rules of these types; null for all. */
  async compare(types: ReadonlyArray<SuppressionRuleType> | null): Promise<void> {
    const signal = this.#begin()
    const reader = this.#reader
    if (reader === undefined) return
    this.#change({ step: "comparing", types, changes: null, error: null, progress: noProgress })
    await this.#run(signal, "ready", async () => {
      await reader.call("forgetList")
      for (const type of types ?? [undefined]) {
        const list = footfall.suppression.list({ type, limit: pageSize }, { signal, timeoutMs })
        for await (const { data, meta } of list.pages()) {
          await reader.call("compare", data)
          const { done } = this.#state.progress
          this.#change({
            progress: { done: done + data.length, total: meta.filteredTotal, waitSeconds: 0 },
          })
        }
      }
      this.#change({ step: "compared", changes: await reader.call("difference") })
    })
  }

  /**
   * Makes the list match the file. If one request can hold it, this is one step. Otherwise it adds first and then
   * removes.
   */
  async replace(): Promise<void> {
    const signal = this.#begin()
    const { changes, reading, types } = this.#state
    const reader = this.#reader
    if (changes === null || reading === null || reader === undefined) return
    const [additions, removals] = [sumOf(changes.additions), sumOf(changes.removals)]
    this.#send(additions + removals, 0)
    await this.#run(signal, "stopped", async () => {
      const outcome = { ...noOutcome, added: additions, removed: removals }
      if (reading.rules <= rulesPerRequest) {
        await this.#replaceAtOnce(types, reading, signal)
        return this.#finish(outcome)
      }
      // Add first, so that no one who stays suppressed drops off the list for a moment.
      await this.#chunks("additions", signal, (rules) =>
        footfall.suppression.add(rules, { signal, timeoutMs, maxRetries: 8 }),
      )
      await this.#chunks("removals", signal, (rules) =>
        footfall.suppression.remove({ rules }, { signal, timeoutMs, maxRetries: 8 }),
      )
      this.#finish(outcome)
    })
  }

  /** Rules already sent stay. */
  stop(): void {
    this.#begin()
    this.#change({ step: "stopped", error: null })
  }

  async #replaceAtOnce(
    types: ReadonlyArray<SuppressionRuleType> | null,
    reading: Reading,
    signal: AbortSignal,
  ): Promise<void> {
    const rules: Array<SuppressionRuleInput> = []
    await this.#chunks("all", signal, async (chunk) => rules.push(...chunk))
    const params = types === null ? { rules, confirmClearAll: reading.isEmpty } : { rules, types }
    await footfall.suppression.replace(params, { signal, timeoutMs })
  }

  async #preview({ rules }: Reading, signal: AbortSignal): Promise<void> {
    if (rules === 0 || rules > previewRulesMax) return
    const sums = { wouldAdd: 0, duplicates: 0, affectedVisitors: 0 }
    let sample: ReadonlyArray<SuppressionAffectedPerson> = []
    await this.#chunks("all", signal, async (chunk) => {
      const effect = await footfall.suppression.preview(chunk, { signal, timeoutMs })
      sums.wouldAdd += effect.wouldAdd
      sums.duplicates += effect.duplicates
      sums.affectedVisitors += effect.affectedVisitors
      if (sample.length === 0) sample = effect.sample
    })
    if (!signal.aborted)
      this.#change({ effect: { ...sums, sample, isExact: rules <= rulesPerRequest } })
  }

  /**
   * Yields all rules, starting at the next chunk. Never sends them to an organization other than
   * the one chosen.
   */
  async *#each(which: "all", skip: number, signal: AbortSignal) {
    await this.#reader?.call("start", which, skip)
    for (;;) {
      const chunk = (await this.#reader?.call("next")) ?? []
      if (chunk.length === 0) return
      await this.#checkOrganization(signal)
      yield* chunk
    }
  }

  async #chunks(
    which: "all" | "additions" | "removals",
    signal: AbortSignal,
    use: (rules: ReadonlyArray<SuppressionRuleInput>) => Promise<unknown>,
  ): Promise<void> {
    await this.#reader?.call("start", which)
    while (!signal.aborted) {
      const chunk = (await this.#reader?.call("next")) ?? []
      if (chunk.length === 0) return
      await this.#checkOrganization(signal)
      await use(chunk)
      if (this.#state.step === "sending") this.#advance(chunk.length, 0)
    }
  }

  async #checkOrganization(signal: AbortSignal): Promise<void> {
    const { organization } = await footfall.auth.me({ signal })
    if (organization.id === this.#state.organizationId) return
    throw new Error("You are in another organization now. Switch back to continue the import.")
  }

  #begin(): AbortSignal {
    this.#stop.abort()
    this.#stop = new AbortController()
    return this.#stop.signal
  }

  /** An error shows at the step `failed`, unless something else has started meanwhile. */
  async #run(signal: AbortSignal, failed: ImportStep, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!signal.aborted) this.#change({ step: failed, error })
    }
  }

  #send(total: number, done: number): void {
    this.#change({ step: "sending", error: null, progress: { done, total, waitSeconds: 0 } })
  }

  #advance(count: number, waitSeconds: number): void {
    const { progress } = this.#state
    this.#change({ progress: { ...progress, done: progress.done + count, waitSeconds } })
  }

  #note(sent: Pick<ImportJournal, "done" | "added" | "duplicates">): void {
    const { asked, file, organizationId, progress, reading } = this.#state
    if (file === null || reading === null || organizationId === null) return
    const { lastModified: modifiedMs, name, size } = file
    const { rules } = reading
    const journal = { organizationId, name, size, modifiedMs, asked, rules, ...sent }
    writeJournal(journal)
    this.#change({ journal, progress: { ...progress, done: sent.done, waitSeconds: 0 } })
  }

  #finish(outcome: Outcome): void {
    forgetJournal()
    this.#change({ step: "done", outcome, journal: null })
    const { added, removed } = outcome
    const gone = removed === 0 ? "" : `, ${count(removed)} removed`
    notify({
      text: isolated`${this.#state.file?.name ?? "Import"}: ${count(added)} rules added${gone}`,
    })
  }

  #change(changes: Partial<ImportState>): void {
    this.#become({ ...this.#state, ...changes })
  }

  #become(state: ImportState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

export const sumOf = (counts: Readonly<Record<SuppressionRuleType, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

export const importJob = new ImportJob()
