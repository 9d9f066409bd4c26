// Fails if the text of a planted fault is no longer in its file exactly once, so that the lists stay true.
import { existsSync, readFileSync } from "node:fs"
import { faults } from "./faults.ts"

const outdated = faults.filter(
  ({ file, find }) => !existsSync(file) || readFileSync(file, "utf8").split(find).length !== 2,
)
for (const { bug, file } of outdated) console.error(`no longer applies: ${file}: ${bug}`)
if (outdated.length > 0) {
  console.error("Correct the lists in scripts/mutate.")
  process.exitCode = 1
}
