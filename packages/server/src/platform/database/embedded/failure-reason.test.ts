import { assert, describe, it } from "@effect/vitest"
import { failureReason } from "./server-log.ts"

describe("failureReason", () => {
  it("is the first error, without time and process", () => {
    const output = [
      "2026-01-01 00:00:00.000 UTC [7] LOG:  starting PostgreSQL",
      '2026-01-01 00:00:00.000 UTC [7] FATAL:  could not open file "a"',
      "2026-01-01 00:00:00.000 UTC [7] PANIC:  cannot abort transaction 1",
    ].join("\n")

    assert.strictEqual(failureReason(output), 'FATAL:  could not open file "a"')
  })

  it("is the full disk, wherever in the output it appears", () => {
    const output = [
      "FATAL:  could not write",
      "HINT:  Check free disk space.",
      "initdb: error: could not fsync file: No space left on device",
      "initdb: removing contents of data directory",
    ].join("\n")

    assert.include(failureReason(output), "No space left on device")
  })

  it("says to check the disk when Postgres does", () => {
    const output = "FATAL:  wrote only 4096 of 8192 bytes\nHINT:  Check free disk space."

    assert.strictEqual(
      failureReason(output),
      "FATAL:  wrote only 4096 of 8192 bytes (Check free disk space.)",
    )
  })

  it("is the last line when none is an error", () => {
    assert.strictEqual(failureReason("one\ntwo\n\n"), "two")
  })

  it("says that there was no message when there is no output", () => {
    assert.strictEqual(failureReason("\n"), "it stopped without a message")
  })
})
