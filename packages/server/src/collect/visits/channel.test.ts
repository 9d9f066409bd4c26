// How a page view gets its channel: by medium, then source, click id and referrer (spec 6.5.6).
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
    // The medium comes first.
    ["email", { utm: { medium: "email", source: "facebook" }, clickIds: { fbclid: "1" } }],
    ["email", { utm: { medium: "E-Mail" }, clickIds: { gclid: "1" } }],
    ["email", { utm: { medium: "email" }, referrerHost: "google.com" }],
    ["organic_social", { utm: { medium: "social", source: "google" } }],
    ["organic_social", { utm: { medium: "social-network" } }],
    ["display", { utm: { medium: "banner", source: "facebook" } }],
    ["display", { utm: { medium: "cpm" } }],
    ["affiliate", { utm: { medium: "affiliate", source: "youtube" } }],
    ["organic_search", { utm: { medium: "organic", source: "somewhere" } }],
    ["ai_assistant", { utm: { medium: "ai-assistant" } }],
    // Paid media go by the source, then the click id, then the referrer.
    ["paid_search", { utm: { medium: "cpc", source: "google" } }],
    ["paid_search", { utm: { medium: "cpc", source: "some-directory" } }],
    ["paid_search", { utm: { medium: "ppc" } }],
    ["paid_social", { utm: { medium: "cpc", source: "LinkedIn" } }],
    ["paid_social", { utm: { medium: "cpc", source: "meta" } }],
    ["paid_social", { utm: { medium: "cpc", source: "fb_ads" } }],
    ["paid_social", { utm: { medium: "paid", source: "quora" } }],
    ["paid_social", { utm: { medium: "cpv", source: "facebook-lookalike-q3" } }],
    ["paid_social", { utm: { medium: "retargeting" }, clickIds: { ttclid: "1" } }],
    ["paid_social", { utm: { medium: "cpc" }, referrerHost: "l.instagram.com" }],
    ["paid_social", { utm: { medium: "paid_social_ads" } }],
    ["paid_social", { utm: { medium: "paid-social", source: "google" } }],
    ["paid_video", { utm: { medium: "cpc", source: "youtube" } }],
    ["paid_video", { utm: { medium: "cpv", source: "vimeo.com" } }],
    ["paid_video", { utm: { medium: "paid_video" } }],
    ["display", { utm: { medium: "cpc" }, clickIds: { dclid: "1" } }],
    // A source without a medium.
    ["ai_assistant", { utm: { source: "chatgpt.com" } }],
    ["ai_assistant", { utm: { source: "perplexity" } }],
    ["ai_assistant", { utm: { source: "copilot" }, referrerHost: "bing.com" }],
    ["ai_assistant", { utm: { medium: "referral", source: "claude.ai" } }],
    ["organic_social", { utm: { source: "linkedin" } }],
    ["organic_social", { utm: { source: "linkedin.com" } }],
    ["organic_social", { utm: { medium: "referral", source: "reddit.com" } }],
    ["organic_social", { utm: { source: "youtube" } }],
    ["organic_search", { utm: { source: "bing" } }],
    ["email", { utm: { source: "newsletter" } }],
    ["referral", { utm: { medium: "referral", source: "partner" } }],
    ["organic_search", { utm: { source: "x-files" }, referrerHost: "google.co.uk" }],
    // A click id: an ad's proves a paid search, a network's is on every link.
    ["paid_search", { clickIds: { gclid: "1" } }],
    ["paid_search", { clickIds: { msclkid: "1" }, referrerHost: "bing.com" }],
    ["paid_search", { clickIds: { wbraid: "1" }, utm: { source: "google" } }],
    ["organic_social", { clickIds: { fbclid: "1" } }],
    ["organic_social", { clickIds: { fbclid: "1" }, referrerHost: "l.facebook.com" }],
    ["organic_social", { clickIds: { twclid: "1" }, referrerHost: "t.co" }],
    ["organic_social", { clickIds: { gclid: "1" }, utm: { source: "facebook" } }],
    ["display", { clickIds: { dclid: "1" } }],
    // Nothing fits.
    ["other", { utm: { medium: "carrier pigeon" } }],
    ["other", { utm: { source: "partner" } }],
    ["other", { utm: { medium: "constructor", source: "__proto__" } }],
    // Referrers.
    ["organic_search", { referrerHost: "duckduckgo.com" }],
    ["organic_search", { referrerHost: "google.com.br" }],
    ["organic_search", { referrerHost: "google.cat" }],
    ["organic_search", { referrerHost: "news.google.de" }],
    ["organic_search", { referrerHost: "yandex.com.tr" }],
    ["organic_search", { referrerHost: "ya.ru" }],
    ["organic_search", { referrerHost: "search.yahoo.com" }],
    ["organic_search", { referrerHost: "com.google.android.googlequicksearchbox" }],
    ["organic_social", { referrerHost: "l.facebook.com" }],
    ["organic_social", { referrerHost: "x.com", referrerPath: "/someone/status/1" }],
    ["organic_social", { referrerHost: "discord.gg" }],
    ["organic_social", { referrerHost: "hachyderm.io" }],
    ["organic_social", { referrerHost: "com.linkedin.android" }],
    ["organic_social", { referrerHost: "pinterest.co.uk" }],
    ["ai_assistant", { referrerHost: "gemini.google.com" }],
    ["ai_assistant", { referrerHost: "notebooklm.google.com" }],
    ["ai_assistant", { referrerHost: "edgeservices.bing.com" }],
    ["ai_assistant", { referrerHost: "m365.cloud.microsoft" }],
    ["ai_assistant", { referrerHost: "x.com", referrerPath: "/i/grok" }],
    ["ai_assistant", { referrerHost: "x.com", referrerPath: "/i/grok/share/1" }],
    ["ai_assistant", { referrerHost: "huggingface.co", referrerPath: "/chat" }],
    ["ai_assistant", { referrerHost: "huggingface.co", referrerPath: "/chat/conversation/1" }],
    ["referral", { referrerHost: "huggingface.co", referrerPath: "/chats/1" }],
    ["ai_assistant", { referrerHost: "com.openai.chatgpt" }],
    ["email", { referrerHost: "mail.google.com" }],
    ["email", { referrerHost: "outlook.live.com" }],
    ["email", { referrerHost: "com.google.android.gm" }],
    ["email", { referrerHost: "eur03.safelinks.protection.outlook.com" }],
    ["email", { referrerHost: "deref-gmx.net" }],
    ["email", { referrerHost: "mail.yandex.com" }],
    ["paid_search", { referrerHost: "syndicatedsearch.goog" }],
    ["display", { referrerHost: "tpc.googlesyndication.com" }],
    ["referral", { referrerHost: "com.slack" }],
    ["referral", { referrerHost: "search.example" }],
    ["referral", { referrerHost: "notgoogle.com" }],
    ["referral", { referrerHost: "netflix.com" }],
    ["referral", { referrerHost: "docs.google.com" }],
    ["referral", { referrerHost: "sites.google.com" }],
    ["referral", { referrerHost: "google.com.evil.example" }],
    ["referral", { referrerHost: "google.evil.example" }],
    ["referral", { referrerHost: "yandex.evil.example" }],
    ["referral", { referrerHost: "pinterest.evil.example" }],
    ["referral", { referrerHost: "webmail.evil.example" }],
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
