// Topics: what changed, several next to each other, saved lists, and the topics of a page.
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { address, footfall, newMember, signIn, useBrowser, useSignedIn } from "./support/console.ts"
import { daysAgo } from "./support/window.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

const unique = (): string => crypto.randomUUID().slice(0, 8)

describe("topics", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = useSignedIn(newContext)
  const choose = async (page: Page, word: string): Promise<string> => {
    const [topic] = await footfall.topics.search({ q: word })
    await page.getByRole("textbox", { name: "Topics" }).fill(word)
    await page.getByRole("button", { name: `Add ${topic!.topicName}`, exact: true }).click()
    return topic!.topicName
  }

  it("that are missing can be imported by an owner, or loaded by the operator", async () => {
    const page = await open("pixels")
    await page.route("**/v1/intent/topics?*", (route) =>
      route.fulfill({
        json: {
          data: [],
          meta: { total: 0, limit: 50, offset: 0, hasMore: false, nextCursor: null },
        },
      }),
    )
    await page.getByRole("link", { name: "Topics" }).click()
    await page.getByText("npx @footfall/server starter-topics").waitFor()
    await page.getByRole("link", { name: "Import topics" }).click()
    await page.getByRole("heading", { name: "Import a file" }).waitFor()
  })

  it("are compared, and the URL keeps the selection", async () => {
    const page = await open("topics?view=compare")
    await page.getByText("Nothing to compare yet").waitFor()
    const names = [await choose(page, "freight"), await choose(page, "warehouse")]
    const newest = page.getByRole("table", { name: "People on the newest day" })
    for (const name of names) await newest.getByText(name).waitFor()
    await page.reload()
    for (const name of names) await newest.getByText(name).waitFor()
    const [topic] = await footfall.topics.search({ q: "freight" })
    const [compared] = await footfall.topics.compare([topic!.topicId])
    const plot = page.getByRole("slider", { name: new RegExp(names[0]!) })
    await plot.focus()
    await page.keyboard.press("ArrowLeft")
    const day = compared!.data.at(-2)!
    await expect
      .poll(() => plot.getAttribute("aria-valuetext"))
      .toBe(`${day.date}: ${day.uniqueAudience}`)
    await page.getByRole("button", { name: `Remove ${names[1]}` }).click()
    await newest.getByText(names[1]!).waitFor({ state: "detached" })
  })

  it("from a mistyped URL are requested once, and the error is shown", async () => {
    const page = await open("topics")
    await page.waitForLoadState("networkidle")
    let asked = 0
    page.on("request", (request) => {
      if (request.url().includes("/v1/topics/NaN")) asked += 1
    })
    await page.goto(address("topics/abc"))
    await page.getByRole("region", { name: "topic" }).getByRole("alert").waitFor()
    await page.waitForLoadState("networkidle")

    expect(asked).toBeLessThanOrEqual(1)
  })

  it("have a trend over the chosen window", async () => {
    const [topic] = await footfall.topics.search({ q: "freight" })
    const page = await open(`topics/${topic!.topicId}?window=7d`)
    const plot = page.getByRole("slider", { name: /People a day/ })
    const week = await plot.getAttribute("aria-valuemax")
    await page.getByLabel("Window").selectOption("90d")
    const { intent } = await footfall.account.get()
    const to = intent.dataDate!
    const from = (days: number) =>
      new Date(Date.parse(to) - (days - 1) * 86_400_000).toISOString().slice(0, 10)
    const count = async (days: number) =>
      (await footfall.topics.trend(topic!.topicId, { from: from(days), to })).length
    expect(Number(week)).toBe((await count(7)) - 1)
    await expect
      .poll(async () => Number(await plot.getAttribute("aria-valuemax")))
      .toBe((await count(90)) - 1)
  })

  it("have a trend over last month and over chosen days", async () => {
    const [topic] = await footfall.topics.search({ q: "freight" })
    const days = { from: daysAgo(20), to: daysAgo(11) }
    const found = await footfall.topics.trend(topic!.topicId, days)
    const page = await open(`topics/${topic!.topicId}?from=${days.from}&to=${days.to}`)
    const plot = page.getByRole("slider", { name: /People a day/ })
    await plot.waitFor()
    expect(await plot.getAttribute("aria-valuetext")).toContain(found.at(-1)!.date)
    expect(await plot.getAttribute("aria-valuemax")).toBe(String(found.length - 1))
    const asked = page.waitForRequest((request) => request.url().includes("/trend?"))
    await page.getByLabel("Window").selectOption({ label: "Last month" })
    const month = new URL((await asked).url()).searchParams
    expect(month.get("from")).toMatch(/-01$/)
    expect(month.get("to")).toMatch(/-(28|29|30|31)$/)
  })

  it("are listed by change, those that grew most first", async () => {
    const movers = await footfall.topics.movers({ direction: "up", limit: 50 })
    const page = await open("topics?view=up")
    const table = page.getByRole("table", { name: "Topics by change" })
    await table
      .getByRole("row")
      .nth(1)
      .getByText(`+${movers[0]!.pctChange.toFixed(1)}%`)
      .waitFor()
    const views = page.getByRole("navigation", { name: "Views" })
    expect(await views.locator('[aria-current="page"]').allTextContents()).toEqual(["Growing"])
    // The table is longer than the screen, and must not squeeze them.
    const { height } = (await views.boundingBox())!
    const { height: heightOfOne } = (await views.getByText("Growing").boundingBox())!
    expect(height).toBeGreaterThanOrEqual(heightOfOne)
  })

  it("are saved in lists, which are created, edited and deleted", async () => {
    const name = `List ${unique()}`
    const page = await open("topics?view=lists")
    await page.getByRole("button", { name: "Create a list" }).first().click()
    await page.getByLabel("Name").fill(name)
    await choose(page, "freight")
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByText(`Created topic list ${name}`).waitFor()
    const card = page.getByRole("listitem").filter({ hasText: name })
    await card.getByRole("button", { name: "Edit" }).click()
    const second = await choose(page, "warehouse")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText(`Saved topic list ${name}`).waitFor()
    await card.getByText(second).waitFor()
    const { data } = await footfall.topicLists.list()
    expect(data.find((each) => each.name === name)!.topicIds).toHaveLength(2)
    await card.getByRole("link", { name: "Compare" }).click()
    await page.getByRole("table", { name: "People on the newest day" }).getByText(second).waitFor()
    await page.goBack()
    await card.getByRole("button", { name: "Delete…" }).click()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByText(`Deleted topic list ${name}`).waitFor()
    await card.waitFor({ state: "detached" })
  })

  it("of a page are found and saved as a list, and an unreadable page says why", async () => {
    const page = await open("topics?view=site")
    await page.getByLabel("Page URL").fill("nothing.acme.example")
    await page.getByRole("button", { name: "Find its topics" }).click()
    await page.getByRole("alert").waitFor()
    const [topic] = await footfall.topics.search({ q: "freight" })
    await page.route("**/v1/intent/topics/analyze", (route) =>
      route.fulfill({
        json: {
          data: {
            company: "<b>Acme</b>",
            summary: "Ships freight.",
            keywords: ["freight"],
            topics: [{ ...topic, similarity: 0.83, matchedKeyword: "<i>freight</i>" }],
            contentHash: null,
          },
          meta: {},
        },
      }),
    )
    await page.getByRole("button", { name: "Find its topics" }).click()
    const result = page.getByRole("region", { name: "Result" })
    await result.getByText("<b>Acme</b>").waitFor()
    await result.getByText("83%").waitFor()
    await result.getByRole("button", { name: "Save as a topic list" }).click()
    const name = `Page ${unique()}`
    await page.getByLabel("Name").fill(name)
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByText(`Created topic list ${name}`).waitFor()
    const saved = (await footfall.topicLists.list()).data.find((each) => each.name === name)
    expect(saved!.topicIds).toEqual([topic!.topicId])
  })

  it("offer a viewer no changes to a list", async () => {
    const [topic] = await footfall.topics.search({ q: "freight" })
    const list = await footfall.topicLists.create({
      name: `Seen ${unique()}`,
      topicIds: [topic!.topicId],
    })
    const page = await signIn(await newContext(), "topics?view=lists", await newMember("viewer"))
    await page.getByRole("heading", { name: list.name }).waitFor()
    expect(await page.getByRole("button", { name: /Create|Edit|Delete/ }).count()).toBe(0)
    await footfall.topicLists.delete(list.id)
  })
})
