// The built command line against the real server, for intent data: topics, trends, movers and previews show what the
// imported files contain, for everyone or for their owner.
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"

const footfallPath = fileURLToPath(new URL("../../../cli/bin/footfall.js", import.meta.url))
const catalog = fileURLToPath(new URL("../../assets/topics.csv", import.meta.url))

let server: TestServer
let directory: string
let accessToken: string

/** Half of the people also read about the second topic, and all of them read more every day. */
const people = 400
const days = 10
const route = 1003
const warehouse = 1204

const hashOf = (person: number): string =>
  createHash("sha256").update(`p${person}@acme.example`).digest("hex")

/** Read once, so that no test runs into the next day. */
const nowMs = Date.now()

/** The date this many days before today. */
const daysAgo = (count: number): string =>
  new Date(nowMs - count * 86_400_000).toISOString().slice(0, 10)

/** The audience grows with each day. */
function* signals(): Generator<string> {
  yield "topicId,emailHash,score,date"
  for (let ago = days - 1; ago >= 0; ago -= 1) {
    const audience = (people / days) * (days - ago)
    for (let person = 0; person < audience; person += 1) {
      yield `${route},${hashOf(person)},${60 + (person % 40)},${daysAgo(ago)}`
      if (person % 2 === 0) yield `${warehouse},${hashOf(person)},85,${daysAgo(ago)}`
    }
  }
}

function* persons(): Generator<string> {
  yield "email,seniority,geo.state,company.name,phones"
  for (let person = 0; person < people; person += 1) {
    const [seniority, state] = [person % 4 === 0 ? "vp" : "entry", person % 3 === 0 ? "CA" : "NY"]
    yield `p${person}@acme.example,${seniority},${state},Acme,${person % 5 === 0 ? "+14155550134" : ""}`
  }
}

beforeAll(async () => {
  server = await startServer({ workers: false })
  await server.sql("update organization set is_operator = true where id = $1", [
    server.organizationId,
  ])
  accessToken = (await server.makeUser("owner")).accessToken
  directory = temporaryFolder("e2e")
  writeFileSync(join(directory, "people.csv"), [...persons()].join("\n"))
  writeFileSync(join(directory, "signals.csv"), [...signals()].join("\n"))
})
afterAll(() => server.close())

interface Credentials {
  readonly FOOTFALL_API_KEY?: string
  readonly FOOTFALL_ACCESS_TOKEN?: string
}

const footfall = async (credentials: Credentials, words: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [footfallPath, ...words], {
    cwd: directory,
    env: {
      PATH: process.env["PATH"],
      TMPDIR: process.env["TMPDIR"],
      HOME: process.env["HOME"],
      FOOTFALL_CONFIG_DIR: directory,
      FOOTFALL_BASE_URL: server.url,
      ...credentials,
    },
  })
  child.stdin.end()
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ])
  return { exitCode, stdout, stderr, ...(stdout.startsWith("{\n") && JSON.parse(stdout)) }
}

const anyone = (...words: ReadonlyArray<string>) => footfall({}, words)
const byKey = (...words: ReadonlyArray<string>) =>
  footfall({ FOOTFALL_API_KEY: server.apiKey }, words)
const byOwner = (...words: ReadonlyArray<string>) =>
  footfall({ FOOTFALL_ACCESS_TOKEN: accessToken }, words)

describe("an import", () => {
  it("of topics, people and signals accepts every row, and again changes nothing", async () => {
    const topics = await byOwner("import", "topics", catalog)
    const profiles = await byOwner("import", "people", "people.csv", "--shared")
    const first = await byOwner("import", "signals", "signals.csv")
    const again = await byOwner("import", "signals", "signals.csv")

    const rows = [...signals()].length - 1
    expect(topics.data).toMatchObject({ rejectedCount: 0 })
    expect(topics.data.inserted).toBeGreaterThan(300)
    expect(profiles.data).toMatchObject({ received: people, inserted: people })
    expect(first.data).toMatchObject({ received: rows, inserted: rows, rejectedCount: 0 })
    expect(again.data).toMatchObject({ received: rows, inserted: 0, updated: 0, unchanged: rows })
    expect([topics, profiles, first, again].map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0])
  })

  it("with only invalid rows imports nothing, says why, and exits with 1", async () => {
    const row = (score: number) => `${warehouse},${hashOf(0)},${score},${daysAgo(3)}`
    writeFileSync(join(directory, "bad.csv"), `topicId,emailHash,score,date\n${row(101)}\n`)

    const { exitCode, data } = await byOwner("import", "signals", "bad.csv")

    expect(data.rejected).toEqual([{ row: 1, field: "score", reason: "out_of_range" }])
    expect(exitCode).toBe(1)
  })

  it("with a key is rejected before anything is sent", async () => {
    const { exitCode, stderr } = await byKey("import", "signals", "signals.csv")

    expect(stderr).toContain("You are not signed in.")
    expect(exitCode).toBe(4)
  })
})

