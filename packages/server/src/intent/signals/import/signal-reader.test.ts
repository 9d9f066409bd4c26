import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ImportFormat } from "../../../people/imports/import-format.ts"
import { ImportRefused } from "../../../people/imports/import-refused.ts"
import { type RowCounts, RowReader } from "../../../people/imports/row-reader.ts"
import { CanonicalLines } from "./canonical-lines.ts"
import { columnsMax, firstColumns, hashWords, SignalColumns } from "./signal-columns.ts"
import { SignalReader } from "./signal-reader.ts"
import { signalReader, SignalScope } from "./signal-row.ts"

const hash = "0123456789abcdef".repeat(4)
/** Of the empty text. */
const hashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
const scope = () => new SignalScope(new Set([1, 7, 1234567890]), ["2026-01-01", "2026-03-01"])

interface Read {
  readonly rows: ReadonlyArray<unknown>
  readonly counts: RowCounts
}

const counted = ({ received, rejected, rejectedCount }: RowCounts) => ({
  received,
  rejected,
  rejectedCount,
})

const cut = (text: string, size: number): ReadonlyArray<Buffer> => {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}

const rowsOf = (all: ReadonlyArray<SignalColumns>, dates: ReadonlyArray<string>) =>
  all.flatMap((columns) =>
    Array.from({ length: columns.length }, (_, row) => ({
      topicId: columns.topicIds[row],
      emailHash: columns.bytesOf(Int32Array.of(row)).toString("hex"),
      score: columns.scores[row],
      date: dates[columns.dates[row]!],
      number: columns.numbers[row],
    })),
  )

/** Uses columns. */
const read = (text: string, format: ImportFormat, size: number): Read => {
  const at = scope()
  const reader = new SignalReader(at, format)
  const columns = [...cut(text, size).flatMap((chunk) => reader.push(chunk)), ...reader.end()]
  return { rows: rowsOf(columns, at.dates), counts: counted(reader.counts) }
}

/** Uses only the general reader. */
const readGenerally = (text: string, format: ImportFormat, size: number): Read => {
  const at = scope()
  const reader = new RowReader({
    format,
    reader: signalReader,
    neededColumns: [["topicId"], ["emailHash"], ["score"], ["date"]],
    row: (submitted, number) => at.row(submitted, number),
  })
  const rows = [...cut(text, size).flatMap((chunk) => reader.push(chunk)), ...reader.end()]
  return {
    rows: rows.map((row) => ({ ...row, date: at.dates[row.date] })),
    counts: counted(reader),
  }
}

const value = {
  topicId: fc.constantFrom(
    "1",
    "7",
    "1234567890",
    "2",
    "0",
    "01",
    "1.5",
    "",
    "-1",
    "99999999999",
    "x",
  ),
  emailHash: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(hash, hash.toUpperCase(), "f".repeat(64)) },
    fc.constantFrom("", hashOfNothing, hash.slice(1), `${hash}0`, `g${hash.slice(1)}`, ` ${hash}`),
  ),
  score: fc.constantFrom("1", "50", "100", "0", "101", "1000", "050", "7.0", "7.5", "", "1e1"),
  date: fc.constantFrom(
    "2026-01-01",
    "2026-02-28",
    "2026-02-29",
    "2026-03-01",
    "2026-03-02",
    "2025-12-31",
    "2026-1-1",
    "",
  ),
}
const good = fc.record({
  topicId: fc.constantFrom("1", "7"),
  emailHash: fc.constantFrom(hash, "ab".repeat(32)),
  score: fc.integer({ min: 1, max: 100 }).map(String),
  date: fc.constantFrom("2026-01-01", "2026-02-28"),
})
const record = fc.oneof({ weight: 3, arbitrary: good }, fc.record(value))
const lineEnd = fc.constantFrom("\n", "\n", "\n", "\r\n", "\n\n", " \n")
const size = fc.integer({ min: 1, max: 300 })

