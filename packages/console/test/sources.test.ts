// Suppression sources, as a member adds, watches, pauses, approves and deletes them on the page.
import type { SuppressionSource } from "@footfall/sdk"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { failing, footfall, newMember, signIn, useBrowser, useSignedIn } from "./support/console.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

const unique = (): string => crypto.randomUUID().slice(0, 8)

const rulesLike = async (q: string): Promise<ReadonlyArray<string>> =>
  (await footfall.suppression.list({ q, limit: 500 })).data.map(({ value }) => value).toSorted()

const sourceNamed = async (name: string): Promise<SuppressionSource | undefined> =>
  (await footfall.suppressionSources.list()).find((one) => one.name === name)

/** A list of companies of this word, and a source that mirrors it. */
const mirrored = async (word: string, count = 1) => {
  const list = await footfall.lists.create({ name: `List ${word}`, subject: "companies" })
  const values = Array.from({ length: count }, (_, at) => `${word}${at}.example`)
  await footfall.lists.addMembers(list.id, { values })
  const source = await footfall.suppressionSources.create({
    name: `Source ${word}`,
    kind: "list",
    listId: list.id,
  })
  await expect
    .poll(async () => (await footfall.suppressionSources.get(source.id)).rules, { timeout: 30_000 })
    .toBe(count)
  return { list, source }
}

const card = (page: Page, name: string) => page.getByRole("listitem", { name })

/** Answers of accounts and their lists, which need a service. */
const withAccounts = async (page: Page, posted: Array<unknown>): Promise<void> => {
  const account = {
    id: "9d0c4a52-1d5e-4a43-9d43-0a4bcbd3a0f7",
    automationAccountId: "acct_1",
    appSlug: "hubspot",
    appName: "HubSpot",
    accountName: "Sales",
    status: "healthy",
    lastSyncedAt: "2026-03-11T09:00:00.000Z",
  }
  const octopus = {
    ...account,
    id: "1d0c4a52-1d5e-4a43-9d43-0a4bcbd3a0f7",
    appSlug: "emailoctopus",
    appName: "EmailOctopus",
    accountName: null,
  }
  const pipedrive = {
    ...octopus,
    id: "2d0c4a52-1d5e-4a43-9d43-0a4bcbd3a0f7",
    appSlug: "pipedrive",
    appName: "Pipedrive",
  }
  const answer = (data: unknown) => JSON.stringify({ data, meta: {} })
  await page.route("**/v1/intent/integrations/accounts", (route) =>
    route.fulfill({
      contentType: "application/json",
      body: answer({ accounts: [account, octopus, pipedrive] }),
    }),
  )
  await page.route("**/v1/intent/integrations/*/readable-lists?*", (route) =>
    route.fulfill({
      contentType: "application/json",
      body: answer({
        lists: [
          {
            id: "91",
            name: "Customers <b>",
            doubleOptIn: false,
            fields: [],
            tags: [],
            counts: null,
          },
        ],
      }),
    }),
  )
  await page.route("**/v1/data/suppression-sources", async (route) => {
    if (route.request().method() !== "POST") return route.continue()
    posted.push(route.request().postDataJSON())
    await route.fulfill({
      status: 400,
      contentType: "application/json",
      body: JSON.stringify({
        error: {
          code: "VALIDATION_ERROR",
          message: "Nothing is stored in this test.",
          details: null,
          requestId: "1",
        },
      }),
    })
  })
}