describe("anyone", () => {
  it("finds topics despite a typo, and lists all of them", async () => {
    const found = await anyone("topics", "search", "warehous", "managment")
    const all = await anyone("topics", "list", "--all", "--output", "ndjson")
    const { data } = await anyone("topics", "facets")

    expect(found.data[0]).toMatchObject({ topicId: warehouse })
    expect(all.stdout.trim().split("\n")).toHaveLength(data.total)
  })

  it("sees the days of a topic by its name, in every format", async () => {
    const { data } = await anyone("topics", "trend", "route optimization")
    const csv = await anyone("topics", "trend", `${route}`, "--output", "csv")

    expect(data).toHaveLength(days)
    expect(data.at(-1)).toMatchObject({ date: daysAgo(0), uniqueAudience: people })
    expect(csv.stdout.trim().split("\r\n")).toHaveLength(days + 1)
  })

  it("compares topics, and sees the movers", async () => {
    const compared = await anyone("topics", "compare", `${route}`, "Warehouse Management Software")
    const movers = await anyone("topics", "movers", "--limit", "1", "--type", "b2b")

    expect(compared.data.map((one: { topicId: number }) => one.topicId)).toEqual([route, warehouse])
    expect(movers.data).toMatchObject([{ yesterdayAudience: expect.any(Number) }])
    expect(movers.data[0].pctChange).toBeCloseTo(11.11, 2)
  })

  it("gets the closest names, and an error for an unknown topic and for an unreadable one", async () => {
    const half = await anyone("topics", "trend", "warehouse")
    const missing = await anyone("topics", "trend", "999999")
    const unreadable = await anyone("topics", "analyze", "nowhere.invalid")

    expect(half.stderr).toContain(`${warehouse} Warehouse Management Software`)
    expect([half.exitCode, missing.exitCode, unreadable.exitCode]).toEqual([5, 5, 1])
    expect(unreadable.stderr).toContain("SITE_UNREADABLE")
  })

  it("may not preview", async () => {
    expect((await anyone("audiences", "preview", "--topic", `${route}`)).exitCode).toBe(4)
  })
})

describe("a preview", () => {
  /** The people whose scores and profile qualify, by the rules of the files above. */
  const expected = (qualifies: (person: number) => boolean): number =>
    Array.from({ length: people }, (_, person) => person).filter(qualifies).length

  it("counts exactly the people who match scores, overlap and filters", async () => {
    const words = [
      ...["--topic", `${route}`, "--topic", "warehouse management software", "--overlap", "2"],
      ...["--min-score", "75", "--seniority", "vp,c_suite", "--state", "california"],
    ]
    const { data } = await byKey("audiences", "preview", ...words)
    const without = await byKey("audiences", "preview", ...words, "--without-phone")

    const qualifies = (person: number): boolean =>
      person % 2 === 0 && person % 40 >= 15 && person % 4 === 0 && person % 3 === 0
    expect(data.totalCount).toBe(expected(qualifies))
    expect(data.dataDate).toBe(daysAgo(0))
    expect(data.sample.every(({ masked }: { masked: boolean }) => masked)).toBe(true)
    expect(without.data.totalCount).toBe(
      expected((person) => qualifies(person) && person % 5 !== 0),
    )
  })

  it("accepts what validate returns", async () => {
    const words = ["--topic", `${route},${warehouse}`, "--industry", "nothing at all"]
    const validated = await byKey("audiences", "validate", ...words)
    const config = JSON.stringify(validated.data.normalizedConfig)

    const { data } = await byKey("audiences", "preview", "--config", config)

    expect(data).toMatchObject({ totalCount: 0, configHash: validated.data.configHash })
  })

  it("with an unknown value is rejected with the valid ones", async () => {
    const words = ["--topic", `${route}`, "--seniority", "boss"]

    const { exitCode, stderr } = await byKey("audiences", "preview", ...words)

    expect(stderr).toContain("owner, founder, c_suite")
    expect(exitCode).toBe(1)
  })

  it("can use every listed filter value", async () => {
    const { data } = await byKey("audiences", "filters", "state", "--counts")

    expect(data.state.map(({ value }: { value: string }) => value)).toEqual(["CA", "NY"])
  })
})

it("a topic list is saved by names and ids, changed and deleted", async () => {
  const made = await byKey("topic-lists", "create", "Ops", `${route}`, "freight visibility")
  await byKey("topic-lists", "update", made.data.id, "--topics", `${warehouse}`)
  const shown = await byKey("topic-lists", "get", made.data.id)
  const removed = await byKey("topic-lists", "delete", made.data.id, "--yes")

  expect(made.data.topicIds).toEqual([route, 3377])
  expect(shown.data.topicIds).toEqual([warehouse])
  expect(removed.data).toEqual({ id: made.data.id, deleted: true })
  expect((await byKey("topic-lists", "get", made.data.id)).exitCode).toBe(5)
})
