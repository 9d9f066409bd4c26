// Files for ad platforms as a whole (spec 2.13.5, 5.9.13). What is in each cell: `ad-columns.test.ts`.
import { parse } from "csv-parse/sync"
import { hash } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer } from "../../support/server.ts"
import { people, type PutRun, putRun, runPath } from "./support.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

const exportAds = async (run: PutRun, query: string) => {
  const response = await fetch(`${server.url}/v1/intent/audiences${runPath(run)}/export${query}`, {
    headers: { "x-api-key": server.apiKey, "accept-encoding": "identity" },
  })
  return { response, text: await response.text() }
}

const hashed = (text: string) => hash("sha256", text, "hex")

it.each(["meta", "google", "linkedin", "tiktok", "x"])(
  "streams the file for %s as an attachment that nothing caches",
  async (format) => {
    const run = await putRun(server, server, { rows: people(2) })

    const { response, text } = await exportAds(run, `?format=${format}`)

    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="buyers-2026-03-10-${format}.csv"`,
    )
    expect(response.headers.get("cache-control")).toBe("no-store")
    const lines = text.split("\r\n").filter((line) => line !== "")
    const [header, first, second] = format === "x" ? ["", ...lines] : lines
    expect(header).not.toMatch(/[0-9a-f]{64}/)
    expect(first).toContain(hashed("person1@acme.example"))
    expect(second).toContain(hashed("person2@acme.example"))
    expect(lines).toHaveLength(format === "x" ? 2 : 3)
    expect(text).not.toContain("@")
  },
)

it("refuses a format that is missing or unknown, and names the field", async () => {
  const run = await putRun(server, server, { rows: people(1) })

  for (const query of ["", "?format=", "?format=csv", "?format=META", "?format=__proto__"]) {
    const { response, text } = await exportAds(run, query)
    expect([query, response.status]).toEqual([query, 400])
    expect(text).toContain("format")
    if (query !== "") expect(text).toContain("linkedin")
  }
})

it("refuses a run that is not completed, and knows none of another organization", async () => {
  const queued = await putRun(server, server, { status: "queued" })
  const other = await server.makeOrganization()
  const theirs = await putRun(server, other, { rows: people(1) })

  expect((await exportAds(queued, "?format=x")).response.status).toBe(409)
  expect((await exportAds(theirs, "?format=x")).response.status).toBe(404)
})

it("leaves out who is suppressed when the file is read, by any address, domain, company or industry", async () => {
  const own = await server.makeOrganization()
  const run = await putRun(server, own, {
    rows: [
      { email: "kept@a.example", business_email: "kept@a.example" },
      { email: "one@b.example", business_email: "one@b.example", personal_email: "home@c.example" },
      { email: "two@blocked.example", business_email: "two@blocked.example" },
      {
        email: "three@d.example",
        business_email: "three@d.example",
        company_domain: "rival.example",
      },
      { email: "four@e.example", business_email: "four@e.example", company_industry: "Gambling" },
    ],
  })
  const read = async () => {
    const response = await fetch(
      `${server.url}/v1/intent/audiences${runPath(run)}/export?format=x`,
      { headers: { "x-api-key": own.apiKey } },
    )
    return (await response.text()).split("\r\n").filter((line) => line !== "")
  }
  expect(await read()).toHaveLength(6)

  const rules = [
    { type: "email", value: "home@c.example" },
    { type: "domain", value: "blocked.example" },
    { type: "company_domain", value: "rival.example" },
    { type: "industry", value: "gambling" },
  ]
  const response = await fetch(`${server.url}/v1/data/suppression-rules`, {
    method: "PUT",
    headers: { "x-api-key": own.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ rules }),
  })
  expect(response.status).toBe(200)
  await server.sql(
    "update suppression_rule set takes_part_at = now() - interval '1 day' where organization_id = $1",
    [own.organizationId],
  )
  await server.sql("update suppression_list set cycle_at = now() where organization_id = $1", [
    own.organizationId,
  ])

  expect(await read()).toEqual([hashed("kept@a.example")])
})

it("writes everyone once and in order, across its parts and the gaps that erased people leave", async () => {
  const run = await putRun(server, server, { rows: people(2_345) })
  await server.sql(
    "delete from run_result where organization_id = $1 and run_id = $2 and position % 1000 = 0",
    [run.organizationId, run.runId],
  )

  const lines = (await exportAds(run, "?format=x")).text.split("\r\n").slice(0, -1)

  const expected = Array.from({ length: 2_345 }, (_, at) => at + 1)
    .filter((place) => place % 1000 !== 0)
    .map((place) => hashed(`person${place}@acme.example`))
  expect(lines).toEqual(expected)
})

it("has plain text that no spreadsheet runs and every parser reads", async () => {
  const rows = ["=1+1", "@SUM(1)", '"Ann", CEO', "two\r\nlines", "李 小龍"].map((text, at) => ({
    first_name: text,
    company_name: text,
    business_email: `${at}@a.example`,
  }))
  const run = await putRun(server, server, { rows })

  const { text } = await exportAds(run, "?format=linkedin")

  const found = parse(text, { columns: true }).map(
    (row) => (row as Readonly<Record<string, string>>)["firstname"],
  )
  expect(found).toEqual(["'=1+1", "'@SUM(1)", '"Ann", CEO', "two\r\nlines", "李 小龍"])
})

it("has the header alone if the run found no one, and nothing at all for X", async () => {
  const run = await putRun(server, server)

  expect((await exportAds(run, "?format=tiktok")).text).toBe(
    "Email_SHA256,Email_SHA256,Email_SHA256,Phone_SHA256\r\n",
  )
  expect((await exportAds(run, "?format=x")).text).toBe("")
})
