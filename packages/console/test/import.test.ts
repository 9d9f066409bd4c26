// Importing a file of suppression rules, as a member does it on the page.
import { gzipSync } from "node:zlib"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page, Request } from "playwright-core"
import { describe, expect, it, onTestFinished } from "vitest"
import {
  address,
  contentOf,
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

const rulesLike = async (q: string): Promise<ReadonlyArray<string>> =>
  (await footfall.suppression.list({ q, limit: 500 })).data.map(({ value }) => value).toSorted()

const planPath = "**/v1/data/import/suppression-rules/plan?*"
const applyPath = "**/v1/data/import/suppression-rules/apply"

describe("an import of suppression rules", needs("chromium"), () => {
  const newContext = useBrowser()
  const openPage = useSignedIn(newContext)
  const open = (): Promise<Page> => openPage("suppression/import")
  const choose = async (page: Page, text: string | Buffer, name = "rules.csv"): Promise<void> => {
    const buffer = Buffer.from(text)
    await page.getByLabel("Drop a file here").setInputFiles({ name, mimeType: "text/csv", buffer })
  }
  /** A file that is too large to be sent before the test can act, with one rule in each of its long rows. */
  const largeFile = async (header: string, word: string): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), "import-"))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, "large.csv")
    const note = "n".repeat(20_000)
    const row = (_: unknown, index: number) => `p${index}@${word}.example,${note}\n`
    await writeFile(path, `${header}\n${Array.from({ length: 3_000 }, row).join("")}`)
    return path
  }
  const found = (page: Page) => page.getByRole("region", { name: "Contents" })
  const isDrop = (request: Request) => request.method() === "DELETE"

  it("shows how the file was read and its effect, adds its rules, and offers the rejected rows as a file", async () => {
    const word = unique()
    await footfall.suppression.add([{ type: "email", value: `old@${word}.example` }])
    const page = await open()
    await choose(
      page,
      `Name;E-Mail\nOld;old@${word}.example\nNew;NEW@${word}.example\nAgain;new@${word}.example\nBad;<b>@${word}\n`,
    )
    await page.getByText('Read as a table (semicolons), column "E-Mail": email addresses').waitFor()
    await page.getByRole("group", { name: "First rows" }).getByText(`old@${word}.example`).waitFor()
    await found(page).getByText("2 rules in 4 rows").waitFor()
    await found(page).getByText("1 row with a rule of an earlier row").waitFor()
    await page.getByText(/1 new rule, 1 already there/).waitFor()
    await found(page).getByText("Rejected rows:").click()
    await found(page)
      .getByRole("cell", { name: `<b>@${word}` })
      .waitFor()
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      found(page).getByRole("button", { name: "Download the rejected rows" }).click(),
    ])
    expect(download.suggestedFilename()).toBe("rules.csv.rejected.csv")
    expect(await contentOf(download)).toBe(
      `line,type,value,reason,message\r\n5,email,<b>@${word},invalid_email,\r\n`,
    )
    expect(await rulesLike(word)).toEqual([`old@${word}.example`])

    await page.getByRole("button", { name: "Add 1 rule" }).click()

    await page.getByText("Added 1 rule").first().waitFor()
    expect(await rulesLike(word)).toEqual([`new@${word}.example`, `old@${word}.example`])
    await page.getByRole("button", { name: "Import another file" }).click()
    await page.getByText("Drop a file here").waitFor()
  })

  it("asks for what the file does not say, and sends it again with the choices", async () => {
    const word = unique()
    const page = await open()
    await choose(page, `what;who\nx;a.${word}.example\nx;b.${word}.example\n`)
    await page.getByText("Choose the column and the type below").waitFor()
    await page.getByLabel("Column", { exact: true }).selectOption("2")
    await found(page).getByText("2 rules in 2 rows").waitFor()
    await page.getByLabel("Type", { exact: true }).selectOption("company_domain")
    await found(page).getByText("Companies").waitFor()
    await page.getByLabel("The first row contains column names").uncheck()
    await found(page).getByText("2 rules in 3 rows").waitFor()
    await page.getByLabel("The first row contains column names").check()
    await found(page).getByText("2 rules in 2 rows").waitFor()
    await page.getByRole("button", { name: "Add 2 rules" }).click()
    await page.getByText("Added 2 rules").first().waitFor()
    const { data } = await footfall.suppression.list({ q: word })
    expect(data.map(({ type }) => type)).toEqual(["company_domain", "company_domain"])
  })

  it("offers the columns that could be meant", async () => {
    const word = unique()
    const page = await open()
    await choose(page, `a,b\nx@${word}.example,y@${word}.example\n`)
    await page.getByRole("button", { name: "Column b: Email" }).click()
    await page.getByRole("button", { name: "Add 1 rule" }).click()
    await page.getByText("Added 1 rule").first().waitFor()
    expect(await rulesLike(word)).toEqual([`y@${word}.example`])
  })

  it("takes UTF-16, gzip and NDJSON, and says what else is wrong with a file", async () => {
    const word = unique()
    const page = await open()
    const text = Buffer.from(`\uFEFFemail\nä@${word}.example\n`, "utf16le")
    await choose(page, gzipSync(text), "rules.csv.gz")
    await page.getByText(/UTF-16\./).waitFor()
    await found(page).getByText("1 rule in 1 row").waitFor()
    const another = page.getByRole("button", { name: "Choose another file" })
    await another.click()
    await choose(page, `{"type":"email","value":"b@${word}.example"}\n`, "rules.ndjson")
    await page.getByText("Read as NDJSON.").waitFor()
    await another.click()
    await choose(page, Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), "book.xlsx")
    await page.getByText("book.xlsx is a ZIP archive or a workbook.").waitFor()
    await page.getByText("Save it as CSV.").waitFor()
    await another.click()
    await choose(page, 'type,value\nemail,"jane@a.example\n')
    await page.getByText(/line 2: a quote is not closed/).waitFor()
    await another.click()
    await choose(page, "")
    await page.getByText("The file has no rows, so nothing can be added.").waitFor()
  })

  it("accepts a dropped file", async () => {
    const page = await open()
    const word = unique()
    const data = await page.evaluateHandle((value) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([`email\n${value}`], "dropped.csv"))
      return transfer
    }, `dropped@${word}.example`)
    await page
      .getByText("Drop a file here, or choose one")
      .dispatchEvent("drop", { dataTransfer: data })
    await page.getByRole("heading", { name: "dropped.csv" }).waitFor()
    await found(page).getByText("1 rule in 1 row").waitFor()
  })

  it("replaces rules of the chosen types, after showing the difference", async () => {
    const word = unique()
    const old = Array.from({ length: 150 }, (_, index) => `r${index}.${word}.example`)
    await footfall.suppression.replace({
      types: ["company_domain"],
      rules: old.map((value) => ({ type: "company_domain", value })),
    })
    await footfall.suppression.add([{ type: "email", value: `stays@${word}.example` }])
    const page = await open()
    await page.getByLabel("What to do").selectOption("replace")
    await page.getByText("First choose which rules the file replaces").waitFor()
    await page.getByLabel("Companies").check()
    await choose(page, `company_domain\n${old[0]}\nnew.${word}.example\n`)
    const row = page.getByRole("table", { name: "Changes" }).getByRole("row").nth(1)
    await expect
      .poll(() => row.getByRole("cell").allTextContents())
      .toEqual(["Companies", "150", "1", "149", "2"])
    await page.getByText(/This removes 149 of 150 rules/).waitFor()
    const replace = page.getByRole("button", { name: "Add 1 and remove 149" })
    expect(await replace.isDisabled()).toBe(true)
    await page.getByLabel("Type 149").fill("148")
    expect(await replace.isDisabled()).toBe(true)
    expect(await rulesLike(word)).toHaveLength(151)
    await page.getByLabel("Type 149").fill("149")
    await replace.click()

    await page.getByText("Added 1 rule, removed 149 rules", { exact: true }).waitFor()
    expect(await rulesLike(word)).toEqual(
      [old[0]!, `new.${word}.example`, `stays@${word}.example`].toSorted(),
    )
  })

  it("compares again if the list has changed since", async () => {
    const word = unique()
    const page = await open()
    await page.getByLabel("What to do").selectOption("replace")
    await page.getByLabel("Industries").check()
    await choose(page, `industry\n${word} one\n`)
    const table = page.getByRole("table", { name: "Changes" })
    await table.waitFor()
    await footfall.suppression.add([{ type: "industry", value: `${word} two` }])
    await page.getByRole("button", { name: /^Add/ }).click()
    await page.getByText("The list has changed since the file was compared").waitFor()
    expect(await rulesLike(word)).toEqual([`${word} two`])

    await page.getByRole("button", { name: "Check the file again" }).click()
    await page.getByRole("button", { name: "Add 1 and remove 1" }).click()

    await page.getByText("Added 1 rule, removed 1 rule", { exact: true }).waitFor()
    expect(await rulesLike(word)).toEqual([`${word} one`])
  })

  it("removes the rules of a file", async () => {
    const word = unique()
    const [one, two] = [`one.${word}.example`, `two.${word}.example`]
    await footfall.suppression.add([one, two].map((value) => ({ type: "domain", value })))
    const page = await open()
    await page.getByLabel("What to do").selectOption("remove")
    await choose(page, `domain\n${one}\nother.${word}.example\n`)
    await page.getByText("1 rule of the file is on the list").waitFor()
    await page.getByRole("button", { name: "Remove 1 rule" }).click()
    await page.getByText("Removed 1 rule").first().waitFor()
    expect(await rulesLike(word)).toEqual([two])
  })

  it("sends a large file from the disk, shows how far it is, and stops when asked", async () => {
    const word = unique()
    const page = await open()
    const client = await page.context().newCDPSession(page)
    await client.send("HeapProfiler.collectGarbage")
    const heap = async () => (await client.send("Runtime.getHeapUsage")).usedSize
    const before = await heap()
    const network = { offline: false, latency: 0, downloadThroughput: -1 }
    await client.send("Network.enable")
    await client.send("Network.emulateNetworkConditions", {
      ...network,
      uploadThroughput: 10_000_000,
    })
    const path = await largeFile("email,note", word)
    await page.getByLabel("Drop a file here").setInputFiles(path)
    await page.getByText(/^[1-9]\d* of 61 MB/).waitFor()
    expect((await heap()) - before).toBeLessThan(30_000_000)
    page.once("dialog", (dialog) => void dialog.dismiss())
    await page.locator(".crumb").click()
    await page.getByRole("button", { name: "Stay" }).click()
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.getByText("Drop a file here").waitFor()
    expect(await rulesLike(word)).toEqual([])

    await client.send("Network.emulateNetworkConditions", { ...network, uploadThroughput: -1 })
    await page.getByLabel("Drop a file here").setInputFiles(path)
    await found(page).getByText("3,000 rules in 3,000 rows").waitFor()
    expect((await heap()) - before).toBeLessThan(30_000_000)
  })

  it("shows what the server says about a large file that it stops reading", async () => {
    const page = await open()
    await page.getByLabel("Drop a file here").setInputFiles(await largeFile("what,who", unique()))
    await page.getByText(/large.csv line 1: no column has a known name/).waitFor()
    await page.getByLabel("Type", { exact: true }).selectOption("email")
    await page.getByLabel("Column", { exact: true }).selectOption("1")
    await found(page).getByText("3,000 rules in 3,000 rows").waitFor()
  })

  it("drops the plan when the user leaves, and one that is asked for again", async () => {
    const word = unique()
    const page = await open()
    const drops: Array<string> = []
    page.on("request", (request) => isDrop(request) && drops.push(request.url()))
    await choose(page, `email\nx@${word}.example\n`)
    await page.getByRole("button", { name: "Add 1 rule" }).waitFor()
    await page.getByLabel("Type", { exact: true }).selectOption("domain")
    await page.getByText("The file has no valid rule").waitFor()
    await expect.poll(() => drops).toHaveLength(1)
    await Promise.all([
      page.waitForResponse((response) => isDrop(response.request()) && response.ok()),
      page.locator(".crumb").click(),
    ])
    expect(new Set(drops)).toHaveProperty("size", 2)
  })

  it("goes on applying a plan when the user leaves", async () => {
    const word = unique()
    const page = await open()
    await choose(page, `email\nx@${word}.example\n`)
    const drops: Array<string> = []
    page.on("request", (request) => isDrop(request) && drops.push(request.url()))
    let letGo = (): void => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route(applyPath, (route) => held.then(() => route.continue()))
    await page.getByRole("button", { name: "Add 1 rule" }).click()
    await page.locator(".crumb").click()
    await page.getByRole("heading", { name: "Suppression", exact: true }).waitFor()
    letGo()
    await page.getByText("rules.csv: Added 1 rule").waitFor()
    await page.getByText(`x@${word}.example`).waitFor()
    expect(drops).toEqual([])
  })

  it("says that a plan is gone, and makes another one", async () => {
    const word = unique()
    const page = await open()
    const [planned] = await Promise.all([
      page.waitForResponse(planPath),
      choose(page, `email\nx@${word}.example\n`),
    ])
    const { data } = (await planned.json()) as { readonly data: { readonly importId: string } }
    await footfall.fileImports.drop("suppression-rules", data.importId)
    await page.getByRole("button", { name: "Add 1 rule" }).click()
    await page.getByText("This plan is gone").waitFor()
    await page.getByRole("button", { name: "Check the file again" }).click()
    await page.getByText("This plan is gone").waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Add 1 rule" }).click()
    await page.getByText("Added 1 rule").first().waitFor()
  })

  it("shows the request id if the server fails, and can be tried again", async () => {
    const word = unique()
    const page = await open()
    await failing(page, planPath)
    await choose(page, `email\nx@${word}.example\n`)
    await page.getByRole("alert").getByText(failedRequestId).waitFor()
    await page.unroute(planPath)
    await page.getByRole("button", { name: "Try again" }).click()
    await failing(page, applyPath)
    await page.getByRole("button", { name: "Add 1 rule" }).click()
    await page.getByRole("alert").getByText(failedRequestId).waitFor()
    await page.unroute(applyPath)
    await page.getByRole("button", { name: "Add 1 rule" }).click()
    await page.getByText("Added 1 rule").first().waitFor()
  })

  it("is not offered to a viewer", async () => {
    const viewer = await newMember("viewer")
    const page = await signIn(await newContext(), "suppression", viewer)
    await page.getByRole("heading", { name: "Suppression" }).waitFor()
    expect(await page.getByRole("link", { name: "Import a file" }).count()).toBe(0)
    await page.goto(address("suppression/import"))
    await page.getByText("Viewers can't import rules").waitFor()
    expect(await page.getByLabel("Drop a file here").count()).toBe(0)
  })
})

describe("a past import", needs("chromium"), () => {
  const newContext = useBrowser()
  const openPage = useSignedIn(newContext)

  it("is undone after a confirmation", async () => {
    const word = unique()
    const plan = await footfall.fileImports.plan("suppression-rules", `p@${word}.example\n`, {
      type: "email",
      name: `${word}.csv`,
    })
    await footfall.fileImports.apply("suppression-rules", { importId: plan.importId })
    const page = await openPage("suppression/import")
    await page.getByRole("button", { name: `Undo the import of ${word}.csv` }).click()
    expect(await rulesLike(word)).toHaveLength(1)

    await page.getByRole("dialog").getByRole("button", { name: "Undo the import" }).click()

    await page.getByText(`Undid the import of ${word}.csv`).waitFor()
    expect(await rulesLike(word)).toEqual([])
    await page.getByRole("region", { name: "Past imports" }).getByText("undone").first().waitFor()
  })
})
