// A file system that takes only a part of what it is given, and then refuses the rest, as a full disk does. A limit for
// the size of a process's files does the same (spec 15.3.5).
import { execFileSync } from "node:child_process"
import { createSecretKey } from "node:crypto"
import { mkdtemp, stat } from "node:fs/promises"
import { join } from "node:path"
import { expect, inject, it } from "vitest"
import "../support/database-setup.ts"
import { SpoolFiles } from "../../src/collect/inbound/spool/files.ts"

const program = join(import.meta.dirname, "full-disk-writer.ts")

it("no entry counts as safe of which the disk took only a part, and the others come back whole, and what is refused leaves no file", async () => {
  const directory = await mkdtemp(join(inject("temporaryDirectory"), "full-"))
  // 16 blocks of 512 bytes: five entries, and a part of the sixth.
  const limited = ["-c", 'ulimit -f 16; exec "$0" "$@"', process.execPath, program, directory]
  const { refusal, safe } = JSON.parse(execFileSync("sh", limited, { encoding: "utf8" }))
  expect(refusal).toBe("EFBIG")
  expect(safe.length).toBeGreaterThan(5)

  const now = Date.now() + 3_600_000
  const keys = [createSecretKey(Buffer.alloc(32, 7))]
  const heir = new SpoolFiles({ directory, bytesMax: 1024 * 1024, keys, now: () => now })
  await heir.adopt()
  const read: Array<number> = []
  for (const path of await heir.closed()) {
    for (const { opened } of await heir.read(path)) read.push(Number(String(opened)))
  }
  expect(read).toEqual(safe)
  const sizes = await Promise.all(
    (await heir.closed()).map(async (path) => (await stat(path)).size),
  )
  expect(Math.min(...sizes)).toBeGreaterThan(0)
})
