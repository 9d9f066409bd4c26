// Screens other than visitors: segments, keys, members, organizations, accounts, imports, pixels and the doctor,
// rendered without color.

import type {
  AccountStatus,
  ApiKey,
  ListMeta,
  Member,
  Organization,
  PixelFinding,
  Segment,
} from "@footfall/sdk"
import type { ComponentType } from "react"
import { describe, expect, test } from "vitest"
import { stripVTControlCharacters } from "node:util"
import {
  account,
  company,
  jane,
  member,
  organization,
  pixelWithCode,
  segment,
  session,
  storedKey,
} from "../../test/fixtures/records.ts"
import { AccountView } from "../account/views.tsx"
import { DoctorView } from "../doctor/DoctorView.tsx"
import { diagnosis } from "../doctor/diagnosis.ts"
import { ImportView } from "../import/ImportView.tsx"
import { keyList } from "../keys/keys.ts"
import { memberList } from "../members/members.ts"
import { organizationList } from "../organizations/organizations.ts"
import { PixelView } from "../pixels/views.tsx"
import { siteFinding, verificationFinding, verificationText } from "../pixels/words.ts"
import { segmentList } from "../segments/segments.ts"
import { SegmentPreviewView, SegmentView } from "../segments/views.tsx"
import { SessionList } from "../visitors/views.tsx"
import { ProgressScreen } from "../terminal/progress-on-screen.tsx"
import { textWidth } from "./column-widths.ts"
import { drawn } from "./drawn.ts"
import { ListScreen } from "./list-screen.tsx"

const now = new Date("2026-03-11T09:00:00.000Z")

const meta: ListMeta = {
  total: 3,
  limit: 50,
  offset: 0,
  hasMore: false,
  nextCursor: null,
  timestamp: "2026-03-11T09:00:00.000Z",
  request_id: "req_0123456789abcdefghijklmnop",
}

const text = <Props extends object>(
  screen: ComponentType<Props>,
  props: Props,
  columns = 80,
): string => stripVTControlCharacters(drawn(screen, props, columns))

/** A name that tries to clear the screen. */
const hostile = "\u001B[2J\u009B31mEvil\u202E\nCorp"

const control = /[^\P{Cc}\n]|\u202E/u

test("segments: the rule is cut, never the id", () => {
  const segments = [segment, { ...segment, name: hostile }]

  expect(
    text(
      ListScreen<Segment>,
      { table: segmentList.table, rows: segments, meta, now, screenColumns: 100 },
      100,
    ),
  ).toMatchInlineSnapshot(`
    "Id                                    Name       Contains  Matches                           Updated
    ────────────────────────────────────  ─────────  ────────  ────────────────────────────────  ───────
    3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11  Buyers     people    behavior.pricing_page_views gte…  23h ago
    3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11  Evil Corp  people    behavior.pricing_page_views gte…  23h ago

    2 of 3 segments
    "
  `)
})

test("the list of segments says on a narrow screen what each contains", () => {
  const segments = [
    { ...segment, name: "Target accounts on the site", subject: "companies" },
  ] as const

  expect(
    text(
      ListScreen<Segment>,
      { table: segmentList.table, rows: segments, meta, now, screenColumns: 80 },
      80,
    ),
  ).toMatch(/Name +Contains .*\n.*\n.* companies /)
})

test("a segment shows its whole rule", () => {
  const view = text(SegmentView, { segment, screenColumns: 60, timeZone: "UTC" }, 60)

  expect(view).toMatchInlineSnapshot(`
    "Buyers

    Contains  people
    Matches   behavior.pricing_page_views gte 1 and
              company.seniority in vp,director
    Window    7d
    Created   2026-03-01 10:00
    Updated   2026-03-10 10:00
    Id        3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11
    "
  `)
})

test("a preview is a list with its count", () => {
  const preview = {
    preview: { count: 120, sample: [jane], companies: [] },
    now,
    screenColumns: 100,
  }

  const view = text(SegmentPreviewView, { ...preview, subject: "people" }, 100)

  expect(view).toContain("1 of 120 visitors match the rule")
})

