// Import of signals by the operator's command, compared with COPY of the same file into a bare table: a full file of
// fourteen days into an empty database, then one more day. BENCH_SIGNALS sets other sizes: 20000000 is the one for the
// bar. Also measures the memory of the importing process, which must not grow with the file.
import pg from "pg"
import { from as copyFrom } from "pg-copy-streams"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { text } from "node:stream/consumers"
import { dateBefore, signalLines } from "../src/app/demo/generate/csv.ts"
import { emailAt } from "../src/app/demo/generate/person.ts"
import { catalogOf, topicLines } from "../src/app/demo/generate/topics.ts"
import type { BenchPostgres } from "./database.ts"
import { secret } from "./fixture.ts"
import { serverBin } from "./processes.ts"
import type { Row } from "./report.ts"

const signalsCount = Number(process.env["BENCH_SIGNALS"] ?? 2_000_000)
const peopleCount = Math.ceil(signalsCount / 10)
const topicsCount = 1_000
const daysCount = 14
const seed = 4_100
const linesPerPiece = 5_000

interface Import {
  readonly seconds: number
  readonly peakMebibytes: number
}

export const signals = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_signals")
  const directory = await mkdtemp(join(tmpdir(), "footfall-bench-"))
  const file = (name: string) => join(directory, name)
  const environment = { DATABASE_URL: database, FOOTFALL_SECRET: secret }
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    await client.query(
      "insert into organization (id, name, slug, is_operator) values (gen_random_uuid(), 'O', 'o', true)",
    )
    await client.query(
      "create table bare (topic_id integer, email_hash text, score smallint, date date)",
    )
    await writeFiles(file)
    await runImport("topics", file("topics.csv"), topicsCount, environment)
    const bare = await seconds(() => copy(client, file("signals.csv")))
    await client.query("truncate bare")
    const full = await runImport("signals", file("signals.csv"), signalsCount, environment)
    const day = await rowsOf(file("day.csv"))
    const bareDay = await seconds(() => copy(client, file("day.csv")))
    const one = await runImport("signals", file("day.csv"), day, environment)
    const rate = (rows: number, seconds: number) => `${Math.round(rows / seconds)} rows/s`
    return [
      {
        name: `signals: import of ${signalsCount} / COPY into a bare table`,
        floor: rate(signalsCount, bare),
        ours: rate(signalsCount, full.seconds),
        ratio: bare / full.seconds,
        bar: { atLeast: 0.5 },
      },
      {
        name: `signals: one more day of ${day} / COPY into a bare table`,
        floor: rate(day, bareDay),
        ours: rate(day, one.seconds),
        ratio: bareDay / one.seconds,
        bar: { atLeast: 0.3 },
      },
      {
        name: "signals: memory of the import, MiB",
        floor: "-",
        ours: `${full.peakMebibytes.toFixed(0)} MiB`,
        ratio: full.peakMebibytes,
        bar: { atMost: 256 },
      },
    ]
  } finally {
    await client.end()
    await postgres.drop("bench_signals")
    await rm(directory, { recursive: true, force: true })
  }
}

const writeFiles = async (file: (name: string) => string): Promise<void> => {
  const catalog = await readFile(new URL("../assets/topics.csv", import.meta.url), "utf8")
  const topics = catalogOf(catalog, topicsCount)
  const today = new Date().toISOString().slice(0, 10)
  const emailOf = (number: number) => emailAt(number, seed)
  const plan = { topics, peopleCount, seed, emailOf }
  await write(file("topics.csv"), topicLines(topics))
  await write(
    file("signals.csv"),
    signalLines({ ...plan, signalsCount, daysCount, lastDate: dateBefore(today, 1) }),
  )
  await write(
    file("day.csv"),
    signalLines({
      ...plan,
      signalsCount: Math.ceil(signalsCount / daysCount),
      daysCount: 1,
      lastDate: today,
    }),
  )
}

export const write = (file: string, lines: Iterable<string>): Promise<void> =>
  pipeline(Readable.from(pieces(lines)), createWriteStream(file))

function* pieces(lines: Iterable<string>): Iterable<string> {
  let piece: Array<string> = []
  for (const line of lines) {
    if (piece.push(line) < linesPerPiece) continue
    yield `${piece.join("\n")}\n`
    piece = []
  }
  if (piece.length > 0) yield `${piece.join("\n")}\n`
}

const rowsOf = async (file: string): Promise<number> => {
  let lines = -1
  for await (const chunk of createReadStream(file)) {
    for (const byte of chunk as Buffer) if (byte === 0x0a) lines++
  }
  return lines
}

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await work()
  return (performance.now() - begin) / 1_000
}

const copy = (client: pg.Client, file: string): Promise<void> =>
  pipeline(
    createReadStream(file, { highWaterMark: 262_144 }),
    client.query(copyFrom("copy bare from stdin with (format csv, header)")),
  )

export const runImport = async (
  what: string,
  file: string,
  expected: number,
  environment: Readonly<Record<string, string>>,
): Promise<Import> => {
  const begin = performance.now()
  const child = spawn(process.execPath, [serverBin, "import", what, file, "--json"], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  })
  let peak = 0
  const timer = setInterval(() => {
    void residentKibibytes(child.pid!).then((now) => (peak = Math.max(peak, now)))
  }, 200)
  const [stdout] = await Promise.all([text(child.stdout), once(child, "exit")])
  clearInterval(timer)
  const { inserted } = JSON.parse(stdout) as { readonly inserted: number }
  if (inserted < expected * 0.9) throw new Error(stdout)
  return { seconds: (performance.now() - begin) / 1_000, peakMebibytes: peak / 1_024 }
}

/** 0 if the system doesn't report it. */
const residentKibibytes = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
}
