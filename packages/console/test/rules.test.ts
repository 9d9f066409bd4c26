// The rule builder: every change is counted. The rule is the same in the form, as JSON and on the
// command line. It can be saved, changed and deleted as a segment.
import { describe, expect, it } from "vitest"
import type { Page } from "playwright-core"
import {
  address,
  failedRequestId,
  failing,
  footfall,
  newMember,
  signIn,
  useBrowser,
  useSignedIn,
} from "./support/console.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

const unique = (): string => crypto.randomUUID().slice(0, 8)

const counted = async (page: Page): Promise<string> =>
  (await page.getByRole("region", { name: "Preview" }).getByRole("status").textContent()) ?? ""

const countOf = async (rule: object): Promise<string> => {
  const ruleAst = { version: 1, window: "30d", rule } as never
  const { count } = await footfall.segments.preview({ ruleAst })
  return `${new Intl.NumberFormat("en").format(count)} ${count === 1 ? "person" : "people"}`
}

const pricing = { field: "behavior.pricing_page_views", op: "gte", value: 1 }

describe("the rule builder", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = useSignedIn(newContext)

  it("counts while the user types, and shows eight of the people", async () => {
    const page = await open("segments/new")
    // Other tests add people. The page asks when it opens, so it opens again until both were asked at the same time.
    await expect
      .poll(async () => {
        await page.reload()
        await expect.poll(() => counted(page)).toMatch(/^[\d,]+ people$/)
        return (await counted(page)) === (await countOf({ all: [pricing] }))
      })
      .toBe(true)
    const sample = page.getByRole("list", { name: "Sample" }).getByRole("listitem")
    expect(await sample.count()).toBe(8)
    await page.getByLabel("Value", { exact: true }).fill("3")
    await expect.poll(() => counted(page)).toBe(await countOf({ all: [{ ...pricing, value: 3 }] }))
  })

  it("selects companies with the fields that they have, and saves a segment of them", async () => {
    const name = `Accounts ${unique()}`
    const page = await open("companies")
    await page.getByRole("link", { name: "+ View" }).click()
    await expect.poll(() => counted(page)).toMatch(/^[\d,]+ compan(y|ies)$/)
    expect(await page.getByLabel("What the rule selects").inputValue()).toBe("companies")
    const offered = await page.locator("datalist option").allTextContents()
    expect(offered).toContain("score.total")
    expect(offered).not.toContain("contact.name")

    await page.getByRole("button", { name: "Save as a view…" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill(name)
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    await page.getByRole("link", { name: "Show the companies of this view" }).click()

    const { data } = await footfall.segments.list()
    const segment = data.find((one) => one.name === name)!
    expect(segment.subject).toBe("companies")
    await expect
      .poll(() => page.getByRole("link", { name }).getAttribute("aria-current"))
      .toBe("page")
    await page.goto(address("people"))
    await page.getByRole("link", { name: "+ View" }).waitFor()
    expect(await page.getByRole("link", { name }).count()).toBe(0)
    await footfall.segments.delete(segment.id)
  })

  it("offers the lists of companies for a company, by their names", async () => {
    const name = `Accounts ${unique()}`
    const { id } = await footfall.lists.create({ name, subject: "companies" })
    await footfall.lists.create({ name: `Guests ${unique()}`, subject: "people" })
    const page = await open("segments/new")
    await page.getByLabel("Field").first().fill("company: list")
    const condition = page.getByRole("group", { name: "Company: list" })
    const lists = condition.getByLabel("List", { exact: true })

    await lists.selectOption({ label: name })
    await condition.getByLabel("Operator").selectOption("not_in_list")

    expect((await lists.locator("option").allTextContents()).join()).not.toContain("Guests")
    await page.getByRole("button", { name: "JSON" }).click()
    const json = JSON.parse(await page.getByLabel("The rule as JSON").inputValue())
    expect(json.rule).toEqual({ all: [{ field: "company.list", op: "not_in_list", value: id }] })
  })

  it("builds nested groups, with a field search and values from the data", async () => {
    const page = await open("segments/new")
    await page.getByRole("button", { name: "+ Group" }).click()
    const field = page.getByLabel("Field").nth(1)
    await field.fill("Person: seniority")
    await page.getByRole("group", { name: "Person: seniority" }).waitFor()
    const seniority = page.getByRole("group", { name: "Person: seniority" })
    await seniority.getByLabel("Operator").selectOption("in")
    const list = await seniority.getByLabel("Value 1").getAttribute("list")
    const offered = page.locator(`[id="${list}"] option`)
    await expect.poll(() => offered.count()).toBeGreaterThan(1)
    const value = (await offered.first().getAttribute("value"))!
    await seniority.getByLabel("Value 1").fill(value)
    await seniority.getByRole("button", { name: "Add a value" }).click()
    await seniority.getByLabel("Value 2").fill("intern")
    await page.getByRole("button", { name: "+ Condition" }).first().click()
    const last = page.getByLabel("Field").nth(2)
    await last.fill("time: last seen")
    const seen = page.getByRole("group", { name: "Time: last seen" })
    await seen.getByLabel("Number").fill("12")
    const rule = {
      all: [
        pricing,
        {
          any: [
            { field: "company.seniority", op: "in", value: [value, "intern"] },
            { field: "timing.last_seen_at", op: "within", value: "12d" },
          ],
        },
      ],
    }
    // As above. The address keeps the rule.
    await expect.poll(() => page.url()).toContain("12d")
    await expect
      .poll(async () => {
        await expect.poll(() => counted(page)).toMatch(/^[\d,]+ (?:people|person)$/)
        if ((await counted(page)) === (await countOf(rule))) return true
        await page.reload()
        return false
      })
      .toBe(true)
    await page.getByRole("button", { name: "JSON" }).click()
    const json = await page.getByLabel("The rule as JSON").inputValue()
    expect(JSON.parse(json)).toEqual({ version: 1, window: "30d", rule })
    await page.getByRole("button", { name: "Command line and SDK" }).click()
    const command = await page.getByLabel("command", { exact: true }).textContent()
    expect(command).toBe(
      `footfall visitors query --all --rule '${JSON.stringify(JSON.parse(json))}'`,
    )
    await page.getByRole("button", { name: "Copy command" }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(command)
  })

  it("accepts a rule as JSON, explains an invalid one, and keeps it across a reload", async () => {
    const page = await open("segments/new")
    await page.getByRole("button", { name: "JSON" }).click()
    const json = page.getByLabel("The rule as JSON")
    await json.fill("{")
    await page.getByText("This is not JSON yet").waitFor()
    await json.fill('{"version":1,"rule":{"field":"company.mood","op":"eq","value":1}}')
    await page.getByText('There is no field "company.mood"').waitFor()
    const rule = { field: "company.employee_count", op: "between", value: [10, 500] }
    await json.fill(JSON.stringify({ version: 1, window: "90d", rule }))
    await expect.poll(() => page.url()).toContain("employee_count")
    await page.reload()
    const condition = page.getByRole("group", { name: "Company: employees" })
    expect(await condition.getByLabel("Minimum").inputValue()).toBe("10")
    expect(await condition.getByLabel("Maximum").inputValue()).toBe("500")
    expect(await page.getByLabel("Time window of this rule").inputValue()).toBe("90d")
  })

  it("does not count an incomplete rule", async () => {
    const page = await open("segments/new")
    await expect.poll(() => counted(page)).toMatch(/people/)
    await page.getByLabel("Value", { exact: true }).fill("")
    await page.getByText("Complete every condition to count again").waitFor()
    expect(await page.getByRole("button", { name: "Save as a view…" }).isDisabled()).toBe(true)
  })

  it("saves a segment, shows its people, changes and deletes it", async () => {
    const name = `Segment ${unique()}`
    const page = await open("people")
    await page.getByRole("link", { name: "+ View" }).click()
    await page.getByRole("button", { name: "Save as a view…" }).click()
    await page.getByLabel("Name").fill(name)
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText(`Created view ${name}`).waitFor()
    await page.getByRole("heading", { name }).waitFor()
    const find = async () =>
      (await footfall.segments.list()).data.find((segment) => segment.name === name)
    expect((await find())?.ruleAst.rule).toEqual({ all: [pricing] })

    await page.getByLabel("Value", { exact: true }).fill("2")
    await page.getByRole("button", { name: "Save the changes" }).click()
    await page.getByText(`Saved view ${name}`).waitFor()
    expect((await find())?.ruleAst.rule).toEqual({ all: [{ ...pricing, value: 2 }] })

    await page.getByRole("link", { name: "Show the people of this view" }).click()
    const table = page.getByRole("table", { name: "People" })
    await table.waitFor()
    const people = await countOf({ all: [{ ...pricing, value: 2 }] })
    expect(`${Number(await table.getAttribute("aria-rowcount")) - 1} people`).toBe(people)
    await page.getByRole("link", { name: "Open the rule" }).click()
    await page.getByRole("button", { name: "Delete…" }).click()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByText(`Deleted view ${name}`).waitFor()
    expect(await find()).toBeUndefined()
  })

  it("says why a segment in use by a webhook can't be deleted", async () => {
    const segment = await footfall.segments.create({
      name: `Used ${unique()}`,
      ruleAst: { version: 1, rule: { field: "behavior.pageviews", op: "gte", value: 1 } },
    })
    const { webhook } = await footfall.webhooks.create({
      name: "Uses it",
      url: "https://hooks.acme.example/uses",
      segmentId: segment.id,
    })
    const page = await open(`segments/${segment.id}`)
    await page.getByRole("button", { name: "Delete…" }).click()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByRole("alert").waitFor()
    await page.keyboard.press("Escape")
    const save = page.getByRole("button", { name: "Save the changes" })
    expect(await save.isDisabled()).toBe(true)
    await footfall.webhooks.delete(webhook.id)
    await footfall.segments.delete(segment.id)
  })

  it("shows the people of an unsaved rule", async () => {
    const page = await open("segments/new")
    await page.getByRole("link", { name: "View the list" }).click()
    await page.getByRole("link", { name: "Unsaved rule" }).waitFor()
    const table = page.getByRole("table", { name: "People" })
    await table.waitFor()
    const people = await countOf({ all: [pricing] })
    expect(`${Number(await table.getAttribute("aria-rowcount")) - 1} people`).toBe(people)
  })

  it("shows an error with its request id, and keeps the rule", async () => {
    const page = await open("people")
    await failing(page, "**/v1/data/segments/preview")
    await page.goto(address("segments/new"))
    await page.getByRole("alert").getByText(failedRequestId).waitFor()
    await page.unroute("**/v1/data/segments/preview")
    await page.getByRole("button", { name: "Try again" }).click()
    await expect.poll(() => counted(page)).toMatch(/people/)
    expect(await page.getByLabel("Value", { exact: true }).inputValue()).toBe("1")
  })

  it("lets a viewer build a rule but not save it", async () => {
    const page = await signIn(await newContext(), "segments/new", await newMember("viewer"))
    await expect.poll(() => counted(page)).toMatch(/people/)
    expect(await page.getByRole("button", { name: /save|delete/i }).count()).toBe(0)
  })
})
