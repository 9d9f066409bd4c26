// The limits of one file of an import; what files mean is tested on a running server (test/suppression/imports.test.ts).
import { Effect } from "effect"
import { expect, it } from "vitest"
import { fileRowsMax, ImportFile } from "./import-file.ts"

const reading = {
  name: "the file",
  format: "csv",
  type: "domain",
  types: undefined,
  column: undefined,
  hasHeader: undefined,
  subject: null,
} as const

it("a file with more than 20,000,000 rows is refused, so that a small gzip can't keep a core busy for hours", () => {
  const file = new ImportFile(reading, {
    importId: "",
    file: 0,
    into: () => Effect.void,
    hold: () => Effect.succeed(true),
    addFile: () => Effect.succeed(true),
  })
  file.push(Buffer.from("acme.example\n"))
  file.counts.received = fileRowsMax - 1

  expect(() => file.end()).not.toThrow()
  file.counts.received = fileRowsMax
  expect(() => file.push(Buffer.from("more.example\n"))).toThrow("more than 20000000 rows")
})

it("copies nothing into an import that has ended", async () => {
  const copied: Array<string> = []
  const file = new ImportFile(reading, {
    importId: "",
    file: 1,
    into: ({ table }) => Effect.sync(() => void copied.push(table)),
    hold: () => Effect.succeed(false),
    addFile: () => Effect.succeed(false),
  })
  file.push(Buffer.from("acme.example\n"))
  const [step] = file.end()

  const error = await Effect.runPromise(Effect.flip(step!))

  expect(error).toMatchObject({ _tag: "ImportRefused", code: "NOT_FOUND" })
  expect(copied).toEqual([])
})
