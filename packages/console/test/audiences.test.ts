// Runs, exports, destinations, deliveries and connected accounts of an audience, as a member uses
// them.
import type { Delivery, DeliveryFailure, FailedContact } from "@footfall/sdk"
import { beforeAll, describe, expect, it } from "vitest"
import {
  address,
  contentOf,
  footfall,
  newMember,
  signIn,
  stage,
  useBrowser,
  useSignedIn,
} from "./support/console.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

const unique = (): string => crypto.randomUUID().slice(0, 8)
const hostile = `<img src=x onerror="globalThis.ran=1">`

/** A completed delivery of ten contacts. */
const deliveryOf = (audienceId: string, given: Partial<Delivery>): Delivery => {
  const now = new Date().toISOString()
  return {
    id: crypto.randomUUID(),
    organizationId: crypto.randomUUID(),
    audienceId,
    destinationId: crypto.randomUUID(),
    destinationConfigRevision: 1,
    sourceRunId: crypto.randomUUID(),
    baselineRunId: null,
    mode: "initial",
    status: "completed",
    sourceCount: 10,
    processedCount: 10,
    sentCount: 10,
    skippedCount: 0,
    failedCount: 0,
    removedCount: 0,
    batchIndex: 1,
    attempts: 0,
    nextAttemptAt: null,
    retryOfDeliveryId: null,
    errorCode: null,
    errorMessage: null,
    startedAt: now,
    completedAt: now,
    createdAt: now,
    updatedAt: now,
    ...given,
  }
}

