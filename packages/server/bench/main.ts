// npm run bench [name …]: measures the server against its floors on one Postgres in one run and prints the ratios. It
// alternates between them and takes medians of several rounds, because machines are noisy.
import { archive } from "./archive.ts"
import { besideAnalyses } from "./beside-analyses.ts"
import { besideFlood } from "./beside-flood.ts"
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
import { query } from "./query.ts"
import { print, type Row } from "./report.ts"
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
  archive,
  console: consoleList,
}
type Name = keyof typeof benchmarks
const isName = (text: string): text is Name => text in benchmarks

const requested = process.argv.slice(2).filter(isName)
const names = requested.length > 0 ? requested : (Object.keys(benchmarks) as ReadonlyArray<Name>)
const postgres = await startPostgres()
const rows: Array<Row> = []
try {
  for (const name of names) {
    console.error(`measuring ${name} …`)
    rows.push(...(await benchmarks[name](postgres)))
  }
} finally {
  await postgres.close()
}
print(rows)
