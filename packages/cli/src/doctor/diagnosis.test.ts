// Every state that the doctor distinguishes, by code.

import type { AccountStatus, Pixel, PixelVerification } from "@footfall/sdk"
import { describe, expect, test } from "vitest"
import { account, pixel } from "../../test/fixtures/records.ts"
import { diagnosis, type Check, type DoctorFacts, type SiteFacts } from "./diagnosis.ts"

const sites: SiteFacts = {
  scopeText: null,
  pixels: [pixel],
  verifications: new Map(),
  visitors: { total: 3, unsuppressed: 2 },
  window: "in the last 7 days",
}

const facts: DoctorFacts = {
  server: "http://127.0.0.1:4100",
  now: new Date("2026-03-11T09:00:00.000Z"),
  account: { ...account, intent: { ...account.intent, dataDate: "2026-03-10" } },
  sites,
  companiesCount: 31,
  topicsCount: 438,
}

const problems = (checks: ReadonlyArray<Check>): ReadonlyArray<string> =>
  checks.filter(({ state }) => state === "problem").map(({ code }) => code)

const withSites = (changes: Partial<SiteFacts>): ReadonlyArray<Check> =>
  diagnosis({ ...facts, sites: { ...sites, ...changes } })

const withAccount = (changes: Partial<AccountStatus>): ReadonlyArray<Check> =>
  diagnosis({ ...facts, account: { ...account, ...changes } })

const paused = (pausedReason: Pixel["pausedReason"]): Pixel => ({
  ...pixel,
  id: "6b0e6e0a-5a3f-4a51-9d3e-0f5f6a0f2f10",
  status: "paused",
  pausedReason,
})

const neverSeen: Pixel = { ...pixel, lastEventAt: null }

const verification = (reason: PixelVerification["reason"]): SiteFacts["verifications"] =>
  new Map([
    [
      pixel.id,
      { verified: reason === null, verifiedAt: null, lastEventAt: null, reason, findings: [] },
    ],
  ])

test("without problems, every check has a line and none has a next step", () => {
  const checks = diagnosis(facts)

  expect(checks.map(({ name }) => name)).toEqual([
    ...["server", "key", "organization"],
    ...["pixel", "credits", "visitors", "companies", "topics", "signals"],
  ])
  expect(checks.every(({ state, nextStep }) => state === "ok" && nextStep === null)).toBe(true)
})

describe("distinguishes", () => {
  test.each([
    ["no pixel", { pixels: [] }, ["no_pixel"]],
    [
      "a pixel of another organization",
      { pixels: [], scopeText: "for other.example" },
      ["pixel_not_of_this_organization"],
    ],
    ["the only pixel paused by hand", { pixels: [paused("manual")] }, ["pixel_paused_manual"]],
    [
      "the requested pixel paused by hand",
      { pixels: [paused("manual")], scopeText: "for tidewater.example" },
      ["pixel_paused_manual"],
    ],
    [
      "a pixel paused with its organization",
      { pixels: [paused("organization_inactive")] },
      ["pixel_paused_organization_inactive"],
    ],
    [
      "a pixel that is not on the page",
      { pixels: [neverSeen], verifications: verification("script_missing") },
      ["pixel_never_seen_script_missing"],
    ],
    [
      "a pixel on another site",
      { pixels: [neverSeen], verifications: verification("domain_mismatch") },
      ["pixel_never_seen_domain_mismatch"],
    ],
    [
      "a pixel whose events do not arrive",
      { pixels: [neverSeen], verifications: verification("no_events") },
      ["pixel_never_seen_no_events"],
    ],
    ["a pixel that was not verified", { pixels: [neverSeen] }, ["pixel_never_seen"]],
    ["no one identified", { visitors: { total: 0, unsuppressed: 0 } }, ["no_visitors"]],
    [
      "suppressed people only",
      { visitors: { total: 4, unsuppressed: 0 } },
      ["visitors_suppressed_only"],
    ],
  ] as const)("%s", (_what, changes, codes) => {
    expect(problems(withSites(changes))).toEqual(codes)
  })

  test.each(["suspended", "expired"] as const)("an organization that is %s", (status) => {
    const checks = diagnosis({
      ...facts,
      account: { ...account, organization: { ...account.organization, status } },
      sites: null,
    })

    expect(problems(checks)).toEqual([`organization_${status}`])
  })

  test.each([
    [1, []],
    [0, ["credits_used_up"]],
  ])("%i credits left", (remaining, codes) => {
    const credits = { ...account.credits, limit: 100, used: 100 - remaining, remaining }

    expect(problems(withAccount({ credits }))).toEqual(codes)
  })
})

test("a paused pixel next to an active one is a note, not a problem", () => {
  const checks = withSites({ pixels: [pixel, paused("manual")] })

  expect(problems(checks)).toEqual([])
  expect(checks.find(({ state }) => state === "note")?.code).toBe("pixel_paused_manual")
})

test("missing companies, topics and signals are notes, each with a command", () => {
  const notes = (changes: Partial<DoctorFacts>) =>
    diagnosis({ ...facts, ...changes })
      .filter(({ state }) => state === "note")
      .map(({ code, nextStep }) => [code, nextStep])
  const silent = { ...account, intent: { ...account.intent, dataDate: null } }
  const ruled = {
    ...pixel,
    settings: { ...pixel.settings, topicRules: [{ path: "/a", topicId: 1 }] },
  }

  expect(notes({ companiesCount: 0 })).toEqual([
    [
      "no_companies",
      "On the server, run: footfall-server doctor. It shows whether IP_COMPANY_FILE lists networks.",
    ],
  ])
  expect(notes({ topicsCount: 0 })).toEqual([
    ["no_topics", "On the server, run: footfall-server starter-topics"],
  ])
  expect(notes({ account: silent })).toEqual([
    ["no_signals", `Run: footfall pixels suggest-topics ${pixel.domain}`],
  ])
  expect(notes({ account: silent, sites: { ...sites, pixels: [ruled] } })).toEqual([
    ["no_signals", `To see which pages they cover: footfall pixels get ${pixel.domain}`],
  ])
  expect(notes({ account: silent, sites: null, companiesCount: null, topicsCount: null })).toEqual(
    [],
  )
})

test("every problem of a pixel says what to do", () => {
  const pixels = [paused("manual"), paused("organization_inactive"), neverSeen]
  const checks = withSites({ pixels, verifications: verification("no_events") })

  const silent = checks.filter(({ state, nextStep }) => state !== "ok" && nextStep === null)
  expect(silent).toEqual([])
})
