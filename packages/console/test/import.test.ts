// Importing a file of suppression rules, as a member does it on the page.
import { gzipSync } from "node:zlib"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { describe, expect, it, onTestFinished } from "vitest"
import {
  address,
  contentOf,
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

describe("an import of suppression rules", needs("chromium"), () => {
  const newContext = useBrowser()
  const openPage = useSignedIn(newContext)
  const open = (): Promise<Page> => openPage("suppression/import")
  const choose = async (page: Page, text: string | Buffer, name = "rules.csv"): Promise<void> => {
    const buffer = Buffer.from(text)
    await page.getByLabel("Drop a file here").setInputFiles({ name, mimeType: "text/csv", buffer })
  }
  const found = (page: Page) => page.getByRole("region", { name: "Contents" })

  it("shows the file's format and effect, adds its rules, and offers the rejected rows as a file", async () => {
    const word = unique()
    await footfall.suppression.add([{ type: "email", value: `old@${word}.example` }])
    const page = await open()
    await choose(
      page,
      `Name;E-Mail\nOld;old@${word}.example\nNew;NEW@${word}.example\nAgain;new@${word}.example\nBad;<b>@${word}\n`,
    )
    await page.getByText('Read as a table (semicolons), column "E-Mail": email addresses').waitFor()
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

    await page.getByRole("button", { name: "Add 2 rules" }).click()

    await page.getByText("Added 1 rule").first().waitFor()
    await page.getByText("Already there: 1 rule").waitFor()
    expect(await rulesLike(word)).toEqual([`new@${word}.example`, `old@${word}.example`])
  })

  it("asks for what the file does not say, and reads it again with the choices", async () => {
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
    await page.getByRole("button", { name: "Add 2 rules" }).click()
    await page.getByText("Added 2 rules").first().waitFor()
    const { data } = await footfall.suppression.list({ q: word })
    expect(data.map(({ type }) => type)).toEqual(["company_domain", "company_domain"])
  })

  it("reads UTF-16 and gzip, and says so", async () => {
    const word = unique()
    const page = await open()
    const text = Buffer.from(`\uFEFFemail\nä@${word}.example\n`, "utf16le")
    await choose(page, gzipSync(text), "rules.csv.gz")
    await page.getByText(/UTF-16, compressed\./).waitFor()
    await found(page).getByText("1 rule in 1 row").waitFor()
    await page.getByRole("button", { name: "Choose another file" }).click()
    await choose(page, Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), "book.xlsx")
    await page.getByText(/is a ZIP archive or a workbook/).waitFor()
    await page.getByRole("button", { name: "Choose another file" }).click()
    await choose(page, 'type,value\nemail,"jane@a.example\n')
    await page.getByText(/line 2: a quote is not closed/).waitFor()
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

  it("replaces rules of the types in the file, after showing the difference", async () => {
    const word = unique()
    const old = Array.from({ length: 150 }, (_, index) => `r${index}.${word}.example`)
    await footfall.suppression.replace({
      types: ["company_domain"],
      rules: old.map((value) => ({ type: "company_domain", value })),
    })
    await footfall.suppression.add([{ type: "email", value: `stays@${word}.example` }])
    const page = await open()
    await choose(page, `company_domain\n${old[0]}\nnew.${word}.example\n`)
    await page.getByLabel("What to do").selectOption("replace")
    await page.getByRole("button", { name: "Compare with the list" }).click()
    const row = page.getByRole("table", { name: "Difference" }).getByRole("row").nth(1)
    await expect
      .poll(() => row.getByRole("cell").allTextContents())
      .toEqual([...["Companies", "150", "1", "149", "2"]])
    await page.getByText(/This removes 149 of 150 rules/).waitFor()
    const replace = page.getByRole("button", { name: "Add 1 and remove 149" })
    expect(await replace.isDisabled()).toBe(true)
    await page.getByLabel("Type 149").fill("148")
    expect(await replace.isDisabled()).toBe(true)
    expect(await rulesLike(word)).toHaveLength(151)
    await page.getByLabel("Type 149").fill("149")
    await replace.click()

    await page.getByText("Added 1 rule, removed 149").waitFor()
    expect(await rulesLike(word)).toEqual(
      [old[0]!, `new.${word}.example`, `stays@${word}.example`].toSorted(),
    )
  })

  it("continues on other screens, and after a reload once the file is chosen again", async () => {
    const word = unique()
    const text = `email\n${Array.from({ length: 60_000 }, (_, index) => `p${index}@${word}.example`).join("\n")}`
    const page = await open()
    // The second request waits, so that the user can leave.
    let requests = 0
    let letGo = (): void => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route("**/v1/data/suppression-rules", async (route) => {
      if (route.request().method() === "POST") requests += 1
      if (requests === 2) await held
      await route.continue().catch(() => {})
    })
    const input = page.getByLabel("Drop a file here")
    const folder = await mkdtemp(join(tmpdir(), "import-"))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, "people.csv")
    await writeFile(file, text)
    await input.setInputFiles(file)
    await page.getByRole("button", { name: "Add 60,000 rules" }).click()
    await page.getByText("25,000 of 60,000 rules").waitFor()
    await page.getByRole("link", { name: "Back to the list" }).click()
    await page.getByText("Importing people.csv: 25,000 of 60,000 rules").waitFor()
    page.on("dialog", (dialog) => void dialog.accept())
    await page.unroute("**/v1/data/suppression-rules")
    await page.goto(address("suppression/import"))
    letGo()
    await page.getByText(/stopped after 25,000 of 60,000 rules/).waitFor()
    await input.setInputFiles(file)
    await page.getByText(/This file stopped after 25,000 of 60,000 rules/).waitFor()
    await page.getByRole("button", { name: "Continue with the other 35,000" }).click()
    await page
      .getByText(/^Added /)
      .first()
      .waitFor()
    expect((await footfall.suppression.list({ q: word, limit: 1 })).meta.filteredTotal).toBe(60_000)
    await page.getByRole("button", { name: "Import another file" }).click()
    expect(await page.getByText(/stopped after/).count()).toBe(0)
  })

  it("stops with the request id if the server fails, and continues from there", async () => {
    const word = unique()
    const page = await open()
    const broken = "**/v1/data/suppression-rules"
    await page.route(broken, (route) =>
      route.request().method() === "POST"
        ? route.fulfill({
            status: 500,
            headers: { "x-request-id": "req_00000000000000000000000000" },
            json: { error: { code: "INTERNAL_ERROR", message: "The server failed." }, meta: {} },
          })
        : route.continue(),
    )
    await choose(page, `email\nx@${word}.example\n`)
    await page.getByRole("button", { name: "Add 1 rule" }).click()
    await page.getByRole("alert").getByText("req_00000000000000000000000000").waitFor()
    await page.unroute(broken)
    await page.getByRole("button", { name: "Continue with the other 1" }).click()
    await page.getByText("Added 1 rule").first().waitFor()
  })

  it("sends nothing to an organization other than the one in which the file was chosen", async () => {
    const word = unique()
    const page = await open()
    await choose(page, `email\nx@${word}.example\n`)
    // The preview of the change may still be running: only a few files a minute are allowed.
    await page.getByRole("button", { name: "Add 1 rule" }).waitFor()
    // Once, for the import. Otherwise the screen's own requests would get this response.
    await page.route(
      "**/v1/auth/me",
      async (route) => {
        const response = await route.fetch()
        const json = (await response.json()) as { data: { organization: { id: string } } }
        json.data.organization.id = crypto.randomUUID()
        await route.fulfill({ response, json })
      },
      { times: 1 },
    )
    await page.getByRole("button", { name: "Add 1 rule" }).click()
    await page.getByText("You are in another organization now").waitFor()
    expect(await rulesLike(word)).toEqual([])
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
