// Reads records from a stream, however it is cut into chunks (spec 5.14: a line is at most 64 KiB).
import { assert, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import * as fc from "fast-check"
import { csvCells } from "./csv-cells.ts"
import { recordBytesMax, Records, tooLong } from "./records.ts"

const cut = (text: string, size: number): ReadonlyArray<Buffer> => {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}

const read = (chunks: ReadonlyArray<Buffer>, hasQuotes = true) => {
  const records = new Records({ hasQuotes })
  // The memory of a chunk may be reused for the next one.
  const submitted = chunks.flatMap((chunk) => {
    const memory = Buffer.from(chunk)
    const found = records.push(memory).map((record) => (record === tooLong ? record : `${record}`))
    memory.fill("#")
    return found
  })
  return [
    ...submitted,
    ...records.end().map((record) => (record === tooLong ? record : `${record}`)),
  ]
}

describe("records", () => {
  it("end with LF or CRLF, and the last one needs no line end", () => {
    assert.deepStrictEqual(read([Buffer.from("a\r\nb\nc")]), ["a", "b", "c"])
  })

  it("blank lines are not rows", () => {
    assert.deepStrictEqual(read([Buffer.from("\n\na\n \t\r\nb\n\n")]), ["a", "b"])
  })

  it("a newline inside quotes does not end a row, and a doubled quote does not close a cell", () => {
    const text = 'a,"1\n2""\n3",b\n"x\n",""\ny\n'
    assert.deepStrictEqual(read([Buffer.from(text)]), ['a,"1\n2""\n3",b', '"x\n",""', "y"])
  })

  it("a quote inside an unquoted cell is a character", () => {
    assert.deepStrictEqual(read([Buffer.from('5" pipe,a""b\nnext\n')]), ['5" pipe,a""b', "next"])
  })

  it("quotes mean nothing in NDJSON", () => {
    assert.deepStrictEqual(read([Buffer.from('"a\nb"\n')], false), ['"a', 'b"'])
  })

  it("a record of 64 KiB is accepted; one more byte is too long and does not affect the others", () => {
    for (const size of [1_000, 65_536, 1_000_000]) {
      const whole = "x".repeat(recordBytesMax)
      assert.deepStrictEqual(read(cut(`a\n${whole}\nb\n`, size)), ["a", whole, "b"])
      assert.deepStrictEqual(read(cut(`a\n${whole}y\nb\n`, size)), ["a", tooLong, "b"])
      assert.deepStrictEqual(read(cut(`a\n${whole}y`, size)), ["a", tooLong])
    }
  })

  it("an unclosed quote loses one row of at most the maximum length", () => {
    const text = `a\n"${"b\n".repeat(40_000)}c\n`
    const found = read(cut(text, 10_000))
    assert.strictEqual(found[0], "a")
    assert.strictEqual(found[1], tooLong)
    assert.strictEqual(found.at(-1), "c")
  })

  it("are the same however the stream is cut, and CSV cells read back as written", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "é", " x"), maxLength: 6 })
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 12 }), (rows, size) => {
        const written = rows
          .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","))
          .join("\n")
        const records = read(cut(`${written}\n`, size))
        assert.deepStrictEqual(csvCells(records as Array<string>), rows)
      }),
    )
  })
})

describe("csv cells", () => {
  it("an invalid record is undefined and does not affect others", () => {
    assert.deepStrictEqual(csvCells(['"a",b', '"a,b', "c,d", 'e,"f"']), [
      ["a", "b"],
      undefined,
      ["c", "d"],
      ["e", "f"],
    ])
  })

  it("are those of another reader of CSV, wherever it reads the record", () => {
    const piece = fc.constantFrom("a", "é", " ", '"', '""', ",", "\n", "#", "# ", "sep=;")
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
        const record = pieces.join("")
        const other = otherReading(record)
        // A record does not contain the line break that ends it.
        fc.pre(!record.endsWith("\n"))
        if (other !== undefined && record.includes('"')) {
          assert.deepStrictEqual(csvCells([record]), [other])
        }
      }),
      { numRuns: 5_000 },
    )
  })

  it("keep a quote that is not around a cell, as in files of rules", () => {
    assert.deepStrictEqual(csvCells(['"5" disks,b', 'a "b" c,"d"']), [
      ['"5" disks', "b"],
      ['a "b" c', "d"],
    ])
  })
})

/** The cells of the only record in a text; undefined if the reader refuses it or finds several. */
const otherReading = (record: string): ReadonlyArray<string> | undefined => {
  try {
    const rows: ReadonlyArray<ReadonlyArray<string>> = parse(record, {
      relax_column_count: true,
      record_delimiter: "\n",
    })
    return rows.length === 1 ? rows[0] : undefined
  } catch {
    return undefined
  }
}
