import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { parsePostmasterFile } from "./postmaster-file.ts"

const running = [
  "4711",
  "/data/postgres",
  "1767225600",
  "5432",
  "/data/postgres",
  "",
  "  5432001         7",
  "ready   ",
]

describe("postmaster.pid", () => {
  it("says which process runs and where it listens", () => {
    assert.deepStrictEqual(
      parsePostmasterFile(`${running.join("\n")}\n`),
      Option.some({
        processId: 4711,
        port: 5432,
        socketDirectory: "/data/postgres",
        listenAddress: "",
        isReady: true,
      }),
    )
  })

  for (const state of ["starting", "stopping", "standby", ""])
    it(`of a Postgres that is ${JSON.stringify(state)} as not ready`, () => {
      const file = parsePostmasterFile([...running.slice(0, 7), state].join("\n"))

      assert.isFalse(Option.getOrThrow(file).isReady)
    })

  it("names the process before the other lines are written", () => {
    assert.strictEqual(Option.getOrThrow(parsePostmasterFile("4711\n")).processId, 4711)
  })

  for (const text of ["", "\n", "x", "0", "-4711", "1.5"])
    it(`with ${JSON.stringify(text)} names no one`, () => {
      assert.isTrue(Option.isNone(parsePostmasterFile(text)))
    })
})
