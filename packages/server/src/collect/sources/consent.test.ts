// Refused consent in the words and shapes of the consent tools (spec 15.2.7).
import { describe, expect, it } from "vitest"
import { isConsentDenied } from "./consent.ts"

const neededNames = [
  "marketing",
  "advertising",
  "advertisement",
  "targeting",
  "personalization",
  "analytics",
  "statistics",
  "measurement",
  "performance",
  "datasharing",
  "saleofdata",
  "C0002",
  "C0004",
  "ad_storage",
  "ad_user_data",
  "ad_personalization",
  "analytics_storage",
]
const refusalWords = [false, 0, "false", "0", "no", "denied", "deny", "opted_out"]

const spellings = (name: string) => [
  name,
  name.toUpperCase(),
  ` ${name[0]!.toUpperCase()}${name.slice(1)} `,
  `${name.slice(0, 2)}-${name.slice(2)}`,
  `${name.slice(0, 4)}_${name.slice(4)}`,
  `${name.slice(0, 3)} ${name.slice(3)}`,
]

describe.each(neededNames)("the category %s", (name) => {
  it("is refused by each word, in each spelling, wherever the contract has consent", () => {
    for (const spelling of spellings(name)) {
      for (const word of refusalWords) {
        expect(isConsentDenied({ consent: { [spelling]: word } })).toBe(true)
        expect(isConsentDenied({ consent: { categoryPreferences: { [spelling]: word } } })).toBe(
          true,
        )
      }
      const denied = { deniedConsentIds: ["essential", spelling] }
      expect(isConsentDenied({ consentManagement: denied })).toBe(true)
    }
  })

  it("is not refused by any other answer", () => {
    for (const word of [true, 1, "true", "1", "yes", "granted", "ACCEPT", "", null, "unknown"]) {
      expect(isConsentDenied({ consent: { categoryPreferences: { [name]: word } } })).toBe(false)
    }
    const allowed = { allowedConsentIds: [name], deniedConsentIds: [] }
    expect(isConsentDenied({ consentManagement: allowed })).toBe(false)
  })
})

it("a refusal inside a text counts, in a member and alone", () => {
  for (const consent of [
    { groups: "C0001:1,C0002:0,C0004:1" },
    { OptanonConsent: "isGpcEnabled=0&groups=1&C0004=0" },
    "necessary:granted;Marketing:denied",
  ]) {
    expect(isConsentDenied({ consent })).toBe(true)
  }
  expect(isConsentDenied({ consent: { groups: "C0001:0,C0002:1,C0004:1" } })).toBe(false)
  expect(isConsentDenied({ consent: { note: "marketing, no thanks" } })).toBe(false)
})

it("words that refuse are compared without case", () => {
  for (const word of ["FALSE", "No", "Denied", "DENY", "Opted_Out", "opted out", "OPT-OUT"]) {
    expect(isConsentDenied({ consent: { marketing: word } })).toBe(true)
  }
})

// As each tool, or the code that its documents show, hands it to a Segment or RudderStack client.
const refused: ReadonlyArray<readonly [string, object]> = [
  [
    "Segment's own categories",
    { consent: { categoryPreferences: { Functional: true, "Data Sharing": false } } },
  ],
  [
    "Segment's OneTrust wrapper",
    { consent: { categoryPreferences: { C0001: true, C0003: true, c0004: false } } },
  ],
  ["OneTrust's names of groups", { consent: { "Targeting Cookies": false } }],
  [
    "Cookiebot",
    { consent: { necessary: true, preferences: true, statistics: false, marketing: true } },
  ],
  [
    "Usercentrics, by category",
    {
      consent: {
        categories: { essential: { state: "ALL_ACCEPTED" }, marketing: { state: "ALL_DENIED" } },
      },
    },
  ],
  [
    "Usercentrics, by service",
    {
      consent: {
        services: [{ name: "Tag", categorySlug: "marketing", consent: { status: false } }],
      },
    },
  ],
  ["TrustArc", { consent: { "Required Cookies": "1", "Advertising Cookies": "0" } }],
  [
    "Didomi's status of a user",
    {
      consent: {
        purposes: {
          consent: { enabled: ["cookies"], disabled: ["measure_content_performance"] },
        },
      },
    },
  ],
  [
    "Didomi's events",
    { consent: { purposes: { consent: { disabled: "cookies,market_research" } } } },
  ],
  ["Osano", { consent: { ESSENTIAL: "ACCEPT", PERSONALIZATION: "DENY", STORAGE: "ACCEPT" } }],
  ["consentmanager", { consent: { purposes: { Function: 1, Measurement: 0 } } }],
  [
    "RudderStack",
    {
      consentManagement: {
        provider: "oneTrust",
        allowedConsentIds: ["C0001"],
        deniedConsentIds: ["C0003", "C0002"],
        resolutionStrategy: "and",
      },
    },
  ],
  [
    "Google Consent Mode",
    { consent: { google: { functionality_storage: "granted", ad_user_data: "denied" } } },
  ],
  [
    "TCF 2.2 in its own words",
    { consent: { "Use profiles to select personalised advertising": false } },
  ],
  ["TCF 2.0 in its own words", { consent: { "Create a personalised ads profile": false } }],
  ["one answer for everything", { consent: "denied" }],
]

it.each(refused)("%s: refused", (_, context) => {
  expect(isConsentDenied({ ...context })).toBe(true)
})

const given: ReadonlyArray<readonly [string, object]> = [
  ["no consent at all", {}],
  ["categories that identification doesn't need", { consent: { functional: false, C0003: false } }],
  ["an allowed category", { consent: { categoryPreferences: { Marketing: "true" } } }],
  ["a denied id of something else", { consentManagement: { deniedConsentIds: ["chat", 4, null] } }],
  ["a list of what is enabled", { consent: { enabled: ["marketing"], disabled: ["social"] } }],
  ["a category whose name only contains one", { consent: { "non-marketing mail": false } }],
  ["an inherited name", { consent: { constructor: false, __proto__: { marketing: false } } }],
  ["consent of a wrong type", { consent: 7, consentManagement: "denied?" }],
]

it.each(given)("%s: not refused", (_, context) => {
  expect(isConsentDenied({ ...context })).toBe(false)
})

it("a deep or long consent is read to a bounded depth", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`)
  const long = { ["marketing".repeat(3_000)]: false, ["-".repeat(30_000)]: false }

  expect(isConsentDenied({ consent: deep })).toBe(false)
  expect(isConsentDenied({ consent: long })).toBe(false)
})
