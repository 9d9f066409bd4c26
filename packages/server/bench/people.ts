// Import of people: sends 200,000 CSV rows to the admin route, compared with COPY of the same file into a bare table of
// text columns without an index. Then it sends the same file again, which changes nothing. The tables are emptied
// before each round.
import pg from "pg"
import { from as copyFrom } from "pg-copy-streams"
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { promisify } from "node:util"
import type { BenchPostgres } from "./database.ts"
import { makeFixture, secret } from "./fixture.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const rowCount = 200_000
const rounds = 3
const email = "owner@footfall.example"

const header = [
  "email",
  "firstName",
  "lastName",
  "jobTitle",
  "seniority",
  "department",
  "company.name",
  "company.domain",
  "company.industry",
  "company.employeeCount",
  "geo.city",
  "geo.state",
  "geo.country",
]

export const people = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_people")
  const { organizationId } = await makeFixture(database)
  const directory = await mkdtemp(join(tmpdir(), "footfall-bench-"))
  const file = join(directory, "people.csv")
  await writeFile(file, csv(rowCount))
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await prepare(client, organizationId)
  const port = await freePort()
  const environment = {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    BASE_URL: `http://127.0.0.1:${port}`,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
  }
  const server = start([serverBin, "start", "--json", "--no-workers"], environment)
  try {
    await ready(port, 0)
    const token = await accessToken(environment)
    const times = { copy: [], first: [], again: [] } as Record<string, Array<number>>
    for (let round = 0; round < rounds; round++) {
      await client.query("truncate bare, person, person_address")
      times["copy"]!.push(await timed(() => copy(client, file)))
      times["first"]!.push(await timed(() => send(port, token, file, { inserted: rowCount })))
      times["again"]!.push(await timed(() => send(port, token, file, { unchanged: rowCount })))
    }
    const rate = (name: string) => rowCount / (median(times[name]!) / 1000)
    const row = (name: string, ours: string, bar?: number): Row => ({
      name,
      floor: `${rate("copy").toFixed(0)} rows/s`,
      ours: `${rate(ours).toFixed(0)} rows/s`,
      ratio: rate(ours) / rate("copy"),
      ...(bar === undefined ? {} : { bar: { atLeast: bar } }),
    })
    return [
      row("people: import of 200,000 rows / COPY into a bare table", "first", 0.35),
      row("people: the same rows again / COPY into a bare table", "again"),
    ]
  } finally {
    await stop(server)
    await client.end()
    await rm(directory, { recursive: true, force: true })
  }
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

export const csv = (count: number): string => {
  const seniorities = ["vp", "director", "manager", "senior", "entry"]
  const rows = Array.from({ length: count }, (_, n) =>
    [
      `person${n}@company${n % 5_000}.example`,
      "Jane",
      `Mercer ${n}`,
      "Operations Lead",
      seniorities[n % seniorities.length],
      "operations",
      `Company ${n % 5_000}`,
      `company${n % 5_000}.example`,
      "maritime transportation",
      String((n * 37) % 9_000),
      "San Francisco",
      "CA",
      "US",
    ].join(","),
  )
  return `${[header.join(","), ...rows].join("\n")}\n`
}

const prepare = async (client: pg.Client, organizationId: string): Promise<void> => {
  await makeOwner(client, organizationId)
  const columns = header.map((name) => `"${name}" text`).join(", ")
  await client.query(`create table bare (${columns})`)
}

/** The user for `accessToken`. */
export const makeOwner = async (client: pg.Client, organizationId: string): Promise<void> => {
  const userId = randomUUID()
  await client.query("insert into user_account (id, email, name) values ($1, $2, 'Owner')", [
    userId,
    email,
  ])
  await client.query(
    "insert into member (organization_id, user_id, role) values ($1, $2, 'owner')",
    [organizationId, userId],
  )
}

export const accessToken = async (
  environment: Readonly<Record<string, string>>,
): Promise<string> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [serverBin, "token", "--email", email, "--json"],
    { env: { ...process.env, ...environment } },
  )
  return (JSON.parse(stdout) as { accessToken: string }).accessToken
}

const copy = (client: pg.Client, file: string): Promise<void> =>
  pipeline(
    createReadStream(file),
    client.query(copyFrom("copy bare from stdin with (format csv, header)")),
  )

export const send = async (
  port: number,
  token: string,
  file: string,
  expected: Readonly<Record<string, number>>,
): Promise<void> => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/admin/import/people`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "text/csv" },
    body: Readable.toWeb(createReadStream(file)) as ReadableStream,
    duplex: "half",
  } as RequestInit)
  const { data, error } = (await response.json()) as {
    data?: Record<string, number>
    error?: unknown
  }
  for (const [name, count] of Object.entries(expected)) {
    if (data?.[name] !== count) throw new Error(JSON.stringify(data ?? error))
  }
}
