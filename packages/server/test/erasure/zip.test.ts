// ZIP files (zip.ts), read by their directory.
import { expect, it } from "vitest"
import { unzipped } from "./unzipped.ts"
import { ZipWriter } from "../../src/people/erasure/zip.ts"

it("files are read back with their names and contents, also empty and long ones", async () => {
  const long = Array.from({ length: 20_000 }, (_, place) => `line ${place} ${Math.sin(place)}\n`)
  const zip = new ZipWriter()
  for (const [name, pieces] of [
    ["empty.json", []],
    ["zoë/ü.txt", ["ü", "", "€𝄞"]],
    ["long.csv", long],
  ] as const) {
    const file = zip.file(name)
    for (const piece of pieces) await file.write(piece)
    await file.end()
  }

  const files = unzipped(zip.end())

  expect([...files.keys()]).toEqual(["empty.json", "zoë/ü.txt", "long.csv"])
  expect(files.get("empty.json")).toBe("")
  expect(files.get("zoë/ü.txt")).toBe("ü€𝄞")
  expect(files.get("long.csv")).toBe(long.join(""))
})

it("an archive without files is a valid file", () => {
  expect(unzipped(new ZipWriter().end()).size).toBe(0)
})
