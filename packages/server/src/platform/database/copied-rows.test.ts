// Feeds COPY messages in arbitrary chunks; test/runs/exports/csv.test.ts reads them from a real Postgres.
import { EventEmitter } from "node:events"
import type pg from "pg"
import { describe, expect, it } from "vitest"
import { CopiedRows, type CsvRows } from "./copied-rows.ts"

const message = (type: string, body: string | Buffer): Buffer => {
  const bytes = Buffer.from(body)
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}

const before = [message("N", "a notice\0"), message("H", Buffer.alloc(3))]
const rows = ['1,"two\nlines"\n', "2,Zoë\n", "\n"]
const after = [message("c", ""), message("C", "COPY 3\0"), message("Z", "I")]
const answer = Buffer.concat([...before, ...rows.map((row) => message("d", row)), ...after])

/** Runs a statement whose response arrives in these chunks, and records what `pg` reads. */
const answered = (pieces: ReadonlyArray<Buffer>) => {
  const stream = new EventEmitter()
  const read: Array<Buffer> = []
  const outcomes: Array<CsvRows | Error> = []
  stream.on("data", (chunk: Buffer) => read.push(Buffer.from(chunk)))
  const query = new CopiedRows("copy …", (outcome) => outcomes.push(outcome))
  // The query uses only these two members of a connection.
  query.submit({ stream, query: () => undefined } as unknown as pg.Connection)
  for (const piece of pieces) stream.emit("data", piece)
  query.handleReadyForQuery()
  return { stream, outcomes, read: Buffer.concat(read) }
}

const expected = '1,"two\nlines"\r\n2,Zoë\r\n\r\n'

describe("CopiedRows", () => {
  it("returns the same rows wherever the bytes are split", () => {
    for (let cut = 0; cut <= answer.length; cut++) {
      const { outcomes, read } = answered([answer.subarray(0, cut), answer.subarray(cut)])
      const [copied] = outcomes as [CsvRows]

      expect(Buffer.from(copied.bytes).toString()).toBe(expected)
      expect(copied.rows).toBe(3)
      expect(read).toEqual(Buffer.concat([...before, ...after]))
    }
  })

  it("returns the same rows byte by byte", () => {
    const { outcomes, read } = answered([...answer].map((byte) => Buffer.of(byte)))
    const [copied] = outcomes as [CsvRows]

    expect(Buffer.from(copied.bytes).toString()).toBe(expected)
    expect(read).toEqual(Buffer.concat([...before, ...after]))
  })

  it("reads rows that are longer than the initial buffer", () => {
    const line = `${"x".repeat(999)}\n`
    const long = Array.from({ length: 3_000 }, () => message("d", line))
    const { outcomes } = answered([Buffer.concat([...before, ...long, ...after])])
    const [copied] = outcomes as [CsvRows]

    expect(copied.rows).toBe(3_000)
    expect(Buffer.from(copied.bytes).toString()).toBe(line.replace("\n", "\r\n").repeat(3_000))
  })

  it("stops at the end of its statement, so only pg reads the next response", () => {
    const { read, stream } = answered([answer])
    const seen: Array<Buffer> = []
    stream.on("data", (chunk: Buffer) => seen.push(chunk))
    const next = message("d", "not a row of this statement\n")
    stream.emit("data", next)

    expect(stream.listenerCount("data")).toBe(2)
    expect(seen).toEqual([next])
    expect(read).toEqual(Buffer.concat([...before, ...after]))
  })

  it("leaves an error message to pg, which reads all of it", () => {
    const failed = [message("E", "SERROR\0C57014\0\0"), message("Z", "E")]
    const { outcomes, read } = answered(failed)
    const [copied] = outcomes as [CsvRows]

    expect(copied.rows).toBe(0)
    expect(read).toEqual(Buffer.concat(failed))
  })
})
