// The console's people list in Chromium with 200,000 people: the longest frame during a scroll through 100,000 loaded
// rows, and during a scroll that loads pages.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chromium, type Page } from "playwright-core"
import { chromiumPath, chromiumSwitches } from "../../pixel/test/browser/support/chromium.ts"
import { type BenchPostgres, query } from "./database.ts"
import { domain, fillVisitors, secret } from "./fixture.ts"
import { freePort, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const rowsMax = 100_000
const rounds = 3
/** Per round: five seconds. */
const frames = 300
/** Pixels per frame: reading, flinging, and dragging the scroll bar. */
const paces = [60, 1_000, 8_000]
const user = { email: "owner@bench.example", password: "correct horse battery" }

export const consoleList = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const port = await freePort()
  const environment = {
    DATABASE_URL: await postgres.database("bench_console"),
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
  }
  await initialize(environment)
  await fill(environment.DATABASE_URL)
  const server = start([serverBin, "start", "--json", "--no-workers"], environment)
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumSwitches })
  try {
    await ready(port, performance.now())
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await signIn(page, `http://127.0.0.1:${port}/console/people`)
    const reading = await measureScrolling(page, { from: 0, by: 60 })
    const beganAt = performance.now()
    await page.evaluate(`(${readRows})(${rowsMax})`)
    const readSeconds = (performance.now() - beganAt) / 1_000
    const rows: Array<Row> = [
      row("pages read as the reader gets there", reading),
      {
        name: `console, ${rowsMax} rows read to the end`,
        floor: "-",
        ours: `${readSeconds.toFixed(0)} s`,
        ratio: readSeconds,
      },
    ]
    for (const by of paces) {
      rows.push(
        row(
          `${rowsMax} rows, ${by} px a frame`,
          await measureScrolling(page, { from: 1_000_000, by }),
        ),
      )
    }
    return rows
  } finally {
    await browser.close()
    await stop(server)
  }
}

const initialize = async (environment: Readonly<Record<string, string>>): Promise<void> => {
  const words = ["init", "--json", "--email", user.email, "--organization", "Bench"]
  const child = spawn(
    process.execPath,
    [serverBin, ...words, "--password-stdin", "--no-starter-topics"],
    { env: { ...process.env, ...environment }, stdio: ["pipe", "ignore", "inherit"] },
  )
  child.stdin.end(user.password)
  const [code] = await once(child, "exit")
  if (code !== 0) throw new Error(`init ended with ${String(code)}`)
}

const fill = async (database: string): Promise<void> => {
  const [organization] = await query(database, "select id from organization")
  const organizationId = String(organization!["id"])
  const [pixel] = await query(
    database,
    `insert into pixel (organization_id, id, domain, name) values ($1, gen_random_uuid(), $2, 'Bench')
     returning id`,
    [organizationId, domain],
  )
  await fillVisitors(database, { organizationId, pixelId: String(pixel!["id"]), apiKey: "" })
}

const signIn = async (page: Page, address: string): Promise<void> => {
  await page.goto(address)
  await page.getByLabel("Email").fill(user.email)
  await page.getByLabel("Password").fill(user.password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.locator("[data-index='0']").waitFor()
}

interface ScrollResult {
  readonly longestMs: number
  /** Frames over 50 ms, as counted by the browser. */
  readonly long: number
}

/** Takes the median of several rounds, because machines are noisy. */
const measureScrolling = async (
  page: Page,
  how: { readonly from: number; readonly by: number },
): Promise<ScrollResult> => {
  const found: Array<ScrollResult> = []
  for (let round = 0; round < rounds; round++) {
    found.push(await page.evaluate(`(${scroll})(${JSON.stringify({ ...how, frames })})`))
  }
  return found.toSorted((one, other) => one.longestMs - other.longestMs)[Math.floor(rounds / 2)]!
}

// Code for the page is text, because the server's types don't include the page's.

const scroll = `async ({ by, frames, from }) => {
  const list = document.querySelector(".list")
  list.scrollTop = from
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  for (let settle = 0; settle < 30; settle++) await nextFrame()
  let longestMs = 0
  let long = 0
  const observer = new PerformanceObserver((entries) => {
    for (const { duration } of entries.getEntries()) {
      long += 1
      longestMs = Math.max(longestMs, duration)
    }
  })
  observer.observe({ type: "long-animation-frame" })
  let before = await nextFrame()
  for (let frame = 0; frame < frames; frame++) {
    list.scrollTop += by
    const now = await nextFrame()
    longestMs = Math.max(longestMs, now - before)
    before = now
  }
  observer.disconnect()
  return { longestMs, long }
}`

/** Scrolls to the end of the loaded rows until there are `count`. */
const readRows = `async (count) => {
  const list = document.querySelector(".list")
  while (list.scrollHeight < count * 52) {
    list.scrollTop = list.scrollHeight
    await new Promise(requestAnimationFrame)
  }
}`

const row = (name: string, { long, longestMs }: ScrollResult): Row => ({
  name: `console, ${name}`,
  floor: "50 ms",
  ours: `longest frame ${longestMs.toFixed(0)} ms, ${long} over 50 ms`,
  ratio: longestMs / 50,
  bar: { atMost: 1 },
})
