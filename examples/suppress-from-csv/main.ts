// Suppresses the customers in a CRM export, so that they cost no credits and are never delivered.
// It is safe to run again: existing rules count as duplicates. The first argument is the file.
import { Footfall } from "@footfall/sdk"
import { parse } from "csv-parse"
import { createReadStream } from "node:fs"

const [, , file = new URL("customers.csv", import.meta.url).pathname] = process.argv
const footfall = new Footfall() // FOOTFALL_API_KEY, FOOTFALL_BASE_URL

async function* rules() {
  for await (const { email } of createReadStream(file).pipe(parse({ columns: true }))) {
    yield { type: "email" as const, value: String(email) }
  }
}

const result = await footfall.suppression.upload(rules(), {
  onRejected: (rejected) => {
    for (const { index, reason, value } of rejected) {
      console.error(`row ${index + 1}: ${JSON.stringify(value)} ${reason}`)
    }
  },
})
console.log(`${result.added} added, ${result.duplicates} duplicates`)
process.exitCode = result.rejectedCount > 0 ? 1 : 0
