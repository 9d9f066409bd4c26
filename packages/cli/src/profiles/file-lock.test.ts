// The lock between processes: one holder at a time, and a dead process does not keep it.

import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { withFileLock } from "./file-lock.ts"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"

let directory: string
let path: string

beforeEach(() => {
  directory = temporaryFolder("lock")
  path = join(directory, "lock")
})

const patient = { waitMaxMs: 10_000, busy: () => new Error("busy") }

test("work runs one at a time", async () => {
  let atWork = 0
  const work = async (): Promise<number> => {
    atWork += 1
    await new Promise(setImmediate)
    return atWork--
  }

  const counts = await Promise.all(
    Array.from({ length: 5 }, () => withFileLock(path, patient, work)),
  )

  expect(counts).toEqual([1, 1, 1, 1, 1])
  expect(readdirSync(directory)).toEqual([])
})

test("waits for a held lock no longer than allowed", async () => {
  await withFileLock(path, patient, async () => {
    const second = withFileLock(path, { ...patient, waitMaxMs: 0 }, async () => {})

    await expect(second).rejects.toThrow("busy")
    expect(existsSync(path)).toBe(true)
  })
})

test("releases the lock when the work fails", async () => {
  const failing = withFileLock(path, patient, () => Promise.reject(new Error("no")))

  await expect(failing).rejects.toThrow("no")
  expect(readdirSync(directory)).toEqual([])
})

test.each(["dead", "garbled"])("takes over the lock of a %s holder immediately", async (how) => {
  const { pid } = spawnSync(process.execPath, ["--eval", ""])
  writeFileSync(path, how === "dead" ? `${pid} left behind` : "")

  const result = await withFileLock(path, { ...patient, waitMaxMs: 0 }, async () => "done")

  expect(result).toBe("done")
  expect(readdirSync(directory)).toEqual([])
})
