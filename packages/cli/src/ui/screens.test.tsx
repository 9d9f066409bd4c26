// The screens at several widths. Colors are removed, so every expectation also checks that the screen is readable
// without them.

import type { Pixel, VisitorListMeta, WebhookDelivery } from "@footfall/sdk"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { stripVTControlCharacters } from "node:util"
import { jane, pixel, visitor, visitorWithJourney } from "../../test/fixtures/records.ts"
import { pixelList } from "../pixels/pixels.ts"
import { profileList, type ProfileRow } from "../profiles/profiles.ts"
import { VisitorTable, VisitorView } from "../visitors/views.tsx"
import { webhookDeliveryList } from "../webhooks/lists.ts"
import { textWidth } from "./column-widths.ts"
import { drawn } from "./drawn.ts"
import { ListScreen } from "./list-screen.tsx"

const now = new Date("2026-03-11T09:00:00.000Z")

const meta: VisitorListMeta = {
  page: 1,
  hasMore: false,
  nextCursor: null,
  total: 5,
  scope: { pixels: 1, activePixels: 1, lastEventAt: "2026-03-11T08:42:10.500Z" },
  timestamp: "2026-03-11T09:00:00.000Z",
  request_id: "req_0123456789abcdefghijklmnop",
}

const five = Array.from({ length: 5 }, (_, index) => visitor(index))

const list = (
  screenColumns: number,
  { visitors = five, ...changes }: Partial<VisitorListMeta> & { visitors?: typeof five } = {},
): string => {
  const props = { visitors, meta: { ...meta, ...changes }, window: "in the last 7 days" }
  return stripVTControlCharacters(
    drawn(VisitorTable, { ...props, now, screenColumns }, screenColumns),
  )
}

