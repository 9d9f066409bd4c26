// Owner, tags and notes of a person and of a company: set, kept, shown in lists, and read by viewers.
import { describe, expect, it } from "vitest"
import {
  address,
  footfall,
  newMember,
  signIn,
  useBrowser,
  useSignedIn,
  visit,
} from "./support/console.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

describe("owner, tags and notes", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = useSignedIn(newContext)

  const someone = async () => {
    const domain = `team-${crypto.randomUUID().slice(0, 8)}.example`
    const person = await visit({ email: `${crypto.randomUUID()}@${domain}` })
    return { person, domain }
  }

  it("of a person are set in the panel, and filter the list", async () => {
    const { person } = await someone()
    const tag = `Q3 ${crypto.randomUUID().slice(0, 8)}`
    const page = await open(`people/${person.emailHash}`)
    const marks = page.getByRole("region", { name: "Owner and tags" })

    await marks.getByLabel("Tags").fill(`${tag}, Pilot`)
    await marks.getByRole("button", { name: "Add", exact: true }).click()
    await marks.getByRole("button", { name: `Remove the tag ${tag}` }).waitFor()
    const owners = marks.getByLabel("Owner")
    const mine = (await footfall.auth.me()).user.id
    await owners.selectOption(mine)
    await expect
      .poll(async () => (await footfall.visitors.update(person.emailHash, {})).owner?.id)
      .toBe(mine)
    await marks.getByRole("button", { name: "Remove the tag Pilot" }).click()
    await expect
      .poll(async () => (await footfall.visitors.update(person.emailHash, {})).tags)
      .toEqual([tag])

    await page.goto(address(`people?tag=${encodeURIComponent(tag)}&owner=${mine}`))
    await page.getByText("1 person", { exact: false }).first().waitFor()
    expect(await page.getByLabel("Tag", { exact: true }).inputValue()).toBe(tag)
    await page.getByLabel("Owner", { exact: true }).selectOption("none")
    await page.getByText("No matching people").waitFor()
  })

  it("of a company: a note is added, edited and deleted", async () => {
    const { domain } = await someone()
    const page = await open(`companies/${domain}`)
    const notes = page.getByRole("region", { name: "Notes" })

    await notes.getByLabel("New note").fill("Asked for prices\nof 40 docks")
    await notes.getByRole("button", { name: "Add note" }).click()
    await notes.getByText("Asked for prices").waitFor()
    await expect.poll(() => notes.getByLabel("New note").inputValue()).toBe("")
    await notes.getByRole("button", { name: "Edit" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Note", { exact: true }).fill("Call back")
    await dialog.getByRole("button", { name: "Save" }).click()
    await notes.getByText("Call back").waitFor()
    await notes.getByText("edited").waitFor()
    expect((await footfall.companies.notes.list(domain)).data[0]?.text).toBe("Call back")
    await notes.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await notes.getByText("No one has noted anything yet.").waitFor()
    expect((await footfall.companies.notes.list(domain)).data).toEqual([])
  })

  it("are only read by a viewer", async () => {
    const { person } = await someone()
    await footfall.visitors.update(person.emailHash, { tags: ["Pilot"] })
    await footfall.visitors.notes.create(person.emailHash, "Call back")
    const viewer = await newMember("viewer")
    const page = await signIn(await newContext(), `people/${person.emailHash}`, viewer)

    await page.getByText("Call back").waitFor()
    await page.getByRole("region", { name: "Owner and tags" }).getByText("Pilot").waitFor()
    expect(await page.getByLabel("New note").count()).toBe(0)
    expect(await page.getByRole("button", { name: "Edit" }).count()).toBe(0)
    expect(await page.getByLabel("Tags", { exact: true }).count()).toBe(0)
  })
})
