// Appends entries to a spool of which the disk takes some whole and refuses the others. Started by full-disk.test.ts, with a limit for
// the size of its files.
import { createSecretKey } from "node:crypto"
import { SpoolFiles } from "../../src/collect/inbound/spool/files.ts"

const files = new SpoolFiles({
  directory: process.argv[2]!,
  bytesMax: 1024 * 1024,
  keys: [createSecretKey(Buffer.alloc(32, 7))],
  now: Date.now,
})
const safe: Array<number> = []
let refusal = ""
for (let number = 0; number < 40; number++) {
  try {
    await files.append(Buffer.from(String(number).padEnd(1_500)))
    safe.push(number)
  } catch (error) {
    refusal = error instanceof Error && "code" in error ? String(error.code) : String(error)
  }
}
// More than a whole file may have.
for (let time = 0; time < 3; time++) await files.append(Buffer.alloc(20_000)).catch(() => undefined)
console.log(JSON.stringify({ safe, refusal }))
