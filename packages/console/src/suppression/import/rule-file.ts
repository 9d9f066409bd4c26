// A file of rules, read from disk in chunks: once to detect its format, once to count it, and once per use of its
// rules. Memory holds only the rows of one chunk, 8 bytes per rule, and the rules to remove. Runs in a worker.
import {
  DigestSet,
  encodingOf,
  fileKind,
  firstRows,
  freeMailWarning,
  HEAD_BYTES,
  isMost,
  isOfOtherTypes,
  layoutOf,
  noCounts,
  ReadingError,
  readRows,
  rejectedHeader,
  rejectedText,
  ruleName,
  tableIn,
  Tally,
  REPORTED_MAX,
  type Encoding,
  type Layout,
  type RejectedRow,
} from "@footfall/normal-form/reading"
import type { SuppressionRuleInput } from "@footfall/sdk"
import {
  rulesPerRequest,
  type LayoutOptions,
  type Changes,
  type FileFormat,
  type Reading,
  type ReadProgress,
} from "./messages.ts"

/** How many rows to show. */
const rowsShown = 6

/** How much text of rejected rows to collect before handing it to the browser. In characters. */
const partLength = 256 * 1024

export class RuleFile {
  readonly #file: File
  readonly #onProgress: (progress: ReadProgress) => void
  #layout: Layout | undefined
  #encoding: Encoding = "utf-8"
  #isCompressed = false
  #isEmpty = false
  readonly #newSet: () => DigestSet
  #tally = new Tally(undefined)
  #present: DigestSet
  #presentCounts = noCounts()
  #removalCounts = noCounts()
  #removals: Array<SuppressionRuleInput> = []
  #chunks: AsyncGenerator<ReadonlyArray<SuppressionRuleInput>, void, undefined> | undefined

  constructor(
    file: File,
    onProgress: (progress: ReadProgress) => void,
    newSet = () => new DigestSet(),
  ) {
    this.#newSet = newSet
    this.#present = newSet()
    this.#file = file
    this.#onProgress = onProgress
  }

