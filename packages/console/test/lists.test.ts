// Lists of companies and people: the lists, one with its values, and what members can do with them.
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import {
  failing,
  footfall,
  newMember,
  newOrganization,
  signIn,
  switchTo,
  useBrowser,
  useSignedIn,
} from "./support/console.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

const unique = (): string => crypto.randomUUID().slice(0, 8)

/** A list of companies with these values. */
const listOf = async (name: string, values: ReadonlyArray<string>) => {
  const list = await footfall.lists.create({ name, subject: "companies" })
  if (values.length > 0) await footfall.lists.addMembers(list.id, { values })
  return list
}

const valuesOf = async (listId: string): Promise<ReadonlyArray<string>> =>
  (await footfall.lists.members(listId)).data.map(({ value }) => value)

describe("lists", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = useSignedIn(newContext)
  const addValues = async (page: Page, text: string): Promise<void> => {
    await page.getByRole("button", { name: "Add values" }).first().click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Values").fill(text)
    await dialog.getByRole("button", { name: /^Add/ }).click()
  }

  it("are created, filled by pasting, renamed and deleted", async () => {
    const name = `Accounts ${unique()}`
    const page = await open("lists")
    await page.getByRole("button", { name: "Create a list" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill(name)
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click()
    await page.getByRole("heading", { name: "Nothing in this list" }).waitFor()
    const listId = new URL(page.url()).pathname.split("/").at(-1)!

    await addValues(page, "https://www.Acme.example/pricing, quay.example\nacme.example\n")
    await page.getByText("Added 2 values, 1 were there already").waitFor()
    await page.getByRole("table", { name: "Values" }).getByText("quay.example").waitFor()
    await page.getByText("2 companies · changed").waitFor()
    expect(await valuesOf(listId)).toEqual(["acme.example", "quay.example"])

    await page.getByRole("button", { name: "Rename" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill(`${name} 2`)
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click()
    await page.getByRole("heading", { name: `${name} 2` }).waitFor()

    await page.getByRole("button", { name: "Delete" }).click()
    await page.getByText("its 2 companies will be gone").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await page.getByRole("heading", { name: "Lists", exact: true }).waitFor()
    await page.getByText(`Deleted list ${name} 2`).waitFor()
    await expect(footfall.lists.get(listId)).rejects.toThrow()
  })

  it("say which pasted values were not added, and why", async () => {
    const { id } = await listOf(`Wrong ${unique()}`, [])
    const page = await open(`lists/${id}`)

    await addValues(page, "co.uk\nnot a domain\nacme.example\n")

    const dialog = page.getByRole("dialog", { name: "2 values not added" })
    await dialog.getByText("Added 1 value. These values are invalid:").waitFor()
    await dialog.getByText("co.uk: anyone can register a domain below this one").waitFor()
    await dialog.getByText("not a domain: not a domain").waitFor()
    expect(await valuesOf(id)).toEqual(["acme.example"])
  })

  it("take no more than 25,000 values at once", async () => {
    const { id } = await listOf(`Many ${unique()}`, [])
    const page = await open(`lists/${id}`)
    await page.getByRole("button", { name: "Add values" }).first().click()
    const dialog = page.getByRole("dialog")
    // As a paste does: typing so much takes a minute.
    const paste = (count: number) =>
      dialog.getByLabel("Values").evaluate((area, length) => {
        const text = Array.from({ length }, (_, index) => `a${index}.example`).join("\n")
        const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")!
        set!.call(area, text)
        area.dispatchEvent(new Event("input", { bubbles: true }))
      }, count)

    await paste(25_001)
    await dialog.getByText("At most 25,000 values at once").waitFor()
    expect(await dialog.getByRole("button", { name: /^Add/ }).isDisabled()).toBe(true)
    await paste(25_000)
    await dialog.getByRole("button", { name: "Add 25,000 values" }).waitFor()
    expect(await dialog.getByText("At most 25,000 values at once").count()).toBe(0)
    await dialog.getByRole("button", { name: "Add 25,000 values" }).click()
    await page.getByText("Added 25,000 values").waitFor()
    expect((await footfall.lists.get(id)).size).toBe(25_000)
  })

  it("show the values that contain a text, load more while scrolling, and lose a removed one", async () => {
    const word = unique()
    const values = Array.from({ length: 450 }, (_, at) => `${String(at).padStart(4, "0")}.example`)
    const { id } = await listOf(`Long ${word}`, [...values, `${word}.example`])
    const page = await open(`lists/${id}`)
    const table = page.getByRole("table", { name: "Values" })
    await table.getByText("0000.example").waitFor()
    await expect
      .poll(async () => {
        await table.evaluate((list) => list.scrollTo(0, list.scrollHeight))
        return table.getByText("0449.example").count()
      })
      .toBe(1)

    await page.getByLabel("Search values").fill(word)
    await expect.poll(() => table.getByRole("row").count()).toBe(2)
    await page.getByRole("button", { name: `Remove ${word}.example` }).click()
    await page.getByRole("heading", { name: "No matching values" }).waitFor()
    expect(await valuesOf(id)).not.toContain(`${word}.example`)
  })

  it("say why a value was not removed, and keep it", async () => {
    const { id } = await listOf(`Kept ${unique()}`, ["acme.example"])
    const page = await open(`lists/${id}`)
    await page.getByRole("button", { name: "Remove acme.example" }).waitFor()
    await failing(page, `**/v1/data/lists/${id}/members`)

    await page.getByRole("button", { name: "Remove acme.example" }).click()

    await page.getByRole("dialog", { name: "The value was not removed" }).waitFor()
    expect(await valuesOf(id)).toEqual(["acme.example"])
  })

  it("that are in use are not deleted, and the dialog links to what uses them", async () => {
    const name = `Used ${unique()}`
    const { id } = await listOf(name, ["acme.example"])
    const segment = await footfall.segments.create({
      name: `Segment of ${name}`,
      subject: "companies",
      ruleAst: { version: 1, rule: { field: "company.list", op: "in_list", value: id } },
    })
    const { webhook } = await footfall.webhooks.create({
      ...{ name: `Alert of ${name}`, url: "https://hooks.acme.example/", status: "inactive" },
      ...{ trigger: "page_viewed", listId: id },
    })
    const page = await open(`lists/${id}`)
    await page.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()

    const dialog = page.getByRole("dialog", { name: `${name} is in use` })
    await dialog.getByRole("link", { name: `Alert of ${name}` }).waitFor()
    await dialog.getByRole("link", { name: segment.name }).click()
    await page.waitForURL(`**/segments/${segment.id}*`)
    expect((await footfall.lists.get(id)).size).toBe(1)
    await footfall.webhooks.delete(webhook.id)
    await footfall.segments.delete(segment.id)
  })

  it("are read by a viewer, who changes nothing", async () => {
    const { id, name } = await listOf(`Read ${unique()}`, ["acme.example"])
    const page = await signIn(await newContext(), "lists", await newMember("viewer"))
    await page.getByRole("link", { name }).waitFor()
    expect(await page.getByRole("button", { name: "Create a list" }).count()).toBe(0)
    await page.getByRole("link", { name }).click()
    await page.waitForURL(`**/lists/${id}*`)
    await page.getByText("acme.example").first().waitFor()
    for (const verb of ["Add values", "Rename", "Delete", "Remove acme.example"]) {
      expect(await page.getByRole("button", { name: verb }).count()).toBe(0)
    }
  })

  it("are explained where there are none", async () => {
    const user = await newMember("admin")
    const organization = `Empty ${unique()}`
    await newOrganization(organization, user)
    const page = await signIn(await newContext(), "people", user)
    await switchTo(page, organization)
    await page.getByRole("link", { name: "Lists", exact: true }).click()
    await page.getByRole("heading", { name: "No lists yet" }).waitFor()
  })
})