describe("signals are read like the general reader does", () => {
  const csvLine = (columns: ReadonlyArray<keyof typeof value>) =>
    fc
      .tuple(record, fc.constantFrom("", "", "", '"', "space", "extra", '"\n"'), lineEnd)
      .map(([fields, oddity, end]) => {
        const cells = columns.map((column) => fields[column])
        if (oddity === '"') cells[0] = `"${cells[0]}"`
        if (oddity === '"\n"') cells[1] = `"${cells[1]}\n"`
        if (oddity === "space") cells[2] = ` ${cells[2]} `
        if (oddity === "extra") cells.push("1")
        return cells.join(",") + end
      })

  it("in CSV, with any order of columns, any lines and any chunks", () => {
    const orders = fc.shuffledSubarray(["topicId", "emailHash", "score", "date"] as const, {
      minLength: 4,
    })
    fc.assert(
      fc.property(
        orders.chain((columns) =>
          fc.tuple(fc.constant(columns), fc.array(csvLine(columns), { maxLength: 30 })),
        ),
        size,
        fc.boolean(),
        ([columns, lines], bytes, hasEnd) => {
          const text = `${columns.join(",")}\n${lines.join("")}`
          const sent = hasEnd ? text : text.trimEnd()
          expect(read(sent, "csv", bytes)).toEqual(readGenerally(sent, "csv", bytes))
        },
      ),
      { numRuns: 100 },
    )
  })

  it("in NDJSON", () => {
    const line = fc
      .tuple(record, fc.constantFrom("", "", "", "space", "order", "extra", "text"), lineEnd)
      .map(([{ date, emailHash, score, topicId }, oddity, end]) => {
        const plain = `{"topicId":${topicId},"emailHash":"${emailHash}","score":${score},"date":"${date}"}`
        if (oddity === "space") return plain.replaceAll(":", ": ") + end
        if (oddity === "extra") return plain.replace("{", '{"other":1,') + end
        if (oddity === "text") return plain.replace(`"score":${score}`, `"score":"${score}"`) + end
        if (oddity === "order") {
          return `{"emailHash":"${emailHash}","topicId":${topicId},"score":${score},"date":"${date}"}${end}`
        }
        return plain + end
      })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), size, (lines, bytes) => {
        const text = lines.join("")
        expect(read(text, "ndjson", bytes)).toEqual(readGenerally(text, "ndjson", bytes))
      }),
      { numRuns: 100 },
    )
  })

  it("with a byte order mark and additional columns", () => {
    for (const text of [
      `\uFEFFtopicId,emailHash,score,date\n1,${hash},5,2026-01-01\n`,
      `topicId,emailHash,score,date,note\n1,${hash},5,2026-01-01,\n1,${hash},5,2026-01-01,x\n`,
    ]) {
      expect(read(text, "csv", 1_000)).toEqual(readGenerally(text, "csv", 1_000))
    }
  })
})

describe("a canonical line", () => {
  const header = ["topicId", "emailHash", "score", "date"]
  const line = (text: string) => {
    const into = new SignalColumns()
    const lines = CanonicalLines.of("csv", header, scope())!
    return lines.read(Buffer.from(text), 0, into)
  }

  it("is read directly", () => {
    const text = `1234567890,${hash},100,2026-03-01\n`
    expect(line(text)).toBe(text.length)
    expect(line(text.replace("\n", "\r\n"))).toBe(text.length + 1)
  })

  it("accepts no other line and no unfinished line", () => {
    for (const text of [
      `1,${hash},100,2026-03-01`,
      `2,${hash},100,2026-03-01\n`,
      `01,${hash},100,2026-03-01\n`,
      `1,${hash},0,2026-03-01\n`,
      `1,${hash},101,2026-03-01\n`,
      `1,${hash},1000,2026-03-01\n`,
      `1,${hash},10,2026-03-02\n`,
      `1,${hash},10,2026-02-30\n`,
      `1,${hash},10,2026-03-01 \n`,
      `1,"${hash}",10,2026-03-01\n`,
      `1,${hash.slice(1)}g,10,2026-03-01\n`,
      `1,${hash},10,2026-03-01,\n`,
    ]) {
      expect([text, line(text)]).toEqual([text, -1])
    }
  })
})

describe("the columns of a step", () => {
  it("double from step to step up to 65,536 signals, and the end returns the rest", () => {
    const reader = new SignalReader(scope(), "csv")
    const row = `1,${hash},5,2026-01-01\n`
    const full = reader.push(
      Buffer.from(`topicId,emailHash,score,date\n${row.repeat(4 * columnsMax - firstColumns)}`),
    )
    const last = [...reader.push(Buffer.from(row)), ...reader.end()]

    expect(full.map(({ length }) => length)).toEqual([
      8_192, 16_384, 32_768, 65_536, 65_536, 65_536,
    ])
    expect(last.map(({ length }) => length)).toEqual([1])
    expect(full[0]!.hashes).toHaveLength(columnsMax * hashWords)
  })

  it("need a header with all four", () => {
    const reader = new SignalReader(scope(), "csv")
    expect(() => reader.push(Buffer.from("topicId,emailHash,score\n"))).toThrow(ImportRefused)
  })
})