  /** Errors: ReadingError if the file isn't text. */
  async detectFormat(asked: LayoutOptions): Promise<FileFormat> {
    const { name } = this.#file
    const first = await this.#head(false)
    const kind = fileKind(first.bytes)
    if (kind === "zip") {
      throw new ReadingError(`${name} is a ZIP archive or a workbook. Save it as CSV.`)
    }
    this.#isCompressed = kind === "gzip"
    const { bytes, isWhole } = this.#isCompressed ? await this.#head(true) : first
    const encoding = encodingOf(bytes)
    if (encoding === null) {
      throw new ReadingError(
        `${name} is not a text file in UTF-8 or UTF-16. Save it as CSV in UTF-8.`,
      )
    }
    this.#encoding = encoding
    const head = new TextDecoder(encoding).decode(bytes, { stream: true })
    this.#isEmpty = isWhole && head.trim() === ""
    const about = { encoding, isCompressed: this.#isCompressed }
    try {
      const layout = layoutOf({ head, isWhole, name, ...asked })
      this.#layout = layout
      const rows = firstRows(head, layout.delimiter).slice(0, rowsShown)
      return { layout, problem: null, rows, ...about }
    } catch (error) {
      if (!(error instanceof ReadingError)) throw error
      const { choices, message, missing, nextStep } = error
      const rows = (tableIn(head, asked)?.rows ?? firstRows(head, null)).slice(0, rowsShown)
      const text = nextStep === undefined ? message : `${message} ${nextStep}`
      return { layout: null, problem: { message: text, missing, choices }, rows, ...about }
    }
  }

  /** Reads the file to the end. Errors: ReadingError with the line. */
  async read(): Promise<Reading> {
    const tally = new Tally(undefined, this.#newSet())
    const rejected: Array<RejectedRow> = []
    const parts: Array<Blob> = []
    let text = rejectedHeader
    let bytes = 0
    for await (const rows of this.#rows((count) => (bytes += count))) {
      for (const row of rows) {
        const result = tally.take(row)
        if (result === null || !("reason" in result)) continue
        if (rejected.length < REPORTED_MAX) rejected.push(result)
        text += rejectedText(result)
      }
      if (text.length > partLength) {
        parts.push(new Blob([text]))
        text = ""
      }
      this.#onProgress({ bytes, rows: tally.rows, rejectedCount: tally.rejectedCount })
    }
    this.#tally = tally
    const { figures } = tally
    const rejectedFile =
      figures.rejectedCount === 0 ? null : new Blob([...parts, text], { type: "text/csv" })
    const warning = freeMailWarning(figures.freeMailDomains, figures.freeMailCount)
    return { ...figures, isEmpty: this.#isEmpty, rejected, rejectedFile, warning }
  }

  /** Sets which rules `next` returns, and how many to skip. */
  start(which: "all" | "additions" | "removals", skip = 0): void {
    const isIncluded =
      which === "all"
        ? () => true
        : (rule: SuppressionRuleInput) => !this.#present.has(ruleName(rule))
    this.#chunks = chunked(
      which === "removals" ? inOne(this.#removals) : this.#rules(isIncluded),
      skip,
    )
  }

  /** The next 25,000 rules, fewer at the end, then none. Errors: ReadingError if the file has changed. */
  async next(): Promise<ReadonlyArray<SuppressionRuleInput>> {
    const next = await this.#chunks?.next()
    return next === undefined || next.done === true ? [] : next.value
  }

  /** Forgets the rules passed to `compare` so far. */
  forgetList(): void {
    this.#present = this.#newSet()
    this.#presentCounts = noCounts()
    this.#removalCounts = noCounts()
    this.#removals = []
  }

  /**
   * Takes rules of the list to compare the file with. Errors: ReadingError if there are too many rules to tell apart,
   * because an unrecognized rule would be removed.
   */
  compare(rules: ReadonlyArray<SuppressionRuleInput>): void {
    if (this.#tally.hasOverflowed) throw tooMany(this.#file.name)
    for (const { type, value } of rules) {
      const rule = { type, value }
      // A rule added meanwhile shifts the pages, so count a repeated rule once.
      if (!this.#present.add(ruleName(rule))) continue
      if (this.#present.hasOverflowed) throw tooMany("The list")
      this.#presentCounts[type] += 1
      if (this.#tally.has(rule)) continue
      this.#removalCounts[type] += 1
      this.#removals.push(rule)
    }
  }

  /** The difference between the file and the rules passed to `compare`. */
  async difference(): Promise<Changes> {
    const additions = noCounts()
    for await (const rules of this.#rules((rule) => !this.#present.has(ruleName(rule)))) {
      for (const { type } of rules) additions[type] += 1
    }
    const present = Object.values(this.#presentCounts).reduce((sum, count) => sum + count, 0)
    return {
      present: this.#presentCounts,
      additions,
      removals: this.#removalCounts,
      firstRemovals: this.#removals.slice(0, REPORTED_MAX),
      isMost: isMost({ removals: this.#removals.length, present }),
      isOfOtherTypes:
        this.#removals.length > 0 &&
        isOfOtherTypes(this.#tally.figures.rulesByType, this.#presentCounts),
    }
  }

  async *#rules(
    isIncluded: (rule: SuppressionRuleInput) => boolean,
  ): AsyncGenerator<ReadonlyArray<SuppressionRuleInput>, void, undefined> {
    const tally = new Tally(undefined)
    for await (const rows of this.#rows(() => {})) {
      const rules: Array<SuppressionRuleInput> = []
      for (const row of rows) {
        const result = tally.take(row)
        if (result !== null && !("reason" in result) && isIncluded(result)) rules.push(result)
      }
      yield rules
    }
  }

  #rows(onBytes: (count: number) => void) {
    if (this.#layout === undefined) throw new Error("The file's format is unknown")
    const bytes = bytesOf(this.#file, this.#isCompressed, onBytes)
    return readRows(bytes, this.#layout, this.#file.name, this.#encoding)
  }

  async #head(isCompressed: boolean) {
    const chunks: Array<Uint8Array<ArrayBuffer>> = []
    let length = 0
    let isWhole = true
    for await (const chunk of bytesOf(this.#file, isCompressed, () => {})) {
      if (length >= HEAD_BYTES) {
        isWhole = false
        break
      }
      chunks.push(chunk)
      length += chunk.length
    }
    return { bytes: new Uint8Array(await new Blob(chunks).arrayBuffer()), isWhole }
  }
}

const tooMany = (who: string): ReadingError =>
  new ReadingError(
    `${who} has too many rules to compare (more than about 6,000,000). Nothing was changed.`,
  )

/** Errors: ReadingError if the file can no longer be read or its compression is broken. */
async function* bytesOf(
  file: File,
  isCompressed: boolean,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        onBytes(chunk.length)
        controller.enqueue(chunk)
      },
    }),
  )
  const stream = isCompressed ? counted.pipeThrough(new DecompressionStream("gzip")) : counted
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } catch {
    throw new ReadingError(
      isCompressed
        ? `Can't unpack ${file.name}: its compression is broken.`
        : `Can't read ${file.name}: it was changed, moved or deleted. Choose it again.`,
    )
  } finally {
    await reader.cancel().catch(() => {})
  }
}

async function* inOne<Item>(items: ReadonlyArray<Item>) {
  yield items
}

/** Skips the first `skip` items, then yields 25,000 at a time. */
async function* chunked<Item>(
  source: AsyncIterable<ReadonlyArray<Item>>,
  skip: number,
): AsyncGenerator<ReadonlyArray<Item>, void, undefined> {
  let left = skip
  let chunk: Array<Item> = []
  for await (const items of source) {
    for (const item of items) {
      if (left > 0) {
        left -= 1
        continue
      }
      chunk.push(item)
      if (chunk.length === rulesPerRequest) {
        yield chunk
        chunk = []
      }
    }
  }
  if (chunk.length > 0) yield chunk
}
