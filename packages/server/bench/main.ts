// npm run bench [name …]: measures the server against its floors on one Postgres in one run and prints the ratios. It
// alternates between them and takes medians of several rounds, because machines are noisy. A benchmark that fails costs
// its own rows alone.
import { has } from "../../../scripts/test-run/programs.ts"
import { archive } from "./archive.ts"
import { alerts } from "./alerts.ts"
import { besideAnalyses } from "./beside-analyses.ts"
import { besideFlood } from "./beside-flood.ts"
import { breakdown } from "./breakdown.ts"
import { cli } from "./cli.ts"
import { startPostgres } from "./database.ts"
import { companies, companiesIngest, overview } from "./companies.ts"
import { consoleList } from "./console.ts"
import { deliveries } from "./deliveries.ts"
import { exportCsv } from "./export.ts"
import { flood } from "./flood.ts"
import { growth } from "./growth.ts"
import { ingest } from "./ingest.ts"
import { lanes } from "./lanes.ts"
import { largeImport } from "./large-import.ts"
import { list } from "./list.ts"
import { materialize } from "./materialize.ts"
import { neighbors } from "./neighbors.ts"
import { people } from "./people.ts"
import { poison } from "./poison.ts"
import { preview } from "./preview.ts"
import { newFields } from "./fields.ts"
import { query } from "./query.ts"
import { rounds } from "./rounds.ts"
import { lineOf, print, type Row } from "./report.ts"
import { runs } from "./runs.ts"
import { scale } from "./scale.ts"
import { sdk } from "./sdk.ts"
import { signals } from "./signals.ts"
import { signalStores } from "./signal-stores.ts"
import { search } from "./search.ts"
import { memory, startUp } from "./start.ts"
import { slowReaders } from "./slow-readers.ts"
import { stoppedDatabase } from "./stopped-database.ts"
import { suppressionUpload } from "./suppression-upload.ts"
import { suppression } from "./suppression.ts"
import { turns } from "./turns.ts"

const benchmarks = {
  ingest,
  flood,
  lanes,
  list,
  start: startUp,
  cli,
  memory,
  query,
  fields: newFields,
  alerts,
  rounds,
  people,
  signals,
  "signal-stores": signalStores,
  suppression,
  preview,
  materialize,
  runs,
  deliveries,
  upload: suppressionUpload,
  export: exportCsv,
  "slow-readers": slowReaders,
  search,
  sdk,
  turns,
  poison,
  "stopped-database": stoppedDatabase,
  neighbors,
  "beside-analyses": besideAnalyses,
  "beside-flood": besideFlood,
  growth,
  scale,
  "large-import": largeImport,
  companies,
  "companies-ingest": companiesIngest,
  overview,
  breakdown,
  archive,
  console: consoleList,
}
type Name = keyof typeof benchmarks
const allNames = Object.keys(benchmarks) as ReadonlyArray<Name>
const isName = (text: string): text is Name => Object.hasOwn(benchmarks, text)

/** What a benchmark can't do without, besides what `npm ci` installs. */
const missing = new Map<Name, string>([
  ...(has("pgbouncer") ? [] : [["scale", "PgBouncer is not installed"] as const]),
  ...(has("chromium") ? [] : [["console", "Chromium is not installed"] as const]),
])

const requested = process.argv.slice(2)
const unknown = requested.filter((text) => !isName(text))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. Expected some of: ${allNames.join(", ")}.`)
  process.exit(2)
}
const names = requested.length > 0 ? requested.filter(isName) : allNames
// Said before the first measurement, because the last one is half an hour later.
for (const name of names) {
  if (missing.has(name)) console.error(`${name} is left out: ${missing.get(name)}.`)
}

const rows: Array<Row> = []
const failed: Array<Name> = []
const postgres = await startPostgres()
try {
  for (const name of names) {
    if (missing.has(name)) continue
    console.error(`measuring ${name} …`)
    try {
      const measured = await benchmarks[name](postgres)
      for (const row of measured) console.error(`  ${lineOf(row)}`)
      rows.push(...measured)
    } catch (error) {
      failed.push(name)
      console.error(`${name} failed:`, error)
    }
  }
} finally {
  await postgres.close()
}
print(rows)
const left = names.filter((name) => missing.has(name))
if (left.length > 0) console.error(`Left out: ${left.join(", ")}.`)
if (failed.length > 0) console.error(`Failed: ${failed.join(", ")}.`)
process.exitCode = left.length + failed.length > 0 ? 1 : 0
