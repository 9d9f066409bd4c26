// A session summary is bounded: paths, counts and names, but never a host, a query, or an id that identifies the
// browser (spec 2.2).
import { Context, Effect, Layer, Redacted } from "effect"
import { expect, it } from "vitest"
import { Secrets } from "../../../platform/secrets/secrets.ts"
import type { SessionRow } from "./session-row.ts"
import { sessionSummaryOf, touchOf } from "./session-summary.ts"

const secretsOf = (secret: string) =>
  Context.get(
    Effect.runSync(Effect.scoped(Layer.build(Secrets.layer([Redacted.make(secret)])))),
    Secrets,
  )
const secrets = secretsOf("a secret of at least 32 characters")

const row: SessionRow = {
  id: "0a7a4c1e-7a3e-4f57-9a37-35d8e3c8a6d1",
  pixelId: "cdd19037-47fb-4e21-a054-2da787925aea",
  startTime: "2026-03-11T08:41:02.000Z",
  endTime: "2026-03-11T08:42:10.500Z",
  durationSeconds: 68,
  pageviews: 2,
  uniquePages: 2,
  pricingPageViews: 1,
  demoPageViews: 0,
  entryUrl: "https://www.tidewater.example/",
  exitUrl: "https://www.tidewater.example/pricing",
  channel: "email",
  referrerDomain: "search.example",
  utmSource: "newsletter",
  utmMedium: "email",
  utmCampaign: "spring-launch",
  utmTerm: "docks",
  utmContent: "button",
  clickIdNames: [],
  deviceType: "desktop",
  country: "US",
  isFirstSession: false,
  converted: true,
}

const summaryOf = (change: Partial<SessionRow> = {}) =>
  sessionSummaryOf({ ...row, ...change }, secrets)

it("contains no host name, term, content or session key", () => {
  const summary = summaryOf()

  expect(JSON.stringify(summary)).not.toMatch(
    /tidewater|search\.example|https?:|docks|button|0a7a4c1e/,
  )
})

it("sessionId is 32 hexadecimal characters, stable, and different for each session", () => {
  const { sessionId } = summaryOf()

  expect(sessionId).toMatch(/^[0-9a-f]{32}$/)
  expect(summaryOf({ pageviews: 9 }).sessionId).toBe(sessionId)
  expect(summaryOf({ id: "1a7a4c1e-7a3e-4f57-9a37-35d8e3c8a6d1" }).sessionId).not.toBe(sessionId)
  expect(summaryOf({ pixelId: row.id }).sessionId).not.toBe(sessionId)
  expect(sessionSummaryOf(row, secretsOf("another secret, at least 32 long")).sessionId).not.toBe(
    sessionId,
  )
})

it.each([
  { url: "https://www.tidewater.example/", path: "/" },
  { url: "https://www.tidewater.example", path: "/" },
  { url: "http://localhost:4100/demo/pricing", path: "/demo/pricing" },
  { url: "https://tidewater.example/a//b", path: "/a//b" },
  { url: `https://tidewater.example/${"x".repeat(511)}`, path: `/${"x".repeat(511)}` },
  { url: `https://tidewater.example/${"x".repeat(512)}`, path: `/${"x".repeat(511)}` },
  { url: null, path: null },
])("entry and exit page are the path, at most 512 characters: $path", ({ path, url }) => {
  const summary = summaryOf({ entryUrl: url, exitUrl: url })

  expect([summary.entryPage, summary.exitPage, touchOf({ ...row, entryUrl: url }).path]).toEqual([
    path,
    path,
    path,
  ])
})

it.each([
  { pageviews: 0, isBounce: false },
  { pageviews: 1, isBounce: true },
  { pageviews: 2, isBounce: false },
])("a session of $pageviews page views: isBounce $isBounce", ({ isBounce, pageviews }) => {
  expect(summaryOf({ pageviews }).isBounce).toBe(isBounce)
})

it("clickIdTypes contains the six exposed click ids in their order, and no others", () => {
  const clickIdNames = [
    "li_fat_id",
    "dclid",
    "wbraid",
    "ttclid",
    "gclid",
    "fbclid",
    "msclkid",
    "gbraid",
  ]

  expect(summaryOf({ clickIdNames }).clickIdTypes).toEqual([
    "gclid",
    "gbraid",
    "wbraid",
    "fbclid",
    "msclkid",
    "li_fat_id",
  ])
})

it("a touch is the start of its session, with every UTM value", () => {
  expect(touchOf(row)).toEqual({
    at: "2026-03-11T08:41:02.000Z",
    path: "/",
    referrerDomain: "search.example",
    utmSource: "newsletter",
    utmMedium: "email",
    utmCampaign: "spring-launch",
    utmTerm: "docks",
    utmContent: "button",
    channel: "email",
  })
})