describe("the visitor table", () => {
  test("on a wide screen shows everything", () => {
    expect(list(150)).toMatchInlineSnapshot(`
      "Email                                     Person           Company               Job                    Sessions  Pages  Interest            Last seen
      ────────────────────────────────────────  ───────────────  ────────────────────  ─────────────────────  ────────  ─────  ──────────────────  ─────────
      jane.mercer@harbor-logistics.example      Jane Mercer      Harbor Logistics      VP Operations                 2      4  pricing               17m ago
      o.ferreira@northwind-instruments.example  Otávio Ferreira  Northwind Instrumen…  Director of Procurem…         2      4  pricing demo           2h ago
      tanaka@kaikyo.example                     田中 海翔        海峡物流株式会社      物流部長                      2      4                         2d ago
      crawler@price-watch.example                                                                                    2      4  suppressed pricing     3d ago
      #000000000000                                              Møller & Sønner       CFO                           2      4  pricing               17m ago

      5 visitors in the last 7 days
      "
    `)
  })

  test.each([20, 25, 30, 36, 38, 40])(
    "on %i columns keeps a gap between its columns",
    (columns) => {
      const [titles = "", lines = ""] = list(columns).split("\n")

      expect(titles.length).toBeLessThanOrEqual(columns)
      expect(lines.length).toBeLessThanOrEqual(columns)
      expect(lines.split("  ")).toHaveLength(titles.split(/ {2,}/).length)
    },
  )

  test("sorted by score, shows the scores on every screen", () => {
    const props = { visitors: five, meta, window: "in the last 7 days", sort: "score" } as const
    for (const screenColumns of [80, 120]) {
      const table = drawn(VisitorTable, { ...props, now, screenColumns }, screenColumns)

      expect(stripVTControlCharacters(table)).toMatch(/^Email +Score .*\n.*\njane\S+ +68 · hot /)
    }
  })

  test("on 80 columns shows what matters, cut where necessary", () => {
    expect(list(80)).toMatchInlineSnapshot(`
      "Email                                     Company       Interest       Last seen
      ────────────────────────────────────────  ────────────  ─────────────  ─────────
      jane.mercer@harbor-logistics.example      Harbor Logi…  pricing          17m ago
      o.ferreira@northwind-instruments.example  Northwind I…  pricing demo      2h ago
      tanaka@kaikyo.example                     海峡物流株…                     2d ago
      crawler@price-watch.example                             suppressed p…     3d ago
      #000000000000                             Møller & Sø…  pricing          17m ago

      5 visitors in the last 7 days
      "
    `)
  })

  test("on 40 columns still shows who and when", () => {
    expect(list(40)).toMatchInlineSnapshot(`
      "Email                Interest  Last seen
      ───────────────────  ────────  ─────────
      jane.mercer@harbor…  pricing     17m ago
      o.ferreira@northwi…  pricing…     2h ago
      tanaka@kaikyo.exam…               2d ago
      crawler@price-watc…  suppres…     3d ago
      #000000000000        pricing     17m ago

      5 visitors in the last 7 days
      "
    `)
  })

  test("is never wider than the screen, whatever the values", () => {
    const word = fc.oneof(fc.string({ unit: "grapheme", maxLength: 60 }), fc.constant(null))

    fc.assert(
      fc.property(fc.integer({ min: 40, max: 200 }), word, word, word, (columns, ...words) => {
        const [email = null, companyName = null, jobTitle = null] = words

        const lines = list(columns, { visitors: [{ ...jane, email, companyName, jobTitle }] })

        const table = lines.split("\n").slice(0, 3)
        expect(table.map(textWidth).filter((width) => width > columns)).toEqual([])
        expect(lines.split("\n")[3]).toBe("")
      }),
      { numRuns: 50 },
    )
  })

  test("removes control sequences from a name", () => {
    const companyName = "\u001B[2J\u009B31mEvil\u202E\nCorp"

    const text = list(150, { visitors: [{ ...jane, companyName }] })

    expect(text).toContain("Evil Corp")
    expect(text).not.toMatch(/[^\P{Cc}\n]|\u202E/u)
  })

  test("says how to see more", () => {
    const more = { total: 120, hasMore: true }

    expect(list(100, { ...more, nextCursor: "abc" })).toContain(
      "5 of 120 visitors in the last 7 days · more: --page 2, or --all",
    )
    expect(list(100, { ...more, nextCursor: null })).toContain("more: a higher --limit, or --all")
  })

  test("says if some data of the window is missing", () => {
    expect(list(100, { coverage: { partial: true, from: null } })).toContain("Some data")
    expect(list(100, { coverage: { partial: false, from: null } })).not.toContain("Some data")
  })

  test.each([
    [{ scope: { pixels: 0, activePixels: 0, lastEventAt: null } }, "Run: footfall pixels list"],
    [{ scope: { pixels: 1, activePixels: 0, lastEventAt: null } }, "Every pixel here is paused"],
    [{ scope: { pixels: 1, activePixels: 1, lastEventAt: null } }, "No event has arrived yet"],
    [{}, "The last event arrived 17m ago. Try: --timeframe all"],
    [{ page: 3 }, "Try: --page 1"],
  ])("without visitors says why: %j", (changes, reason) => {
    const text = list(100, { ...changes, visitors: [] })

    expect(text).toContain("No visitors in the last 7 days.")
    expect(text).toContain(reason)
  })
})