describe("an audience", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = useSignedIn(newContext)
  let audienceId: string

  beforeAll(async () => {
    const [topic] = await footfall.topics.search({ q: "freight" })
    const audience = await footfall.audiences.create({
      name: `Runs ${unique()}`,
      status: "active",
      config: { topicIds: [topic!.topicId], minScore: 50 },
    })
    audienceId = audience.id
  })

  it("runs, and shows statistics, people and a file to download", async () => {
    const page = await open(`audiences/${audienceId}`)
    const runs = page.getByRole("region", { name: "Runs" })
    await runs.getByText("No runs yet").waitFor()
    await runs.getByRole("button", { name: "Run now" }).click()
    await runs.getByText("completed").waitFor()
    const found = (await footfall.runs.list(audienceId)).data[0]!.resultCount
    const listed = page
      .getByRole("table", { name: "Audiences" })
      .getByRole("row")
      .filter({ has: page.locator(`a[href*="${audienceId}"]`) })
    await listed.getByText(String(found), { exact: true }).waitFor()
    await runs.getByRole("link", { name: /^Run / }).click()

    const { data } = await footfall.runs.list(audienceId)
    const [run] = data
    await page.getByText(/^Completed: found /).waitFor()
    expect(page.url()).toContain(run!.id)
    const { stats } = await footfall.runs.stats(audienceId, run!.id)
    const scores = page.getByRole("table", { name: "People by score" })
    await scores.getByText(stats.scoreHistogram[0]!.bucket).waitFor()
    await page
      .getByRole("table", { name: "Available data" })
      .getByText(`${Math.round(stats.fillRates.email.percent)}%`)
      .first()
      .waitFor()
    const people = page.getByRole("table", { name: "People of the run" })
    await people.getByRole("row").nth(1).waitFor()
    expect(Number(await people.getAttribute("aria-rowcount"))).toBe(run!.resultCount + 1)
    const { data: found5 } = await footfall.runs.results(audienceId, run!.id, { limit: 5 })
    for (const [index, { hashedEmail }] of found5.entries()) {
      const link = people.locator(`[data-index="${index}"]`).getByRole("link")
      expect(await link.getAttribute("href")).toContain(`/people/${hashedEmail}`)
    }
    await page.getByRole("button", { name: "Create CSV file" }).click()
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download", exact: true }).click(),
    ])
    expect((await contentOf(download)).trim().split("\r\n")).toHaveLength(run!.resultCount + 1)
    await page.getByRole("button", { name: "Create Parquet file" }).click()
    const parquet = page.getByRole("listitem").filter({ hasText: ".parquet" })
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      parquet.getByRole("button", { name: "Download", exact: true }).click(),
    ])
    expect(await contentOf(file)).toMatch(/^PAR1.*PAR1$/s)
    const forAds = page.getByRole("group", { name: "Files for ads" })
    const [customerList] = await Promise.all([
      page.waitForEvent("download"),
      forAds.getByRole("button", { name: "Download for Meta" }).click(),
    ])
    expect(customerList.suggestedFilename()).toMatch(/-meta\.csv$/)
    const list = await contentOf(customerList)
    expect(list).toMatch(/^email,email,email,phone,fn,ln,ct,st,country\r\n[0-9a-f]{64},/)
    expect(list).not.toContain("@")
  })

  it("shows the result of a run that ended before the first poll", async () => {
    const { config } = await footfall.audiences.get(audienceId)
    const { id } = await footfall.audiences.create({
      name: `Short ${unique()}`,
      status: "active",
      config: { topicIds: config.topicIds, minScore: 50 },
    })
    const own = await newContext()
    const page = await signIn(own, `audiences/${id}`)
    const listed = page
      .getByRole("table", { name: "Audiences" })
      .getByRole("row")
      .filter({ has: page.locator(`a[href*="${id}"]`) })
    const runs = page.getByRole("region", { name: "Runs" })
    await runs.getByText("No runs yet").waitFor()
    await listed.getByText("–", { exact: true }).waitFor()
    const latest = async () => (await footfall.runs.list(id)).data[0]
    // Every poll waits until the run has ended.
    await page.route(`**/audiences/${id}/runs?*`, async (route) => {
      await expect.poll(async () => (await latest())?.status).toBe("completed")
      await route.continue()
    })
    await runs.getByRole("button", { name: "Run now" }).click()
    await runs.getByText("completed").waitFor()
    await listed.getByText(String((await latest())!.resultCount), { exact: true }).waitFor()
    await own.close()
  })

  it("creates a destination as a draft, then tests, approves, uses, edits and deletes it", async () => {
    const name = `CRM ${unique()}`
    const page = await open(`audiences/${audienceId}`)
    const destinations = page.getByRole("region", { name: "Destinations" })
    await destinations.getByRole("button", { name: "Create a destination" }).click()
    await page.getByLabel("Name").fill(name)
    await page
      .getByRole("textbox", { name: "URL", exact: true })
      .fill(`${stage.url.replace("http:", "https:")}/nothing`)
    await page.getByLabel("One when a delivery ends").check()
    await page.getByRole("textbox", { name: "Headers" }).fill("X-Team: sales")
    await page.getByRole("combobox", { name: "Body" }).selectOption("template")
    const template = page.getByRole("textbox", { name: "Template" })
    await template.fill('{"mail": "{{contact.emial}}"}')
    await page.getByText("/mail", { exact: true }).waitFor()
    await template.fill('{"mail": "{{contact.email}}"}')
    const preview = page.getByRole("region", { name: "Preview" })
    await preview.getByText('"mail": "sam.sample@footfall-test.example"').waitFor()
    await page.getByRole("button", { name: "Create as a draft" }).click()
    await page.getByText(/^whsec_/).waitFor()
    await page.getByRole("button", { name: "I saved it" }).click()
    await page.getByText("Draft: nothing is sent to it until you approve it.").waitFor()
    const one = async () =>
      (await footfall.destinations.list(audienceId)).find((each) => each.name === name)!
    expect(await one()).toMatchObject({
      status: "draft",
      webhook: {
        eventTypes: ["intent.audience.contact.upserted", "intent.audience.sync.completed"],
        headers: ["x-team"],
        body: "template",
        template: { mail: "{{contact.email}}" },
      },
    })

    await page.getByRole("button", { name: "Send a sample request" }).click()
    await page.getByRole("region", { name: "Test" }).getByText("failed", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Approve…" }).click()
    await page.getByRole("button", { name: "Approve and activate" }).click()
    await page.getByText("Active: it receives what changed after every completed run.").waitFor()
    await page.getByRole("button", { name: "Send now" }).click()
    await page.getByRole("link", { name: /^Delivery / }).click()
    await page.getByRole("figure", { name: "Contacts" }).waitFor()
    await page.getByRole("link", { name, exact: true }).click()
    await page.getByRole("button", { name: "Pause" }).click()
    await page.getByText("Paused: waiting deliveries are kept").waitFor()
    await page.getByRole("button", { name: "Edit" }).click()
    await page.getByLabel("Name").fill(`${name} 2`)
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText(`Saved ${name} 2`).waitFor()
    await page.getByText("Paused: waiting deliveries are kept").waitFor()
    await page.getByRole("button", { name: "Edit" }).click()
    await page
      .getByRole("textbox", { name: "URL", exact: true })
      .fill("https://hooks.acme.example/other")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Draft: nothing is sent to it until you approve it.").waitFor()
    await page.getByRole("button", { name: "Rotate secret…" }).click()
    await page.getByRole("button", { name: "Rotate secret", exact: true }).click()
    await page.getByText(/^whsec_/).waitFor()
    await page.getByRole("button", { name: "I saved it" }).click()
    await page.getByRole("button", { name: "Delete…" }).click()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByText(`Deleted destination ${name} 2`).waitFor()
    await expect.poll(() => page.url()).toContain(`audiences/${audienceId}`)
    expect(await footfall.destinations.list(audienceId)).toEqual([])
  })

  it("shows how many contacts a destination received once a delivery ends, even one that ends at once", async () => {
    const { destination } = await footfall.destinations.create(audienceId, {
      destinationType: "webhook",
      name: `Got ${unique()}`,
      url: "https://hooks.acme.example/got",
      eventTypes: ["intent.audience.contact.upserted"],
    })
    const { id } = destination
    const meta = { request_id: "req_00000000000000000000000000", hasMore: false, nextCursor: null }
    const done = deliveryOf(audienceId, { destinationId: id })
    let at: "start" | "sent" | "over" = "start"
    const own = await newContext()
    const page = await signIn(own, "audiences")
    const base = `**/v1/intent/audiences/${audienceId}`
    await page.route(`${base}/destinations/${id}`, async (route) => {
      const stats = { ...destination.stats, totalSynced: at === "over" ? 10 : 0 }
      const initialSyncCompletedAt = at === "over" ? done.completedAt : null
      const now = { ...destination, status: "active", stats, initialSyncCompletedAt }
      await route.fulfill({ json: { data: { destination: now }, meta } })
      // The delivery ends after the page has read the destination again.
      if (at === "sent") at = "over"
    })
    await page.route(`${base}/deliveries?*`, async (route) => {
      if (at !== "start") await expect.poll(() => at).toBe("over")
      const deliveries = at === "start" ? [] : [done]
      await route.fulfill({ json: { data: { deliveries, total: deliveries.length }, meta } })
    })
    await page.route(`${base}/destinations/${id}/sync`, (route) => {
      at = "sent"
      return route.fulfill({ status: 202, json: { data: { delivery: done }, meta } })
    })
    await page.goto(address(`audiences/${audienceId}/destinations/${id}`))
    await page.getByText("0, skipped 0, failed 0").waitFor()
    await page.getByRole("button", { name: "Send now" }).click()
    await page.getByRole("link", { name: /^Delivery / }).waitFor()
    await page.getByText("10, skipped 0, failed 0").waitFor()
    await page.getByRole("button", { name: "Send everyone again" }).waitFor()
    await own.close()
    await footfall.destinations.delete(audienceId, id)
  })

  it("shows a delivery as a bar and each failed contact with the response, and retries them", async () => {
    const now = new Date().toISOString()
    const delivery = deliveryOf(audienceId, { sentCount: 6, skippedCount: 1, failedCount: 3 })
    const failures = ["a", "b", "c"].map((letter, index): DeliveryFailure => ({
      hashedEmail: letter.repeat(64),
      errorCode: index === 0 ? "ENDPOINT_TIMEOUT" : "ENDPOINT_REJECTED",
      errorMessage: hostile,
      statusCode: index === 0 ? null : 422,
      attempts: 3,
      lastAttemptAt: now,
    }))
    const detailed: FailedContact = {
      ...failures[1]!,
      tries: [
        {
          at: now,
          errorCode: "ENDPOINT_REJECTED",
          errorMessage: hostile,
          statusCode: 422,
          responseSnippet: `${hostile} said the receiver`,
        },
      ],
      messageId: "msg_0123456789",
      payload: { event: "intent.audience.contact.upserted", email: "ida@harbor.example" },
    }
    const retried = { ...delivery, id: crypto.randomUUID(), failedCount: 0, status: "queued" }
    const page = await open("audiences")
    const meta = { timestamp: now, request_id: "req_00000000000000000000000000" }
    const base = `**/v1/intent/audiences/${audienceId}/deliveries`
    await page.route(`${base}/${delivery.id}`, (route) =>
      route.fulfill({ json: { data: { delivery }, meta } }),
    )
    await page.route(`${base}/${delivery.id}/failures*`, (route) =>
      route.fulfill({
        json: { data: { failures, total: 3 }, meta: { ...meta, hasMore: false, nextCursor: null } },
      }),
    )
    await page.route(`${base}/${delivery.id}/contacts*`, (route) => {
      const outcome = new URL(route.request().url()).searchParams.get("outcome")
      const contact = { outcome, errorCode: null, errorMessage: null, personExists: false }
      const contacts =
        outcome === "failed"
          ? [{ ...contact, hashedEmail: "b".repeat(64), name: null, email: "ida@harbor.example" }]
          : [
              {
                ...contact,
                hashedEmail: "d".repeat(64),
                name: hostile,
                email: "sent@harbor.example",
              },
            ]
      return route.fulfill({
        json: {
          data: { contacts },
          meta: { ...meta, limit: 50, hasMore: false, nextCursor: null },
        },
      })
    })
    await page.route(`${base}/${delivery.id}/failures/${"b".repeat(64)}`, (route) =>
      route.fulfill({ json: { data: { failure: detailed }, meta } }),
    )
    await page.route(`${base}/${retried.id}`, (route) =>
      route.fulfill({ json: { data: { delivery: retried }, meta } }),
    )
    await page.route(`${base}/${delivery.id}/retry`, (route) =>
      route.fulfill({ status: 202, json: { data: { delivery: retried }, meta } }),
    )
    await page.goto(address(`audiences/${audienceId}/deliveries/${delivery.id}`))
    const bar = page.getByRole("figure", { name: "Contacts" })
    for (const part of ["6 sent", "1 skipped", "3 failed"]) await bar.getByText(part).waitFor()
    const reasons = page.getByRole("table", { name: "Reasons" })
    await reasons.getByText("The receiver rejected the request.").waitFor()
    const contacts = page.getByRole("region", { name: "Failed contacts" })
    await contacts
      .getByText(/HTTP 422 · 3 attempts/)
      .first()
      .waitFor()
    await contacts.getByText(hostile).first().waitFor()
    expect(await page.locator("img").count()).toBe(0)
    const second = contacts.getByRole("listitem").filter({ hasText: "bbbbbbbbbbbb" })
    await second.getByText("ida@harbor.example").first().waitFor()
    await second.getByText(`It answered: ${hostile} said the receiver`).waitFor()
    const sent = page.getByRole("region", { name: "Contacts", exact: true })
    await sent.getByText("sent@harbor.example").waitFor()
    await page.getByText("completed, 3 failed").waitFor()
    await second.getByText("Attempts and payload").click()
    const attempts = second.getByRole("list", { name: "Attempts" })
    await attempts.getByText(`${hostile} said the receiver`).waitFor()
    await second.getByRole("region", { name: "Payload" }).getByText("ida@harbor.example").waitFor()
    expect(await page.locator("img").count()).toBe(0)
    await page.route(`${base}/${delivery.id}/failures/${"b".repeat(64)}/retry`, (route) =>
      route.fulfill({ status: 202, json: { data: { delivery: retried }, meta } }),
    )
    await second.getByRole("button", { name: "Retry this contact bbbbbbbbbbbb" }).click()
    await page.getByText("Queued: it will start in a moment.").waitFor()
    expect(page.url()).toContain(retried.id)
    await page.goBack()
    await page.getByRole("button", { name: "Retry 3 failed contacts" }).click()
    await page.getByText("Queued: it will start in a moment.").waitFor()
    expect(page.url()).toContain(retried.id)
  })

  it("says that a run no longer exists, without a request id", async () => {
    const page = await open(`audiences/${audienceId}/runs/${crypto.randomUUID()}`)
    await page.getByText("This no longer exists.").waitFor()
    expect(await page.getByText(/req_/).count()).toBe(0)
  })

  it("connects accounts, says why one was rejected, and sends to a list that can be changed", async () => {
    const page = await open("connected-accounts")
    await page.getByText("No connected accounts").waitFor()
    await page.getByRole("button", { name: "Connect an account" }).first().click()
    await page.getByLabel("API key").fill("secret")
    await page.getByLabel("API URL").fill("https://lists.acme.example")
    await page.getByRole("button", { name: "Connect", exact: true }).click()
    await page.getByRole("alert").waitFor()
    await page.getByRole("button", { name: "Cancel" }).click()

    const meta = { timestamp: "", request_id: "" }
    const account = {
      id: crypto.randomUUID(),
      automationAccountId: "acct_1",
      appSlug: "mailer",
      appName: "Mailer",
      accountName: hostile,
      status: "healthy",
      lastSyncedAt: new Date().toISOString(),
    }
    const list = {
      id: "buyers",
      name: "Buyers",
      doubleOptIn: true,
      fields: [{ tag: "FNAME", type: "text", label: "First", fallback: null }],
      tags: [],
      counts: { pending: 0, subscribed: 1204, unsubscribed: 0 },
    }
    const accounts = "**/v1/intent/integrations/accounts"
    await page.route(accounts, (route) =>
      route.fulfill({ json: { data: { accounts: [account] }, meta } }),
    )
    await page.route("**/v1/intent/integrations/mailer/lists*", (route) =>
      route.fulfill({ json: { data: { lists: [list] }, meta } }),
    )
    await page.route(`${accounts}/${account.id}/check`, (route) =>
      route.fulfill({ json: { data: { account }, meta } }),
    )
    await page.reload()
    await page.getByText("1,204 people, double opt-in").waitFor()
    expect(await page.locator("img").count()).toBe(0)
    await page.getByRole("button", { name: "Check now" }).click()

    let created: unknown
    await page.route(`**/v1/intent/audiences/${audienceId}/destinations`, async (route) => {
      if (route.request().method() !== "POST") return route.continue()
      created = route.request().postDataJSON()
      return route.fulfill({
        status: 409,
        headers: { "x-request-id": "req_00000000000000000000000001" },
        json: {
          error: { code: "ACCOUNT_UNHEALTHY", message: "The account is unhealthy." },
          meta: {},
        },
      })
    })
    await page.goto(address(`audiences/${audienceId}`))
    await page.getByRole("button", { name: "Create a destination" }).click()
    await page.getByLabel("Name").fill("Newsletter")
    await page.getByLabel("Type").selectOption("automation")
    await page.getByLabel("Account", { exact: true }).selectOption(account.id)
    await page.getByLabel("List", { exact: true }).selectOption("buyers")
    await page.getByLabel("First", { exact: true }).selectOption("firstName")
    await page.getByLabel("Tags").fill("intent, q4")
    await page.getByRole("button", { name: "Create as a draft" }).click()
    await page.getByRole("alert").getByText("The account is unhealthy.").waitFor()
    expect(created).toEqual({
      destinationType: "automation",
      name: "Newsletter",
      appSlug: "mailer",
      connectedAccountId: account.id,
      config: {
        listId: "buyers",
        listName: "Buyers",
        fieldMapping: { FNAME: "firstName" },
        tags: ["intent", "q4"],
        onLeave: "keep",
        eraseAtProvider: false,
      },
      validationPolicy: "valid_or_catchall",
    })

    const id = crypto.randomUUID()
    const { destination } = await footfall.destinations.create(audienceId, {
      destinationType: "webhook",
      name: "Newsletter",
      url: "https://hooks.acme.example/newsletter",
      eventTypes: ["intent.audience.contact.upserted"],
    })
    const config = {
      listId: "buyers",
      listName: "Buyers",
      emailSource: "email",
      newContactStatus: "SUBSCRIBED",
      fieldMapping: { FNAME: "firstName" },
      tags: ["intent"],
      onLeave: "keep",
      eraseAtProvider: false,
    }
    const mailing = {
      ...destination,
      id,
      destinationType: "automation",
      webhook: null,
      automation: { appSlug: "mailer", connectedAccount: account, config },
      validationPolicy: "valid_or_catchall",
    }
    let changed: unknown
    await page.route(`**/v1/intent/audiences/${audienceId}/destinations/${id}`, (route) => {
      if (route.request().method() === "PATCH") changed = route.request().postDataJSON()
      return route.fulfill({ json: { data: { destination: mailing }, meta } })
    })
    await page.goto(address(`audiences/${audienceId}/destinations/${id}`))
    await page.getByRole("button", { name: "Edit" }).click()
    await page.getByLabel("First", { exact: true }).selectOption("fullName")
    await page.getByLabel("Tags").fill("intent, q1")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved Newsletter").waitFor()
    expect(changed).toEqual({
      name: "Newsletter",
      validationPolicy: "valid_or_catchall",
      config: {
        listId: "buyers",
        listName: "Buyers",
        fieldMapping: { FNAME: "fullName" },
        tags: ["intent", "q1"],
        newContactStatus: "SUBSCRIBED",
        onLeave: "keep",
        eraseAtProvider: false,
      },
    })
    await page.getByRole("button", { name: "Edit" }).click()
    await page.getByLabel("Name").fill("Newsletter 2")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved Newsletter 2").waitFor()
    expect(changed).toEqual({ name: "Newsletter 2", validationPolicy: "valid_or_catchall" })
    await footfall.destinations.delete(audienceId, destination.id)
  })

  it("offers a viewer no changes, and no request of the page is rejected", async () => {
    const viewer = await newMember("viewer")
    const page = await signIn(await newContext(), "audiences", viewer)
    const refused: Array<string> = []
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    const { destination } = await footfall.destinations.create(audienceId, {
      destinationType: "webhook",
      name: "For the viewer",
      url: "https://hooks.acme.example/viewer",
      eventTypes: ["intent.audience.contact.upserted"],
    })
    const { data } = await footfall.runs.list(audienceId)
    const offered: Array<string> = []
    for (const path of [
      "audiences",
      `audiences/${audienceId}`,
      `audiences/${audienceId}/runs/${data[0]!.id}`,
      `audiences/${audienceId}/destinations/${destination.id}`,
      `audiences/${audienceId}/deliveries/${crypto.randomUUID()}`,
      "connected-accounts",
    ]) {
      await page.goto(address(path))
      await page.getByRole("heading", { level: 1 }).first().waitFor()
      await page.waitForLoadState("networkidle")
      const names = await page
        .getByRole("main")
        .getByRole("button")
        .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? one.textContent))
      for (const name of names) {
        if (!/^(Copy|Close|Help|Download)/.test(name)) offered.push(`${path}: ${name}`)
      }
    }
    expect(offered).toEqual([])
    expect(refused).toEqual([])
  })
})