describe("suppression sources", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = useSignedIn(newContext)
  const openSources = (): Promise<Page> => open("suppression/sources")

  it("are reached from the rules, and a list of the organization is mirrored", async () => {
    const word = unique()
    const list = await footfall.lists.create({ name: `List ${word}`, subject: "companies" })
    await footfall.lists.addMembers(list.id, { values: [`${word}.example`] })
    const page = await open("suppression")
    await page.getByRole("link", { name: "Sources" }).click()
    await page.getByRole("button", { name: "Add a source" }).first().click()
    const dialog = page.getByRole("dialog", { name: "Add a source" })

    await dialog.getByLabel("From").selectOption("One of your lists")
    expect(await dialog.getByRole("button", { name: "Add" }).isDisabled()).toBe(true)
    await dialog.getByLabel("List").selectOption({ label: `List ${word} (companies)` })
    await dialog.getByLabel("Name").fill(`Customers ${word}`)
    await dialog.getByLabel("Synced").selectOption("Every hour")
    await dialog.getByRole("button", { name: "Add" }).click()

    const added = card(page, `Customers ${word}`)
    await added.getByText("in sync").waitFor()
    await added.getByText("One of your lists, every hour").waitFor()
    await added.getByText("1 rule added").waitFor()
    await added.getByText(/Last sync (just now|\d+ (sec|min)\.? ago) · next sync in/).waitFor()
    expect(await rulesLike(word)).toEqual([`${word}.example`])
  })

  it("of an account take three choices: the account, its list, Add", async () => {
    const posted: Array<unknown> = []
    const page = await openSources()
    await withAccounts(page, posted)
    await page.reload()
    await page.getByRole("button", { name: "Add a source" }).first().click()
    const dialog = page.getByRole("dialog", { name: "Add a source" })

    // Only services whose people can be read.
    await dialog.getByLabel("From").selectOption("Sales (HubSpot)")
    expect(await dialog.getByLabel("From").textContent()).not.toContain("Pipedrive")
    await dialog.getByLabel("List").selectOption("Customers <b>")
    await dialog.getByRole("button", { name: "Add" }).click()

    await dialog.getByText("Nothing is stored in this test.").waitFor()
    expect(posted).toEqual([
      {
        name: "Sales (HubSpot)",
        schedule: "daily",
        kind: "hubspot",
        connectedAccountId: "9d0c4a52-1d5e-4a43-9d43-0a4bcbd3a0f7",
        people: "all",
        listId: "91",
      },
    ])
  })

  it("of an account need no list, unless people are on lists only", async () => {
    const posted: Array<unknown> = []
    const page = await openSources()
    await withAccounts(page, posted)
    await page.reload()
    await page.getByRole("button", { name: "Add a source" }).first().click()
    const dialog = page.getByRole("dialog", { name: "Add a source" })
    const add = dialog.getByRole("button", { name: "Add" })

    await dialog.getByLabel("From").selectOption("EmailOctopus")
    await dialog.getByLabel("Who").selectOption("Only those who refused")
    await dialog
      .getByText("unsubscribed, bounced, complained or are suppressed in EmailOctopus")
      .waitFor()
    expect(await add.isDisabled()).toBe(true)
    await dialog.getByLabel("From").selectOption("Sales (HubSpot)")
    await dialog.getByLabel("List").selectOption("Everyone in HubSpot")
    await add.click()

    await dialog.getByText("Nothing is stored in this test.").waitFor()
    expect(posted).toEqual([expect.not.objectContaining({ listId: expect.anything() })])
  })

  it("of a file say why they fail, and are paused and resumed", async () => {
    const word = unique()
    const page = await openSources()
    await page.getByRole("button", { name: "Add a source" }).first().click()
    const dialog = page.getByRole("dialog", { name: "Add a source" })
    await dialog.getByLabel("From").selectOption("A file on a web server")
    await dialog.getByLabel("URL").fill(`https://${word}.invalid/customers.csv`)
    await dialog.getByLabel("It contains").selectOption("Email domains")
    await dialog.getByLabel("Authorization header").fill("Bearer secret-of-the-crm")
    await dialog.getByLabel("Name").fill(`File ${word}`)
    await dialog.getByRole("button", { name: "Add" }).click()

    const added = card(page, `File ${word}`)
    await added.getByText("failing").waitFor()
    await added.getByText("The host name has no address.").waitFor()
    await added.getByText(`File at ${word}.invalid, every day`).waitFor()
    expect(await sourceNamed(`File ${word}`)).toMatchObject({
      types: ["domain"],
      headerNames: ["authorization"],
    })
    await added.getByRole("button", { name: "Pause" }).click()
    await added.getByText("paused: the rules stay as they are").waitFor()
    expect(await added.getByRole("button", { name: /Sync/ }).count()).toBe(0)
    await added.getByRole("button", { name: "Resume" }).click()
    await expect.poll(async () => (await sourceNamed(`File ${word}`))?.status).toBe("active")
  })

  it("are synced at once on request", async () => {
    const { source } = await mirrored(unique())
    const before = (await footfall.suppressionSources.get(source.id)).lastSync!.at
    const page = await openSources()

    await page.getByRole("button", { name: `Sync now: ${source.name}` }).click()

    await page.getByText(`Syncing ${source.name}`).waitFor()
    await expect
      .poll(async () => (await footfall.suppressionSources.get(source.id)).lastSync!.at)
      .not.toBe(before)
    await card(page, source.name).getByText("Nothing had changed.").waitFor()
  })

  it("that would remove most of their rules say so, and go on once that is approved", async () => {
    const word = unique()
    const { list, source } = await mirrored(word, 120)
    const left = Array.from({ length: 100 }, (_, at) => `${word}${at}.example`)
    await footfall.lists.removeMembers(list.id, { values: left })
    await expect
      .poll(async () => (await footfall.suppressionSources.get(source.id)).status, {
        timeout: 60_000,
      })
      .toBe("needs_attention")
    const page = await openSources()
    const waiting = card(page, source.name)
    await waiting.getByText("needs approval").waitFor()
    await waiting.getByText("The sync would remove 100 of its 120 rules.").waitFor()
    expect(await rulesLike(word)).toHaveLength(120)

    await waiting.getByRole("button", { name: "Approve…" }).click()
    const dialog = page.getByRole("dialog", { name: "Remove 100 of 120 rules?" })
    await dialog.getByRole("button", { name: "Remove 100 rules" }).click()

    await waiting.getByText("100 rules removed").waitFor()
    expect(await rulesLike(word)).toHaveLength(20)
  })

  it.each([
    ["with their rules", "Remove 2 rules", "Delete with 2 rules", 0],
    ["and their rules are kept", "Keep 2 rules", "Delete, keep the rules", 2],
  ])("are deleted %s", async (_name, choice, verb, left) => {
    const word = unique()
    const { source } = await mirrored(word, 2)
    const page = await openSources()
    await card(page, source.name).getByRole("button", { name: "Delete…" }).click()
    const dialog = page.getByRole("dialog", { name: `Delete ${source.name}?` })

    await dialog.getByLabel("Its rules").selectOption(choice)
    await dialog.getByRole("button", { name: verb }).click()

    await page.getByText(`Deleted source ${source.name}`).waitFor()
    await expect.poll(() => card(page, source.name).count()).toBe(0)
    expect(await rulesLike(word)).toHaveLength(left)
  })

  it("that could not be added keep the form and say why", async () => {
    const page = await openSources()
    await failing(page, "**/v1/data/suppression-sources")
    await page.getByRole("button", { name: "Add a source" }).first().click()
    const dialog = page.getByRole("dialog", { name: "Add a source" })
    await dialog.getByLabel("From").selectOption("A file on a web server")
    await dialog.getByLabel("URL").fill("https://crm.example/customers.csv")
    await dialog.getByLabel("Name").fill("Kept")
    await dialog.getByRole("button", { name: "Add" }).click()

    await dialog.getByText("No source was added").waitFor()
    expect(await dialog.getByLabel("Name").inputValue()).toBe("Kept")
  })

  it("are shown to viewers without buttons", async () => {
    const { source } = await mirrored(unique())
    const page = await signIn(await newContext(), "suppression/sources", await newMember("viewer"))

    await card(page, source.name).getByText("in sync").waitFor()

    expect(
      await page.getByRole("button", { name: /Add a source|Pause|Delete…|Sync/ }).count(),
    ).toBe(0)
  })
})