describe("the view of one visitor", () => {
  const view = (changes: Partial<typeof visitorWithJourney> = {}): string => {
    const visitorShown = { ...visitorWithJourney, ...changes }
    const props = { visitor: visitorShown, now, screenColumns: 90, timeZone: "UTC" }
    return stripVTControlCharacters(drawn(VisitorView, props, 90))
  }

  test("shows the person, the company, the source of the visits and the sessions", () => {
    expect(view()).toMatchInlineSnapshot(`
      "Jane Mercer
      VP Operations, Harbor Logistics

      Email        jane.mercer@harbor-logistics.example, jane.mercer@mail.example
      Phone        +14155550134
      Role         vp, operations
      Company      harbor-logistics.example · maritime transportation · 340 employees · 50
                   million to 100 million
      Location     San Francisco, CA, US
      Score        68 · hot
      Owner        Sam Ortiz
      Tags         Pilot, Q3
      Activity     2 sessions · 4 pages · 1 × pricing
      First seen   2026-03-09 15:12 (1d ago)
      Last seen    2026-03-11 08:42 (17m ago)
      First visit  referral · search.example
      Last visit   email · newsletter / spring-launch
      Attribution  plan=trial
      Hash         930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9

      ● 2026-03-11 08:41  44b6a991  2 pages · 1m 8s · desktop · pricing · identified
      │ / → /pricing  email · newsletter / spring-launch
      ● 2026-03-09 15:12  13f276ea  2 pages · 2m 1s · desktop
        /blog/dock-planning → /product  referral
      "
    `)
  })

  test("leaves out unknown facts", () => {
    const text = view({ phones: [], companyDomain: null, city: null, state: null, country: null })

    expect(text).not.toContain("Phone")
    expect(text).not.toContain("Location")
  })

  test("names a person who is only known by hash, and marks a suppressed one", () => {
    const text = view({ fullName: null, email: null, emails: [], suppressed: true })

    expect(text).toContain("Known only by hash (suppressed)")
    expect(text).not.toContain("Email")
  })

  test("marks a number that must not be called", () => {
    expect(view({ phonesDnc: true })).toContain("+14155550134 (do not call)")
  })

  test("says when there are no sessions in the window", () => {
    const journey = { firstTouch: null, lastTouch: null, sessions: [] }

    expect(view({ journey })).toContain("No sessions in this timeframe.")
  })
})

test("the pixel table never cuts an id", () => {
  const pixels = [
    pixel,
    { ...pixel, status: "paused" as const, pausedReason: "organization_inactive" as const },
    { ...pixel, domain: `${"long".repeat(20)}.example`, lastEventAt: null },
  ]

  const text = drawn(
    ListScreen<Pixel>,
    {
      table: pixelList.table,
      rows: pixels,
      meta: { total: 3, hasMore: false },
      now,
      screenColumns: 80,
    },
    80,
  )

  expect(stripVTControlCharacters(text)).toMatchInlineSnapshot(`
    "Id                                    Domain                Status    Last event
    ────────────────────────────────────  ────────────────────  ────────  ──────────
    cdd19037-47fb-4e21-a054-2da787925aea  tidewater.example     active       17m ago
    cdd19037-47fb-4e21-a054-2da787925aea  tidewater.example     paused …     17m ago
    cdd19037-47fb-4e21-a054-2da787925aea  longlonglonglonglon…  active         never

    3 pixels
    "
  `)
})

test("the profile table marks the current profile with a star", () => {
  const profile = { name: "demo", baseUrl: "http://127.0.0.1:4100", apiKey: "sk_0123…EDWO" }
  const profiles = [
    { ...profile, isCurrent: true, email: "jane.mercer@harbor-logistics.example" },
    { ...profile, name: "other", apiKey: null, isCurrent: false, email: null },
  ]

  const text = drawn(
    ListScreen<ProfileRow>,
    {
      table: profileList.table,
      rows: profiles,
      now,
      meta: { total: 2, hasMore: false },
      screenColumns: 80,
    },
    80,
  )

  expect(stripVTControlCharacters(text)).toMatchInlineSnapshot(`
    "   Profile  Server                 API key       Signed in
    ─  ───────  ─────────────────────  ────────────  ───────────────────────────────
    *  demo     http://127.0.0.1:4100  sk_0123…EDWO  jane.mercer@harbor-logistics.e…
       other    http://127.0.0.1:4100

    2 profiles
    "
  `)
})

test("empty lists say what to do", () => {
  const meta = { total: 0, hasMore: false }
  const empty = { meta, now, screenColumns: 80, rows: [] }

  expect(drawn(ListScreen<Pixel>, { ...empty, table: pixelList.table }, 80)).toBe(
    "There are no pixels yet.\nRun: footfall pixels create <domain>\n",
  )
  expect(drawn(ListScreen<ProfileRow>, { ...empty, table: profileList.table }, 80)).toContain(
    "Run: footfall profiles create <name>",
  )
  expect(
    drawn(ListScreen<WebhookDelivery>, { ...empty, table: webhookDeliveryList.table }, 80),
  ).toContain("There are no deliveries yet. Tests are not listed.")
})
