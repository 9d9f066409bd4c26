// Saved audiences as text, at several widths.

import type { Audience } from "@footfall/sdk"
import type { ComponentType } from "react"
import { describe, expect, test } from "vitest"
import { stripVTControlCharacters } from "node:util"
import { audience } from "../../test/fixtures/intent-records.ts"
import { textWidth } from "../ui/column-widths.ts"
import { drawn } from "../ui/drawn.ts"
import { ListScreen } from "../ui/list-screen.tsx"
import { audienceList } from "./audiences.ts"
import { AudienceView } from "./views.tsx"

const text = <Props extends { readonly screenColumns: number }>(
  screen: ComponentType<Props>,
  props: Props,
): string => stripVTControlCharacters(drawn(screen, props, props.screenColumns))

const now = new Date("2026-03-11T09:00:00.000Z")
const oneRun = { ...audience, name: "One run", accessType: "one_shot" } as const
const fresh = {
  ...audience,
  name: "A draft with a name that is rather long",
  status: "draft",
  dailyRefreshEnabled: false,
  audienceSize: 0,
  lastRefreshedAt: null,
} as const
const meta = {
  total: 3,
  limit: 50,
  offset: 0,
  hasMore: false,
  nextCursor: null,
  timestamp: "",
  request_id: "",
}

const table = (screenColumns: number): string =>
  text(ListScreen<Audience>, {
    table: audienceList.table,
    rows: [audience, oneRun, fresh],
    meta,
    now,
    screenColumns,
  })
const view = (screenColumns: number): string =>
  text(AudienceView, { audience, now, screenColumns, timeZone: "UTC" })

test.each(
  [table, view].flatMap((draw) => [60, 80, 120].map((columns) => [draw, columns] as const)),
)("%o fits %i columns", (draw, screenColumns) => {
  const lines = draw(screenColumns).split("\n")

  expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(screenColumns)
})

describe("saved audiences", () => {
  test("in 60 columns show whole ids and states", () => {
    expect(table(60)).toMatchInlineSnapshot(`
      "Id                                    Name       Status
      ────────────────────────────────────  ─────────  ───────────
      70865832-8a6e-409c-95c5-d15bafae1a05  Warehous…  active
      70865832-8a6e-409c-95c5-d15bafae1a05  One run    active once
      70865832-8a6e-409c-95c5-d15bafae1a05  A draft …  draft

      3 audiences
      "
    `)
  })

  test("in 80 columns also show sizes", () => {
    expect(table(80)).toMatchInlineSnapshot(`
      "Id                                    Name                   Status       People
      ────────────────────────────────────  ─────────────────────  ───────────  ──────
      70865832-8a6e-409c-95c5-d15bafae1a05  Warehouse buyers       active        1,204
      70865832-8a6e-409c-95c5-d15bafae1a05  One run                active once   1,204
      70865832-8a6e-409c-95c5-d15bafae1a05  A draft with a name …  draft

      3 audiences
      "
    `)
  })

  test("in 120 columns show everything", () => {
    expect(table(120)).toMatchInlineSnapshot(`
      "Id                                    Name                                     Status       People  Topics  Refreshed
      ────────────────────────────────────  ───────────────────────────────────────  ───────────  ──────  ──────  ─────────
      70865832-8a6e-409c-95c5-d15bafae1a05  Warehouse buyers                         active        1,204       2     2h ago
      70865832-8a6e-409c-95c5-d15bafae1a05  One run                                  active once   1,204       2     2h ago
      70865832-8a6e-409c-95c5-d15bafae1a05  A draft with a name that is rather long  draft                     2      never

      3 audiences
      "
    `)
  })

  test("an empty list says how to create one", () => {
    const none = {
      table: audienceList.table,
      rows: [],
      meta: { ...meta, total: 0 },
      now,
      screenColumns: 80,
    }

    expect(text(ListScreen<Audience>, none)).toBe(
      "There are no audiences yet.\nRun: footfall audiences create <name> --topic <id>\n",
    )
  })
})

describe("one audience", () => {
  test("shows the people in it before its configuration", () => {
    expect(view(60)).toMatchInlineSnapshot(`
      "Warehouse buyers · active

      People         1,204 people, 2h ago
      Daily refresh  for every new day of data

      Topics        Warehouse Management Software (1204), Freight
                    Visibility (3377)
      Score         70 to 100
      Overlap       at least 1 of the 2 topics
      Company size  201-500
      B2B           y
      Seniority     c_suite or vp
      Site          https://harbor-logistics.example

      Created  2026-03-11 09:02
      Updated  2026-03-11 09:02
      Id       70865832-8a6e-409c-95c5-d15bafae1a05
      "
    `)
  })

  test("says that it never ran, and since when it is paused", () => {
    const paused = { ...fresh, status: "paused", pausedAt: "2026-03-11T09:05:00.000Z" } as const
    const shown = text(AudienceView, { audience: paused, now, screenColumns: 80, timeZone: "UTC" })

    expect(shown).toContain("· paused\n")
    expect(shown).toContain("not counted yet: no run has completed")
    expect(shown).toContain("Daily refresh  off")
    expect(shown).toContain("2026-03-11 09:05")
  })
})
