// How a page view gets its channel: click ids, then utm_medium, then referrer lists (spec 6.5).
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { channelOf, channels, type Touch } from "./channel.ts"

const touch = (change: Partial<Touch> = {}): Touch => ({
  utm: {},
  clickIds: {},
  referrerHost: undefined,
  ...change,
})

describe("channel", () => {
  it.each<[string, Partial<Touch>]>([
    ["direct", {}],
    ["paid_search", { clickIds: { gclid: "1" }, utm: { medium: "email" } }],
    ["paid_search", { clickIds: { msclkid: "1" } }],
    ["paid_social", { clickIds: { fbclid: "1" } }],
    ["display", { clickIds: { dclid: "1" } }],
    ["email", { utm: { medium: "email" }, referrerHost: "google.com" }],
    ["email", { utm: { medium: "E-Mail" } }],
    ["paid_search", { utm: { medium: "cpc", source: "google" } }],
    ["paid_social", { utm: { medium: "cpc", source: "LinkedIn" } }],
    ["paid_social", { utm: { medium: "paid-social" } }],
    ["organic_social", { utm: { medium: "social" } }],
    ["display", { utm: { medium: "banner" } }],
    ["affiliate", { utm: { medium: "affiliate" } }],
    ["other", { utm: { medium: "carrier pigeon" } }],
    ["other", { utm: { source: "partner" } }],
    ["other", { utm: { medium: "constructor" } }],
    ["organic_search", { utm: { source: "x" }, referrerHost: "google.co.uk" }],
    ["organic_search", { referrerHost: "duckduckgo.com" }],
    ["organic_social", { referrerHost: "l.facebook.com" }],
    ["organic_social", { referrerHost: "x.com" }],
    ["ai_assistant", { referrerHost: "gemini.google.com" }],
    ["ai_assistant", { referrerHost: "chatgpt.com" }],
    ["email", { referrerHost: "mail.google.com" }],
    ["referral", { referrerHost: "search.example" }],
    ["referral", { referrerHost: "notgoogle.com" }],
    ["referral", { referrerHost: "netflix.com" }],
    ["organic_search", { referrerHost: "google.com.br" }],
    ["organic_search", { referrerHost: "google.cat" }],
    ["organic_search", { referrerHost: "news.google.de" }],
    ["organic_search", { referrerHost: "yandex.com.tr" }],
    ["organic_search", { referrerHost: "ya.ru" }],
    ["referral", { referrerHost: "accounts.google.com" }],
    ["referral", { referrerHost: "docs.google.com" }],
    ["referral", { referrerHost: "sites.google.com" }],
    ["referral", { referrerHost: "google.com.evil.example" }],
    ["referral", { referrerHost: "google.evil.example" }],
    ["referral", { referrerHost: "yandex.evil.example" }],
    ["referral", { referrerHost: "mail.yandex.com" }],
    ["referral", { referrerHost: "pinterest.evil.example" }],
    ["referral", { referrerHost: "webmail.evil.example" }],
    ["organic_social", { referrerHost: "pinterest.co.uk" }],
  ])("is %s for %o", (expected, change) => {
    assert.strictEqual(channelOf(touch(change)), expected)
  })

  it("is direct only without any other evidence", () => {
    fc.assert(
      fc.property(
        fc.record(
          { medium: fc.string({ minLength: 1 }), source: fc.string({ minLength: 1 }) },
          { requiredKeys: [] },
        ),
        fc.option(fc.domain(), { nil: undefined }),
        (utm, referrerHost) => {
          const channel = channelOf(touch({ utm, referrerHost }))
          assert.include(channels, channel)
          const isBare = Object.keys(utm).length === 0 && referrerHost === undefined
          assert.strictEqual(channel === "direct", isBare)
        },
      ),
    )
  })
})
