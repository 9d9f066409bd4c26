// The real Segment and RudderStack clients against the real server (spec 15.2): they only need a URL and a key, and
// each event counts once even if the network loses responses.
import RudderStack from "@rudderstack/rudder-sdk-node"
import { Analytics as Segment } from "@segment/analytics-node"
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { launchChromium, newVisitor } from "../support/chromium.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { makeSource } from "./source.ts"
import { needs } from "../../../../scripts/test-run/programs.ts"

let server: TestServer
let source: Awaited<ReturnType<typeof makeSource>>
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  source = await makeSource(server)
})

const listen = async (http: Server): Promise<string> => {
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}

/** A proxy before the server that passes every request on and loses the first responses. */
const lossy = async (losses: number, lost: "connection" | "gateway" = "connection") => {
  let requests = 0
  const forward = async (request: IncomingMessage) => {
    const { host: _, connection: __, "transfer-encoding": ___, ...headers } = request.headers
    return fetch(server.url + request.url, {
      method: request.method!,
      headers: headers as Record<string, string>,
      body: await buffer(request),
    })
  }
  const http = createServer((request, response) => {
    void forward(request).then(async (answer) => {
      requests += 1
      if (requests <= losses) {
        return lost === "connection" ? request.socket.destroy() : response.writeHead(502).end()
      }
      return response
        .writeHead(answer.status, { "content-type": "application/json" })
        .end(await answer.text())
    })
  })
  return { url: await listen(http), count: () => requests, close: () => http.close() }
}

let network: Awaited<ReturnType<typeof lossy>>
afterEach(() => network?.close())

const identity = { anonymousId: "browser-1", userId: "u_1" }
const traits = { email: "jane@acme.example", firstName: "Jane", company: { name: "Acme" } }

/** One person with one page view and two events, whatever was sent again. */
const expectJane = async () => {
  const visitors = await source.visitors()
  expect(visitors).toMatchObject([
    {
      email: "jane@acme.example",
      firstName: "Jane",
      companyName: "Acme",
      pageviews: 1,
      sessions: 1,
    },
  ])
  const names = (await source.events())
    .filter(({ type }) => type === "track")
    .map(({ payload }) => (payload as { n: string }).n)
  expect(names.toSorted()).toEqual(["Demo Booked", "Order Paid"])
}

it("@segment/analytics-node: what it resends after a lost response counts once", async () => {
  network = await lossy(2)
  const client = new Segment({ writeKey: source.writeKey, host: network.url, flushAt: 10 })

  client.identify({ ...identity, traits })
  client.page({ ...identity, properties: { url: `https://${source.domain}/pricing` } })
  client.track({ ...identity, event: "Demo Booked", properties: { plan: "pro" } })
  client.track({ ...identity, event: "Order Paid", timestamp: new Date() })
  client.group({ ...identity, groupId: "g", traits: { industry: "Freight" } })
  await client.closeAndFlush()

  expect(network.count()).toBe(3)
  await expectJane()
})

it("@rudderstack/rudder-sdk-node: gzip, and what it resends counts once", async () => {
  network = await lossy(1, "gateway")
  const client = new RudderStack(source.writeKey, { dataPlaneUrl: network.url, flushAt: 20 })

  client.identify({ ...identity, traits })
  client.page({ ...identity, properties: { url: `https://${source.domain}/pricing` } })
  client.track({ ...identity, event: "Demo Booked" })
  client.track({ ...identity, event: "Order Paid" })
  await new Promise<void>((resolve) => client.flush(() => resolve()))
  // It sends the first message by itself, and doesn't say when it has sent the others.
  await expect
    .poll(async () => (await source.events()).filter(({ type }) => type === "track").length, {
      timeout: 30_000,
    })
    .toBe(2)
  expect(network.count()).toBeGreaterThan(1)

  await expectJane()
})

it("a client with a wrong key ends with an error, and nothing is stored", async () => {
  network = await lossy(0)
  const client = new Segment({ writeKey: "wk_wrong", host: network.url, maxRetries: 0 })
  const failed = new Promise<{ readonly code: string }>((resolve) => client.on("error", resolve))

  client.track({ ...identity, event: "Demo Booked" })
  await client.closeAndFlush()

  expect((await failed).code).toBe("delivery_failure")
  expect(await source.events()).toEqual([])
})

