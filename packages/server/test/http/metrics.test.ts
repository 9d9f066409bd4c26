// GET /metrics (spec 5.15): OpenMetrics text without personal data or names. It contains every metric that ops/ uses.
import { readFile } from "node:fs/promises"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, test } from "vitest"
import { domain, startServer, type TestServer } from "../support/server.ts"

let server: TestServer
let text: string
let families: ReadonlyMap<string, string>

const batch = (url: string) => ({
  v: 1,
  sentAt: new Date().toISOString(),
  anonymousId: randomUUID(),
  consent: "granted",
  events: [{ id: randomUUID(), type: "page", time: new Date().toISOString(), url }],
})

const scrape = () => fetch(`${server.url}/metrics`)

beforeAll(async () => {
  server = await startServer({ workers: false })
  await server.collect(batch(`https://${domain}/secret-path`))
  await server.collect(batch("https://elsewhere.example/"))
  await server.get("/v1/data/pixels")
  await server.get(`/v1/data/pixels/${randomUUID()}`)
  await server.get("/no/such/path")
  await fetch(`${server.url}/v1/data/pixels`)
  text = await (await scrape()).text()
  families = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]),
  )
})
afterAll(() => server.close())

/** The value of a metric, by name and labels in order. */
const sample = (name: string, ...labels: ReadonlyArray<string>): number | undefined => {
  const line = text
    .split("\n")
    .find(
      (one) =>
        (one.startsWith(`${name}{`) || one.startsWith(`${name} `)) &&
        labels.every((label) => one.includes(label)),
    )
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ") + 1))
}

test("is OpenMetrics: its type, its end, and only samples of declared families", async () => {
  const response = await scrape()

  expect(response.headers.get("content-type")).toBe(
    "application/openmetrics-text; version=1.0.0; charset=utf-8",
  )
  expect(text.endsWith("\n# EOF\n")).toBe(true)
  const endings = { counter: ["_total"], gauge: [""], histogram: ["_bucket", "_sum", "_count"] }
  const names = new Set(
    [...families].flatMap(([name, type]) =>
      endings[type as keyof typeof endings].map((ending) => name + ending),
    ),
  )
  for (const line of text.split("\n").slice(0, -2)) {
    if (line.startsWith("#")) expect(line).toMatch(/^# (HELP|TYPE) [a-z_]+ \S/)
    else {
      const [, name] =
        /^([a-z_]+)(?:\{[a-z_]+="[^"]*"(?:,[a-z_]+="[^"]*")*\})? (?:[-\d.e+]+|NaN|\+Inf)$/.exec(
          line,
        ) ?? []
      expect(names.has(String(name)), line).toBe(true)
    }
  }
})

test("counts requests by the pattern of their route, method and status, never by path", () => {
  const requests = (...labels: ReadonlyArray<string>) =>
    sample("footfall_http_requests_total", ...labels)

  expect(requests('route="/v1/data/pixels"', 'method="GET"', 'status="200"')).toBe(1)
  expect(requests('route="/v1/data/pixels"', 'method="GET"', 'status="401"')).toBe(1)
  expect(requests('route="/v1/data/pixels/:id"', 'status="404"')).toBe(1)
  expect(requests('route="none"', 'status="404"')).toBe(1)
  expect(sample("footfall_http_request_seconds_count", 'route="/v1/data/pixels"')).toBe(2)
  expect(sample("footfall_http_request_duration_seconds_count", 'route="/v1/data/pixels"')).toBe(2)
})

test("counts batches of the pixel: stored, and dropped by reason", () => {
  expect(sample("footfall_collect_stored_batches_total")).toBe(1)
  expect(sample("footfall_collect_stored_events_total")).toBe(1)
  expect(sample("footfall_collect_unavailable_batches_total")).toBe(0)
  expect(sample("footfall_collect_dropped_batches_total", 'reason="domain_mismatch"')).toBe(1)
})

test("reports depth and lag of every queue", () => {
  for (const queue of ["visits", "runs", "exports", "ready_mails", "deliveries", "webhooks"]) {
    const waiting = queue === "visits" ? 1 : 0
    expect(sample("footfall_queue_depth", `queue="${queue}"`, 'state="waiting"')).toBe(waiting)
    expect(sample("footfall_queue_lag_seconds", `queue="${queue}"`)).toBeGreaterThanOrEqual(0)
  }
  expect(sample("footfall_database_up")).toBe(1)
  expect(sample("footfall_database_connections", 'state="active"')).toBeGreaterThan(0)
})

test("counts webhooks by whether they get data: working, failing, stopped", async () => {
  const { webhook } = await server.sdk.webhooks.create({
    name: "CRM",
    url: "https://crm.tidewater.example/hook",
  })
  const states = async () => {
    text = await (await scrape()).text()
    return ["working", "failing", "stopped"].map((state) =>
      sample("footfall_receivers", 'kind="webhook"', `state="${state}"`),
    )
  }
  const { id } = webhook
  await expect.poll(states).toEqual([1, 0, 0])
  await server.sql("update webhook set last_error_at = now() where id = $1", [id])
  await expect.poll(states).toEqual([0, 1, 0])
  await server.sql("update webhook set last_delivered_at = now() where id = $1", [id])
  await expect.poll(states).toEqual([1, 0, 0])
  await server.sql("update webhook set status = 'auto_disabled' where id = $1", [id])
  await expect.poll(states).toEqual([0, 0, 1])
})

test("contains nothing about people and organizations", () => {
  const { apiKey, apiKeyId, organizationId, pixelId } = server

  for (const word of [apiKey, apiKeyId, organizationId, pixelId, "idewater", "secret-path"]) {
    expect(text).not.toContain(word)
  }
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|@|127\.0\.0\.1/)
})

test("of two servers in a process counts separately", async () => {
  const other = await startServer({ beside: server, workers: false })
  const seen = await (await fetch(`${other.url}/metrics`)).text()
  await other.close()

  expect(seen).not.toContain("footfall_http_requests_total{")
  expect(seen).toContain("footfall_collect_stored_batches_total 0")
})

const asked = /\b(?:footfall|process|nodejs)_[a-z_]+\b(?!")/g
const opsFile = (name: string) =>
  readFile(new URL(`../../../../ops/${name}`, import.meta.url), "utf8")

test.each(["grafana-dashboard.json", "alerts.yml"])(
  "ops/%s uses no other metrics",
  async (file) => {
    const known = new Set(
      [...families.keys()].flatMap((name) =>
        ["", "_total", "_bucket", "_sum", "_count"].map((ending) => name + ending),
      ),
    )
    const names = [...new Set((await opsFile(file)).match(asked))]

    expect(names.length).toBeGreaterThan(3)
    expect(names.filter((name) => !known.has(name))).toEqual([])
  },
)

test("the dashboard shows every family, durations under their newer names", async () => {
  const dashboard = await opsFile("grafana-dashboard.json")
  const hidden = [...families.keys()].filter((name) => !dashboard.includes(name))

  expect(hidden.toSorted()).toEqual([
    "footfall_collect_store_seconds",
    "footfall_http_request_seconds",
    "nodejs_heap_size_total_bytes",
  ])
})