test("a preview of companies is a list of companies with its count", () => {
  const preview = {
    preview: { count: 3, sample: [], companies: [company] },
    now,
    screenColumns: 100,
  }

  const view = text(SegmentPreviewView, { ...preview, subject: "companies" }, 100)

  expect(view).toContain("Harbor Logistics")
  expect(view).toContain("1 of 3 companies")
})

test("keys: a key that no longer works is marked", () => {
  const keys = [
    storedKey,
    { ...storedKey, name: "old", revokedAt: "2026-03-10T09:00:00.000Z" },
    { ...storedKey, name: "ended", expiresAt: "2026-03-11T09:00:00.000Z" },
    { ...storedKey, name: "ci", expiresAt: "2027-01-31T00:00:00.000Z" },
  ]

  expect(
    text(
      ListScreen<ApiKey>,
      { table: keyList.table, rows: keys, meta, now, screenColumns: 100 },
      100,
    ),
  ).toMatchInlineSnapshot(`
    "Id                                    Name   Key           State             Last used  Created
    ────────────────────────────────────  ─────  ────────────  ────────────────  ─────────  ───────
    5a8d6a3e-6a0f-4a37-8f7b-6a0a3f1d2c44  crm    sk_0123…EDWO  active                never   9d ago
    5a8d6a3e-6a0f-4a37-8f7b-6a0a3f1d2c44  old    sk_0123…EDWO  revoked               never   9d ago
    5a8d6a3e-6a0f-4a37-8f7b-6a0a3f1d2c44  ended  sk_0123…EDWO  expired               never   9d ago
    5a8d6a3e-6a0f-4a37-8f7b-6a0a3f1d2c44  ci     sk_0123…EDWO  until 2027-01-31      never   9d ago

    3 keys
    "
  `)
})

test("members and organizations", () => {
  const members = [member, { ...member, email: "x@y.example", name: null, role: "owner" as const }]
  expect(
    text(ListScreen<Member>, {
      table: memberList.table,
      rows: members,
      meta,
      now,
      screenColumns: 80,
    }),
  ).toMatchInlineSnapshot(`
    "Email                  Name      Role    Member since
    ─────────────────────  ────────  ──────  ────────────
    lee@tidewater.example  Lee Park  member        9d ago
    x@y.example                      owner         9d ago

    2 of 3 members
    "
  `)

  const organizations = [organization]
  expect(
    text(ListScreen<Organization>, {
      table: organizationList.table,
      rows: organizations,
      now,
      meta,
      screenColumns: 80,
    }),
  ).toMatchInlineSnapshot(`
    "Slug       Name       Status  Id
    ─────────  ─────────  ──────  ────────────────────────────────────
    tidewater  Tidewater  active  3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f

    1 of 3 organizations
    "
  `)
})

describe("the account", () => {
  const view = (changes: Partial<AccountStatus> = {}): string =>
    text(AccountView, { account: { ...account, ...changes }, screenColumns: 80 })

  test("without limits has no bar", () => {
    expect(view()).toMatchInlineSnapshot(`
      "Tidewater
      healthy

      Credits  120 used this month, no limit
      Pixels   1 active
      Intent   0 slots used, no limit · no data yet
      Slug     tidewater
      Id       3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f
      "
    `)
  })

  test("with a limit shows how much is used, and when it resets", () => {
    const credits = {
      used: 750,
      limit: 1000,
      remaining: 250,
      resetsAt: "2026-04-01T00:00:00.000Z",
      heldBack: 0,
    }

    expect(view({ credits })).toContain(`${"█".repeat(18)}${"░".repeat(6)}\n`)
    expect(view({ credits })).toContain("750 of 1,000 used, 250 left until 2026-04-01")
  })

  test("without credits says so, and how many people are on hold", () => {
    const credits = { used: 10, limit: 10, remaining: 0, resetsAt: null, heldBack: 1 }

    expect(view({ healthy: false, credits })).toContain("out of credits")
    expect(view({ healthy: false, credits })).toContain(
      "1 person, until credits are available again",
    )
  })

  test.each(["suspended", "expired"] as const)("says when the organization is %s", (status) => {
    const view = text(AccountView, {
      account: { ...account, healthy: false, organization: { ...account.organization, status } },
      screenColumns: 80,
    })

    expect(view).toContain(`${status}: only footfall account works`)
  })

  test("without pixels says how to create one", () => {
    expect(view({ pixels: { total: 0, active: 0, paused: 0 } })).toContain("footfall pixels create")
  })
})

