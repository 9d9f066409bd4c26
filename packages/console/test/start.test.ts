// The first minutes: the guide keeps someone until the first person is known, and nothing on a screen contradicts it.
import type { Footfall } from "@footfall/sdk"
import { beforeAll, describe, expect, it } from "vitest"
import {
  newMember,
  newOrganization,
  stage,
  type User,
  useBrowser,
  useSignedIn,
} from "./support/console.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

describe("a new organization", needs("chromium"), () => {
  let own: Footfall
  let user: User
  const open = useSignedIn(useBrowser(), () => Promise.resolve(user))
  const domain = `first-${crypto.randomUUID().slice(0, 8)}.example`
  beforeAll(async () => {
    const { client } = await newOrganization("First steps", await newMember("member"))
    own = client
    user = await newMember("owner", client)
  })

  it("creates its pixel inside the guide, which then shows the tag", async () => {
    const page = await open("start")
    await page.getByRole("button", { name: "Add a site" }).click()
    await page.getByLabel("Domain").fill(domain)
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByRole("group", { name: "tag" }).waitFor()
    expect(new URL(page.url()).pathname).toBe("/console/start")
  })

  it("sees the first event in the panel and the row of the pixel without a reload", async () => {
    const [pixel] = await own.pixels.list()
    const page = await open(`pixels/${pixel!.id}`)
    const panel = page.getByRole("region", { name: "pixel", exact: true })
    const row = page.getByRole("table", { name: "Sites" }).getByRole("row").nth(1)
    await panel.getByText("no event yet").waitFor()
    await row.getByText("no event yet").waitFor()
    const { writeKey } = await own.pixels.writeKeys.create(pixel!.id, {
      name: "Tests",
      kind: "server",
    })
    await fetch(`${stage.url}/v1/batch`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        writeKey,
        batch: [
          {
            type: "page",
            anonymousId: crypto.randomUUID(),
            properties: { url: `https://${domain}/` },
          },
        ],
      }),
    })
    await panel.getByText("active", { exact: true }).waitFor()
    await row.getByText("active", { exact: true }).waitFor()
  })

  it("sees its one anonymous session counted, and that no one was recognized in it", async () => {
    const page = await open("overview?window=24h")
    const figure = (name: RegExp) => page.locator(".figure", { hasText: name }).locator("strong")
    await figure(/^Visits/)
      .getByText("1", { exact: true })
      .waitFor()
    expect(await figure(/^Anonymous visits/).textContent()).toBe("1")
    await page
      .getByRole("region", { name: "Latest visitors" })
      .getByText("No person or company was recognized in this time window.")
      .waitFor()
    expect(await page.getByText("No visit", { exact: false }).count()).toBe(0)
  })

  it("finds the way on from the guide: to topics and audiences", async () => {
    const page = await open("start")
    const next = page.getByText(/^Next: choose topics and build an audience/)
    await next.waitFor()
    const links = await next
      .getByRole("link")
      .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute("href")]))
    expect(links).toEqual([
      ["topics", "/console/topics"],
      ["audience", "/console/audiences"],
    ])
  })

  it("is led to where RB2B, forms and calendars can send people", async () => {
    const page = await open("start")
    await page.getByRole("link", { name: "let it send people here" }).click()
    await page.getByText("No sources yet").waitFor()
    await page.getByRole("button", { name: "Add a source" }).first().waitFor()
  })

  it("gets the call that identifies a person, ready to copy", async () => {
    const page = await open("start")
    const call = page.getByRole("group", { name: "identify call" })
    await call.waitFor()
    expect(await call.textContent()).toContain('companyName: "Acme"')
  })

  it("sees why it has no companies, not that a filter hides them", async () => {
    const page = await open("companies")
    await page.getByText("the operator of this server sets IP_COMPANY_FILE").waitFor()
    expect(await page.getByText("matches the search").count()).toBe(0)
  })

  it("sees that no topic matches, or that there are none yet", async () => {
    const page = await open("overview")
    const meta = { timestamp: "", request_id: "", page: 1, pageSize: 1, total: 7 }
    await page.route(/\/topics\/search/, (route) => route.fulfill({ json: { data: [], meta } }))
    await page.route(/\/topics\?.*pageSize=1/, (route) =>
      route.fulfill({ json: { data: [], meta: { ...meta, total: 0 } } }),
    )
    await page.getByRole("link", { name: "Topics" }).click()
    await page.getByRole("main").getByRole("link", { name: "Lists" }).click()
    await page.getByRole("button", { name: /list/i }).first().click()
    await page.getByRole("textbox", { name: "Topics" }).fill("freight")
    await page.getByRole("status").getByText("There are no topics yet.").waitFor()
  })
})
