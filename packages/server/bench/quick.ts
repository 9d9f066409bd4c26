// npm run bench:quick: start, memory, ingest, lists and the command line in about four minutes,
// compared with the committed ratios (ratios.json). Fails if a ratio got worse by a quarter. `-- --
// --write` saves the new ratios; run it on an otherwise idle machine. A missing or new row also
// fails, so that no row is lost silently. Rows without a bar are for information only.
import { readFileSync, writeFileSync } from "node:fs"
import { cli } from "./cli.ts"
import { startPostgres } from "./database.ts"
import { ingest } from "./ingest.ts"
import { list } from "./list.ts"
import { print, type Row } from "./report.ts"
import { memory, startUp } from "./start.ts"

const file = new URL("./ratios.json", import.meta.url)
const lossMax = 0.25

const comparable = ({ ratio, relative }: Row): number => relative ?? ratio

/** How much worse than the committed ratio: 0.25 is a quarter. */
const lossOf = (row: Row, before: number): number =>
  row.bar !== undefined && "atMost" in row.bar
    ? comparable(row) / before - 1
    : 1 - comparable(row) / before

const postgres = await startPostgres()
const rows: Array<Row> = []
try {
  for (const benchmark of [startUp, memory, cli, ingest, list]) {
    rows.push(...(await benchmark(postgres)))
  }
} finally {
  await postgres.close()
}
print(rows)
const compared = rows.filter((row) => row.bar !== undefined)

if (process.argv.includes("--write")) {
  const ratios = Object.fromEntries(compared.map((row) => [row.name, comparable(row)]))
  writeFileSync(file, `${JSON.stringify(ratios, null, 2)}\n`)
} else {
  const checkedIn = new Map<string, number>(Object.entries(JSON.parse(readFileSync(file, "utf8"))))
  const losses = compared.flatMap((row) => {
    const before = checkedIn.get(row.name)
    if (before === undefined) return [`${row.name}: not in ratios.json`]
    const loss = lossOf(row, before)
    return loss > lossMax
      ? [
          `${row.name}: ${comparable(row).toFixed(2)}, ${before.toFixed(2)} before (${(loss * 100).toFixed(0)} % worse)`,
        ]
      : []
  })
  for (const name of checkedIn.keys()) {
    if (!compared.some((row) => row.name === name)) losses.push(`${name}: no longer measured`)
  }
  for (const loss of losses) console.error(loss)
  console.log(losses.length === 0 ? "No loss of 25 % or more." : `${losses.length} lost.`)
  process.exitCode = losses.length === 0 ? 0 : 1
}