test("a pixel shows its tag in full", () => {
  const view = text(PixelView, { pixel: pixelWithCode, now, timeZone: "UTC" }, 1_000)

  expect(view).toMatchInlineSnapshot(`
    "tidewater.example

    Name        Tidewater
    Status      active
    Last event  17m ago
    Verified    2026-03-01 10:00
    Created     2026-03-01 09:58
    Id          cdd19037-47fb-4e21-a054-2da787925aea

    Paste this into the head of every page:
    <script async src="https://pixels.example/p/cdd19037-47fb-4e21-a054-2da787925aea.js"></script>

    Or this, for pages that require a fixed version:
    <script async src="https://pixels.example/p/cdd19037-47fb-4e21-a054-2da787925aea.0123456789abcdef.js" integrity="sha384-x" crossorigin="anonymous"></script>

    If the site has a Content Security Policy, it must allow:
    script-src https://pixels.example/p/; connect-src https://pixels.example/p/
    "
  `)
})

test("a verification shows each finding and each next step on its own line", () => {
  const found: ReadonlyArray<PixelFinding> = [
    {
      code: "page_read",
      severity: "note",
      message: "Read https://tidewater.example/, which responded with 200.",
      values: ["https://tidewater.example/", "200"],
    },
    {
      code: "tag_inert",
      severity: "problem",
      message: 'The tag has type="text/plain\u001b[2J".',
      values: ["text/plain"],
    },
    { code: "tag_debug", severity: "note", message: "The tag has data-debug.", values: [] },
  ]
  const pixel = { domain: "tidewater.example" }
  const verification = { verified: false, verifiedAt: null, lastEventAt: null, findings: found }
  const finding = verificationFinding(pixel, { ...verification, reason: "no_events" }, now)
  const findings = found.map((one) => ({ ...one, ...siteFinding(pixel, one) }))

  expect(verificationText(finding, findings)).toMatchInlineSnapshot(`
    "No events from tidewater.example have arrived yet. The tag has type="text/plain".
    Let the consent manager release it, or remove the type and set data-consent="required" instead.
    · Read https://tidewater.example/, which responded with 200.
    · The tag has data-debug.
      Remove data-debug when the site goes live.
    "
  `)
})

test("an import shows its counts, and why it rejected rows", () => {
  const result = {
    kind: "people" as const,
    received: 1_204,
    inserted: 900,
    updated: 100,
    unchanged: 100,
    rejectedCount: 104,
    rejected: [
      { row: 7, field: "email", reason: "invalid_value" as const },
      { row: 1_000, field: null, reason: "unreadable_row" as const },
    ],
  }

  expect(text(ImportView, { result, screenColumns: 80 })).toMatchInlineSnapshot(`
    "1,204 rows of people: 104 rejected

    New        900
    Changed    100
    Unchanged  100
    Rejected   104

     Row  Field  Why
    ────  ─────  ──────────────────────
       7  email  the value is invalid
    1000         the row cannot be read

    The first 2 of 104 rejected rows.
    "
  `)
})

test("an import shows the server's message instead of the reason", () => {
  const message = "Expected no invisible character, received U+0009 (tab)."
  const result = {
    kind: "people" as const,
    received: 1,
    inserted: 0,
    updated: 0,
    unchanged: 0,
    rejectedCount: 1,
    rejected: [{ row: 1, field: "email", reason: "invalid_value" as const, message }],
  }
  expect(text(ImportView, { result, screenColumns: 120 }, 120)).toContain(message)
})

