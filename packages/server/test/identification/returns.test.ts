// Referrers of sign-in and payment providers change no attribution (spec 6.5.7), and apps are referrers (spec 6.5.5).
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { makeSource } from "../sources/source.ts"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
let source: Awaited<ReturnType<typeof makeSource>>
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  source = await makeSource(server)
})

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** Sends page views from these referrers, with their minutes ago, and returns the person and their sessions. */
const visit = async (...views: ReadonlyArray<readonly [number, string, string?]>) => {
  const anonymousId = randomUUID()
  await source.batch(
    ...views.map(([minutes, referrer, query = ""]) =>
      source.page({
        anonymousId,
        timestamp: minutesAgo(minutes),
        properties: { url: `https://${source.domain}/app${query}`, referrer },
      }),
    ),
    {
      type: "identify",
      anonymousId,
      timestamp: minutesAgo(Math.min(...views.map(([minutes]) => minutes))),
      traits: { email: "user@acme.example" },
    },
  )
  const [person] = await source.visitors()
  const sessions = await server.sql(
    `select channel, referrer_domain as "referrerDomain" from session
     where organization_id = $1 order by started_at`,
    [source.organizationId],
  )
  return { person: person!, sessions }
}

describe("returns", () => {
  it.each([
    "https://accounts.google.com/",
    "https://acme.eu.auth0.com/login",
    "https://login.microsoftonline.com/common",
    "https://checkout.stripe.com/c/pay",
    "https://www.paypal.com/",
  ])("from %s inside and after a session keep the campaign", async (referrer) => {
    const { person, sessions } = await visit(
      [300, "https://www.facebook.com/", "?utm_source=spring&utm_medium=paid_social"],
      [290, referrer],
      [120, referrer],
    )

    expect(person).toMatchObject({ utmSource: "spring", utmMedium: "paid_social" })
    expect(sessions).toEqual([
      { channel: "paid_social", referrerDomain: "facebook.com" },
      { channel: "direct", referrerDomain: null },
    ])
  })

  it("from referrer spammers are direct, without the spammer", async () => {
    const { sessions } = await visit(
      [300, "https://semalt.com/project_crawl.php"],
      [200, "http://www.buttons-for-website.com/"],
      [100, "https://not-semalt.com/"],
    )

    expect(sessions).toEqual([
      { channel: "direct", referrerDomain: null },
      { channel: "direct", referrerDomain: null },
      { channel: "referral", referrerDomain: "not-semalt.com" },
    ])
  })

  it("from the pixel's own ignored referrers and their subdomains do too", async () => {
    const hosts = ["www.Sign-In.example", "zahlung.bücher.example"]
    const pixel = await source.sdk.pixels.update(source.pixelId, {
      settings: { ignoredReferrers: hosts },
    })
    expect(pixel.settings.ignoredReferrers).toEqual([
      "sign-in.example",
      "zahlung.xn--bcher-kva.example",
    ])
    await server.drain()

    const { sessions } = await visit(
      [300, "https://eu.sign-in.example/callback"],
      [200, "https://zahlung.bücher.example/"],
      [100, "https://not-sign-in.example/"],
    )

    expect(sessions).toEqual([
      { channel: "direct", referrerDomain: null },
      { channel: "direct", referrerDomain: null },
      { channel: "referral", referrerDomain: "not-sign-in.example" },
    ])
  })

  it.each(["https://login.example", "login.example/path", "localhost", "a b.example", ""])(
    "%j is refused as an ignored referrer",
    async (host) => {
      await expect(
        source.sdk.pixels.update(source.pixelId, { settings: { ignoredReferrers: [host] } }),
      ).rejects.toMatchObject({ code: "VALIDATION_ERROR" })
    },
  )
})

it.each([
  ["android-app://com.google.android.gm/", "email", "com.google.android.gm"],
  ["android-app://com.linkedin.android", "organic_social", "com.linkedin.android"],
  ["android-app://com.Slack/https/x", "referral", "com.slack"],
])("the app %s is a referrer", async (referrer, channel, referrerDomain) => {
  const { sessions } = await visit([10, referrer])

  expect(sessions).toMatchObject([{ channel, referrerDomain }])
})