describe("@segment/analytics-next in Chromium", needs("chromium"), () => {
  const library = readFileSync(
    fileURLToPath(import.meta.resolve("@segment/analytics-next/dist/umd/index.js")),
  )
  let browser: Browser
  let site: Server
  let address: string
  beforeAll(async () => {
    browser = await launchChromium()
    site = createServer((request, response) => {
      const isLibrary = request.url?.endsWith(".js") === true
      response
        .writeHead(200, { "content-type": isLibrary ? "text/javascript" : "text/html" })
        .end(isLibrary ? library : `<title>Prices</title><script src="/analytics.js"></script>`)
    })
    address = (await listen(site)).replace("127.0.0.1", "localhost")
  })
  afterAll(async () => {
    await browser?.close()
    site?.close()
  })

  it("requests only the settings from the server, and sends pages, events and people", async () => {
    // The only kind of pixel that identifies people on local pages.
    const pixel = await source.sdk.pixels.create({ domain: "localhost" })
    const { writeKey } = await source.sdk.pixels.writeKeys.create(pixel.id, {
      name: "Site",
      kind: "browser",
    })
    const page = await (await newVisitor(browser)).newPage()
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(new URL(request.url()).origin))
    await page.goto(`${address}/pricing?utm_source=letter`)

    await page.evaluate(
      async ([key, cdnURL]) => {
        const { AnalyticsBrowser } = (
          globalThis as unknown as {
            AnalyticsNext: { AnalyticsBrowser: { load: (settings: object) => Promise<unknown[]> } }
          }
        ).AnalyticsNext
        const [analytics] = (await AnalyticsBrowser.load({ writeKey: key, cdnURL })) as [
          Record<string, (...words: unknown[]) => Promise<unknown>>,
        ]
        await analytics["page"]!()
        await analytics["identify"]!("u_1", { email: "jane@acme.example", firstName: "Jane" })
        await analytics["track"]!("Demo Booked", { plan: "pro" })
      },
      [writeKey, server.url],
    )

    await expect
      .poll(async () => (await source.visitors()).map(({ email }) => email))
      .toEqual(["jane@acme.example"])
    await expect
      .poll(async () => (await source.events()).map(({ type }) => String(type)).toSorted())
      .toEqual(["identify", "page", "track"])
    const [visitor] = await source.visitors()
    expect(visitor).toMatchObject({
      firstName: "Jane",
      pageviews: 1,
      pricingPageViews: 1,
      sessions: 1,
      utmSource: "letter",
    })
    expect(new Set(asked)).toEqual(new Set([address, server.url]))
    await page.context().close()
  })

  it("a person who signs in on a page with a very long address is identified", async () => {
    const pixel = await source.sdk.pixels.create({ domain: "localhost" })
    const { writeKey } = await source.sdk.pixels.writeKeys.create(pixel.id, {
      name: "Site",
      kind: "browser",
    })
    const page = await (await newVisitor(browser)).newPage()
    const state = "s".repeat(4_000)
    await page.goto(`${address}/signed-in?code=c1&state=${state}&utm_campaign=webinar`)

    await page.evaluate(
      async ([key, cdnURL]) => {
        const { AnalyticsBrowser } = (
          globalThis as unknown as {
            AnalyticsNext: { AnalyticsBrowser: { load: (settings: object) => Promise<unknown[]> } }
          }
        ).AnalyticsNext
        const [analytics] = (await AnalyticsBrowser.load({ writeKey: key, cdnURL })) as [
          Record<string, (...words: unknown[]) => Promise<unknown>>,
        ]
        await analytics["identify"]!("u_2", { email: "noor@acme.example" })
        await analytics["track"]!("Signed Up")
        await analytics["page"]!()
      },
      [writeKey, server.url],
    )

    await expect
      .poll(
        async () => (await source.visitors()).map(({ email, utmCampaign }) => [email, utmCampaign]),
        { timeout: 30_000 },
      )
      .toEqual([["noor@acme.example", "webinar"]])
    await expect
      .poll(async () => (await source.events()).map(({ type }) => String(type)).toSorted(), {
        timeout: 30_000,
      })
      .toEqual(["identify", "page", "track"])
    await page.context().close()
  })
})