test("the doctor shows one line per check, and what to do", () => {
  const credits = { used: 10, limit: 10, remaining: 0, resetsAt: null, heldBack: 4 }
  const checks = diagnosis({
    server: "http://127.0.0.1:4100",
    now,
    account: { ...account, credits },
    sites: {
      scopeText: null,
      pixels: [],
      verifications: new Map(),
      visitors: { total: 0, unsuppressed: 0 },
      window: "in the last 7 days",
    },
    companiesCount: null,
    topicsCount: null,
  })

  expect(text(DoctorView, { checks, screenColumns: 80 })).toMatchInlineSnapshot(`
    "✔  server        http://127.0.0.1:4100 answers.
    ✔  key           The API key works for Tidewater.
    ✔  organization  Tidewater is active.
    ✖  pixel         This organization has no pixels.
                     Create one for your site: footfall pixels create <domain>
    ✖  credits       All 10 credits for this month are used, so new people are not
                     listed. 4 people on hold.
                     The server operator can raise the limit.

    2 problems keep visitors from being listed.
    "
  `)
})

test("sessions show their number, or that there are more", () => {
  const list = { sessions: [session], window: "in the last 30 days", timeZone: "UTC" }

  expect(text(SessionList, { ...list, hasMore: false })).toContain("1 session in the last 30 days")
  expect(text(SessionList, { ...list, hasMore: true })).toContain("1 session shown · more: --limit")
  expect(text(SessionList, { ...list, sessions: [], hasMore: false })).toContain("--timeframe all")
})

test("progress shows a bar, figures, and the reason for a wait", () => {
  const progress = {
    title: `Exporting to ${hostile}`,
    fraction: 0.5,
    figures: ["50 of 100 rows", "10 rows/s"],
    waitText: "Can't reach the server: trying again in 4s.",
  }

  expect(text(ProgressScreen, progress)).toBe(
    "Exporting to Evil Corp\n" +
      `${"█".repeat(12)}${"░".repeat(12)}  50 of 100 rows · 10 rows/s\n` +
      "Can't reach the server: trying again in 4s.\n",
  )
})

test("untrusted names cannot control the terminal", () => {
  const screens = [
    text(SegmentView, { segment: { ...segment, name: hostile }, screenColumns: 80 }),
    text(ListScreen<Member>, {
      table: memberList.table,
      rows: [{ ...member, name: hostile }],
      meta,
      now,
      screenColumns: 80,
    }),
    text(PixelView, { pixel: { ...pixelWithCode, domain: hostile, name: hostile }, now }),
    text(AccountView, {
      account: { ...account, organization: { ...account.organization, name: hostile } },
      screenColumns: 80,
    }),
  ]

  expect(screens.filter((screen) => control.test(screen))).toEqual([])
  expect(screens.every((screen) => screen.includes("Evil"))).toBe(true)
})

test.each([40, 60, 80, 120])(
  "no table is wider than %i columns if its columns can be cut",
  (columns) => {
    const long = "x".repeat(90)
    const tables = [
      text(
        ListScreen<Member>,
        {
          table: memberList.table,
          rows: [{ ...member, email: `${long}@y.example`, name: long }],
          meta,
          now,
          screenColumns: columns,
        },
        columns,
      ),
      text(
        ImportView,
        {
          result: {
            kind: "people",
            received: 1,
            inserted: 0,
            updated: 0,
            unchanged: 0,
            rejectedCount: 1,
            rejected: [{ row: 1, field: long, reason: "hash_mismatch" }],
          },
          screenColumns: columns,
        },
        columns,
      ),
    ]

    const widths = tables.flatMap((table) => table.split("\n").map(textWidth))
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns)
  },
)

test("empty lists say what to do", () => {
  const none = { ...meta, total: 0 }

  expect(
    text(ListScreen<Segment>, {
      table: segmentList.table,
      rows: [],
      meta: none,
      now,
      screenColumns: 80,
    }),
  ).toContain("Run: footfall segments create")
  expect(
    text(ListScreen<ApiKey>, {
      table: keyList.table,
      rows: [],
      meta: none,
      now,
      screenColumns: 80,
    }),
  ).toContain("Run: footfall keys create")
})
