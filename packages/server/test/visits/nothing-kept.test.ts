// What no table may contain: anything about a browser that asked not to be tracked, and secrets in an address (H8).
// Reads every table as text, after identification.
import { createHash, randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { findings } from "../erasure/dump.ts"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import type { Wire } from "./collect-layer.ts"
import { presentBatch, presentEvent, send } from "./send.ts"

let server: TestServer
let organization: TestOrganization
beforeAll(async () => {
  vi.stubEnv("TRUSTED_PROXIES", "127.0.0.1/32")
  vi.stubEnv("GEO_COUNTRY_HEADER", "x-country")
  server = await startServer({ rateLimits: true })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
})

const setSettings = async (settings: Wire) => {
  organization = await server.makeOrganization()
  await server.sql("update pixel set settings = $2 where id = $1", [
    organization.pixelId,
    JSON.stringify(settings),
  ])
}
const collect = (batch: Wire, headers: Readonly<Record<string, string>> = {}) =>
  send({ url: server.url, pixelId: organization.pixelId }, JSON.stringify(batch), headers)

const stored = async () => {
  await server.drain()
  return server.sql("select anonymous_id from event where organization_id = $1", [
    organization.organizationId,
  ])
}

/** Everything that could identify a browser or a person again, in one batch. */
const tellingBatch = (change: Wire) => {
  const mark = randomUUID().slice(0, 8)
  const anonymousId = randomUUID()
  const email = `jane-${mark}@harbor-logistics.example`
  const page = `https://tidewater.example/pricing?gclid=click-${mark}&utm_source=news&utm_content=${email}#part-${mark}`
  const batch = presentBatch({
    anonymousId,
    attribution: { plan: `plan-${mark}` },
    events: [
      presentEvent({ url: page, props: { account: `account-${mark}` } }),
      presentEvent({
        type: "identify",
        email,
        traits: { firstName: `Jane-${mark}`, custom: { external_id: `crm-${mark}` } },
      }),
      presentEvent({
        type: "identify",
        emailHash: createHash("sha256").update(email).digest("hex"),
      }),
      presentEvent({ type: "capture", email }),
      presentEvent({ type: "track", name: "signup", props: { account: `account-${mark}` } }),
    ],
    ...change,
  })
  const texts = [
    anonymousId,
    email,
    ...["click", "part", "plan", "account", "jane", "crm"].map((word) => `${word}-${mark}`),
  ]
  return { batch, texts }
}

const address = "198.51.100.77"
const from = { "x-forwarded-for": address }

describe("H7: a browser that asked not to be tracked", () => {
  it.each([
    ["the control: a browser that did not", {}, {}, {}, 5],
    ["Sec-GPC: 1", {}, {}, { "sec-gpc": "1" }, 2],
    ["Global Privacy Control from the script", {}, { gpc: true }, {}, 2],
    ["Do Not Track, if the pixel respects it", { respectDnt: true }, { dnt: true }, {}, 2],
    ["an anonymous batch", {}, { consent: "anonymous" }, {}, 2],
    ["consent denied", { consent: "denied" }, {}, {}, 0],
    ["consent required and not given", { consent: "required" }, { consent: "implied" }, {}, 0],
    ["implied consent in the consent region", {}, { consent: "implied" }, { "x-country": "FR" }, 0],
    ["the opt-out cookie", {}, {}, { cookie: "footfall_optout=1" }, 0],
  ] as const)("%s", async (what, settings, change, headers, count) => {
    await setSettings(settings)
    const { batch, texts } = tellingBatch(change)
    const isControl = what.startsWith("the control")

    await collect(batch, { ...from, ...headers })

    const events = await stored()
    expect(events).toHaveLength(count)
    const found = await findings(server.sql, [...texts, address])
    if (isControl) {
      // Checks that the search finds existing text.
      expect(new Set(found.map(({ text }) => text)).size).toBeGreaterThan(4)
      await server.sql("delete from event")
      for (const table of ["session", "browser", "visitor", "visitor_address", "visitor_pixel"])
        await server.sql(`delete from ${table}`)
    } else {
      expect(found).toEqual([])
      expect(events.every(({ anonymous_id }) => anonymous_id === null)).toBe(true)
    }
  })
})

describe("H8: secrets in an address", () => {
  const mark = randomUUID().slice(0, 8)
  const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI${mark}.c2ln`
  const secrets = {
    query: `token-${mark}`,
    reset: `reset-${mark}`,
    fragment: `fragment-${mark}`,
    user: `user-${mark}`,
    password: `password-${mark}`,
    referrer: `referrer-${mark}`,
    key: `sk_live_${mark}`,
  }
  const url =
    `https://${secrets.user}:${secrets.password}@www.tidewater.example/account/reset` +
    `?token=${secrets.query}&code=${secrets.reset}&utm_source=${secrets.key}&utm_term=${jwt}` +
    `&utm_campaign=spring&gclid=${jwt}#access_token=${secrets.fragment}`

  it("are in no table; the session contains only the path", async () => {
    await setSettings({})
    const email = `secrets-${mark}@harbor-logistics.example`
    const batch = presentBatch({
      attribution: {
        ...{ plan: "trial", token: secrets.query, api_key: secrets.key, note: jwt },
        ...{ Password: secrets.password, hint: secrets.key },
      },
      events: [
        presentEvent({
          url,
          referrer: `https://partner.example/path?session=${secrets.referrer}#${secrets.fragment}`,
        }),
        presentEvent({
          type: "identify",
          url,
          email,
          traits: { custom: { token: secrets.query } },
        }),
      ],
    })

    await collect(batch, from)

    expect(await stored()).toHaveLength(2)
    expect(await findings(server.sql, [...Object.values(secrets), jwt, mark + ".c2ln"])).toEqual([])
    const [session] = await server.sql(
      `select entry_url, exit_url, referrer, utm_source, utm_campaign, click_ids from session
       where organization_id = $1`,
      [organization.organizationId],
    )
    expect(session).toMatchObject({
      entry_url: "https://www.tidewater.example/account/reset",
      exit_url: "https://www.tidewater.example/account/reset",
      referrer: "https://partner.example/path",
      utm_source: null,
      utm_campaign: "spring",
    })
  })
})
