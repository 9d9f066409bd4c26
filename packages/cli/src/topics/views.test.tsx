// Topic and audience screens as text, at several widths.

import type { StoredSiteAnalysis, Topic, TopicList } from "@footfall/sdk"
import fc from "fast-check"
import type { ComponentType } from "react"
import { describe, expect, test } from "vitest"
import { stripVTControlCharacters } from "node:util"
import {
  analysis,
  comparisons,
  crm,
  facets,
  freight,
  movers,
  preview,
  trend,
  warehouse,
} from "../../test/fixtures/intent-records.ts"
import {
  AudienceFiltersView,
  AudiencePreviewView,
  AudienceValidationView,
} from "../audiences/views.tsx"
import { topicListList } from "../topic-lists/topic-lists.ts"
import { TopicListView } from "../topic-lists/views.tsx"
import { textWidth } from "../ui/column-widths.ts"
import { drawn } from "../ui/drawn.ts"
import { ListScreen } from "../ui/list-screen.tsx"
import { analysisList, foundTopicList, topicCatalog } from "./topics.ts"
import {
  SiteAnalysisView,
  TopicComparisonView,
  TopicFacetsView,
  TopicMoversView,
  TopicTrendView,
} from "./views.tsx"

const text = <Props extends { readonly screenColumns: number }>(
  screen: ComponentType<Props>,
  props: Props,
): string => stripVTControlCharacters(drawn(screen, props, props.screenColumns))

const url = "https://harbor-logistics.example"
const names = new Map([warehouse, freight].map(({ topicId, topicName }) => [topicId, topicName]))
const config = {
  topicIds: [1204, 3377],
  minTopicOverlap: 2,
  filters: { seniority: ["vp", "c_suite"], hasPhone: true, hasLinkedin: false, state: null },
} as const

const filters = {
  companyIndustry: Array.from({ length: 40 }, (_, index) => `industry ${index}`),
  seniority: ["owner", "vp"],
  companySize: [],
  department: [],
  state: [],
  companyRevenueRange: [],
  ageRange: [],
  gender: [],
  isB2b: [],
}

const topicList = {
  id: "6c1f0a52-7f43-4a5e-9d0c-0d8f3c3b9a11",
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  name: "Warehouse",
  topicIds: [1204, 99],
  createdAt: "2026-03-11T08:00:00.000Z",
  updatedAt: "2026-03-11T08:00:00.000Z",
}

const listMeta = {
  total: 1,
  limit: 50,
  offset: 0,
  hasMore: false,
  nextCursor: null,
  timestamp: "",
  request_id: "",
}

/** Every screen with a lot of content. */
const screens: Readonly<Record<string, (screenColumns: number) => string>> = {
  topics: (screenColumns) =>
    text(ListScreen<Topic>, {
      table: topicCatalog.table,
      rows: [warehouse, freight, crm],
      meta: { total: 20_000, hasMore: true },
      now: new Date(0),
      screenColumns,
    }),
  trend: (screenColumns) => text(TopicTrendView, { topicId: 1204, points: trend, screenColumns }),
  comparison: (screenColumns) =>
    text(TopicComparisonView, { comparisons, unknownTopicIds: [7], screenColumns }),
  movers: (screenColumns) => text(TopicMoversView, { movers, direction: "up", screenColumns }),
  facets: (screenColumns) => text(TopicFacetsView, { facets, screenColumns }),
  analysis: (screenColumns) => text(SiteAnalysisView, { url, analysis, screenColumns }),
  preview: (screenColumns) =>
    text(AudiencePreviewView, { preview, config, names: { topics: names }, screenColumns }),
  filters: (screenColumns) =>
    text(AudienceFiltersView, { filters, names: ["companyIndustry", "seniority"], screenColumns }),
  lists: (screenColumns) =>
    text(ListScreen<TopicList>, {
      table: topicListList.table,
      rows: [topicList],
      meta: listMeta,
      now: new Date("2026-03-11T09:00:00.000Z"),
      screenColumns,
    }),
  analyses: (screenColumns) =>
    text(ListScreen<StoredSiteAnalysis>, {
      table: analysisList.table,
      rows: [
        { ...analysis, id: topicList.id, url, createdAt: topicList.createdAt },
        { ...analysis, id: "", url, createdAt: topicList.createdAt, topics: [], company: null },
      ],
      meta: { ...listMeta, total: 2 },
      now: new Date("2026-03-11T09:00:00.000Z"),
      screenColumns,
    }),
  list: (screenColumns) => text(TopicListView, { topicList, names, screenColumns }),
}

test.each(
  Object.entries(screens).flatMap(([name, draw]) =>
    [60, 80, 120].map((screenColumns) => [name, screenColumns, draw] as const),
  ),
)("the %s screen fits %i columns", (_name, screenColumns, draw) => {
  const lines = draw(screenColumns).split("\n")

  expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(screenColumns)
})

describe("topics", () => {
  test("show whole ids and the total", () => {
    expect(screens["topics"]?.(60)).toMatchInlineSnapshot(`
      "  Id  Topic                          Type  Industry
      ────  ─────────────────────────────  ────  ──────────
      1204  Warehouse Management Software  b2b   logistics
      3377  Freight Visibility             b2b   logistics
        12  CRM Software                   both  technology

      3 of 20,000 topics · more: --limit, or --all
      "
    `)
  })

  test("an empty list says what to try", () => {
    const meta = { total: 0, hasMore: false }

    expect(
      text(ListScreen<Topic>, {
        table: foundTopicList.table,
        rows: [],
        meta,
        now: new Date(0),
        screenColumns: 80,
      }),
    ).toBe("No topics found.\nTry other words, or run: footfall topics list\n")
  })
})

describe("a trend", () => {
  test("is a line chart with dates, the newest figure and its parts", () => {
    expect(screens["trend"]?.(60)).toMatchInlineSnapshot(`
      "Warehouse Management Software · 1204 · b2b · logistics ·
      software
      1,248 people on 2026-03-10, +38.7% since 2026-02-09

      1,500 ┤
            │                                                  ⢀⣀⡀
            │                         ⢀⣀⣀⣀⣀⠤⠤⢤    ⢀⠖⠒⠒⠊⠉⠉⠉⢹    ⡸
      1,000 ┤ ⣀⣀⣀⣀⣀⡠⢄    ⢰⠒⠒⠒⠒⠒⠋⠉⢣    ⡎       ⢇   ⡜        ⢇  ⢠⠃
            │⠉      ⠈⡆  ⢀⠎       ⠈⡆  ⡸        ⠘⡄ ⢠⠃        ⠸⡀ ⡜
            │        ⠸⡀ ⡜         ⢸⣀⣠⠃         ⠑⠒⠊          ⠉⠉⠁
        500 ┤         ⠉⠉⠁
            │
            │
          0 ┤
             2026-02-09            2026-02-24           2026-03-10

      Score 90 to 100  250  ███████▋
      Score 70 to 89   624  ███████████████████
      Score under 70   374  ███████████▍

      Average score   71.25
      Signals         1,747
      Days with data  30
      "
    `)
  })

  test("without data says what to do", () => {
    expect(text(TopicTrendView, { topicId: 7, points: [], screenColumns: 80 })).toBe(
      "Topic 7 has no data for these days.\nTry other --from and --to. To load data: footfall import signals <file>\n",
    )
  })

  test("with one day shows no change", () => {
    const shown = text(TopicTrendView, {
      topicId: 1204,
      points: trend.slice(-1),
      screenColumns: 80,
    })

    expect(shown).toContain("1,248 people on 2026-03-10\n")
  })
})

describe("a comparison", () => {
  test("has bars for the newest day, and a line chart for each topic", () => {
    expect(screens["comparison"]?.(60)).toMatchInlineSnapshot(`
      "People on the latest day (2026-03-10)
      Warehouse Management So…  1,248  +38.7%  ███████████████████
      Freight Visibility           56    +40%  ▉

      Warehouse Management Software · 1204
      1,300 ┤                                               ⣀⣀⣀⡠⠤⠄
            │                              ⢀⣀⣀⣀⡠⠤⠤⠤⠔⠒⠒⠒⠊⠉⠉⠉⠉
            │              ⣀⣀⣀⣀⡠⠤⠤⠤⠒⠒⠒⠒⠊⠉⠉⠉⠁
        900 ┤⣀⣀⡠⠤⠤⠤⠔⠒⠒⠒⠊⠉⠉⠉
             2026-02-09            2026-02-24           2026-03-10

      Freight Visibility · 3377
      60 ┤  ⢀⣀⠤⠴⠒⠒⠊⠉⠉⠉⠉⠉⠉⠉⠒⠒⠤⠤⣀⣀                             ⣀⠤⠤⠔⠂
         │⠒⠉⠁                   ⠉⠑⠒⠤⠤⣀⡀               ⢀⣀⡠⠤⠒⠊⠉
         │                            ⠈⠉⠒⠒⠢⠤⠤⠤⠤⠤⠤⠔⠒⠒⠊⠉⠁
       0 ┤
          2026-02-09             2026-02-24             2026-03-10

      The change is over the days shown. Each line has its own
      scale.
      Without data: CRM Software
      Not found: 7
      "
    `)
  })

  test("shows two lines side by side if there is room", () => {
    expect(screens["comparison"]?.(120)).toMatch(/Software · 1204 +Freight Visibility · 3377/)
    expect(screens["comparison"]?.(103)).not.toMatch(/Software · 1204 +Freight/)
  })

  test("without topics says so", () => {
    const props = { comparisons: [], unknownTopicIds: [7, 8], screenColumns: 80 }

    expect(text(TopicComparisonView, props)).toContain("Not found: 7, 8")
  })
})

describe("movers", () => {
  test("show their change as bars", () => {
    expect(screens["movers"]?.(80)).toMatchInlineSnapshot(`
      "  Id  Topic                       Industry   Before  Latest  Change
      ────  ──────────────────────────  ─────────  ──────  ──────  ───────────────────
      3377  Freight Visibility          logistics      40      91  +128% █████████████
      1204  Warehouse Management Soft…  logistics   1,200   1,248    +4% ▍

      2 topics · people on the last two days with data · more: --limit, or --all
      "
    `)
  })

  test("keep their bars on a narrow screen", () => {
    expect(screens["movers"]?.(60)).toMatch(/\+128% █{10}/)
  })

  test.each([
    ["up", "No topic went up between the last two days with data.\nTry: --direction down"],
    ["down", "No topic went down between the last two days with data.\nTry: --direction up"],
  ] as const)("say so if no topic went %s", (direction, sentence) => {
    expect(text(TopicMoversView, { movers: [], direction, screenColumns: 80 })).toContain(sentence)
  })
})

test("facets show the largest values, and how to see the others", () => {
  const shown = screens["facets"]?.(80)

  expect(shown).toMatch(/340 topics\n\nType\nb2b {3}250 {2}█{40}\n/)
  expect(shown).toContain("industry 19")
  expect(shown).not.toContain("industry 20")
  expect(shown).toContain("4 more: --output csv")
})

test("an analysis shows the page, and its topics with their similarity", () => {
  expect(screens["analysis"]?.(80)).toMatchInlineSnapshot(`
    "Harbor Logistics

    Page      https://harbor-logistics.example
    Summary   Freight forwarding and warehousing on the west coast, with live
              tracking of every load.
    Keywords  freight, warehouse, tracking

      Id  Topic                          Similarity        Matched on  Industry
    ────  ─────────────────────────────  ────────────────  ──────────  ─────────
    3377  Freight Visibility             0.91 ██████████▉  freight     logistics
    1204  Warehouse Management Software  0.50 ██████       warehouse   logistics
    "
  `)
})

test("an analysis that finds nothing says so", () => {
  const nothing = { company: null, summary: null, keywords: [], topics: [], contentHash: null }

  const shown = text(SiteAnalysisView, { url, analysis: nothing, screenColumns: 80 })

  expect(shown).toContain(`${url}\n\nPage`)
  expect(shown).toContain("No topic matches this page")
})

describe("a preview", () => {
  const shown = (changes: Partial<typeof preview>, screenColumns = 80) =>
    text(AudiencePreviewView, {
      preview: { ...preview, ...changes },
      config,
      names: { topics: names },
      screenColumns,
    })

  test("shows the count with its date, the configuration, people, and the scores of the sample", () => {
    const lines = shown({})

    expect(lines).toContain("1,204 people on 2026-03-10")
    expect(lines).toContain(
      "Topics     Warehouse Management Software (1204), Freight Visibility (3377)",
    )
    expect(lines).toContain("Overlap    all 2 topics")
    expect(lines).toContain("Seniority  vp or c_suite")
    expect(lines).toContain("Phone      must have one")
    expect(lines).toContain("LinkedIn   must not have one")
    expect(lines).not.toContain("State")
    expect(lines).toMatch(/ 100 {2}j\*\*\*@harbor-logistics/)
    expect(lines).toMatch(/ 100 {2}#000000000000/)
    expect(lines).toContain("The 20 highest scores, with masked email addresses. --json has 50.")
    expect(lines).toContain("Scores of the sample: the 50 highest, not all 1,204")
    expect(lines).toMatch(/95 to 100 {2}24 {2}█+\n90 to 94 {3}20 {2}█+/)
  })

  test("with few people says that these are all", () => {
    const lines = shown({ totalCount: 2, sample: preview.sample.slice(0, 2) })

    expect(lines).toContain("Everyone who matches, with masked email addresses.")
    expect(lines).toContain("\nScores\n")
  })

  test("without matches says what to try", () => {
    expect(shown({ totalCount: 0, sample: [] })).toContain(
      "No one matches. Try a lower --min-score, or a lower --overlap, or fewer filters.",
    )
  })

  test("without matches suggests other fields for a filter's value", () => {
    const meaning = "No one has --industry logistics; it is an industry of topics."
    const props = { config, names: { topics: new Map() }, screenColumns: 80, meanings: [meaning] }
    const none = { ...preview, totalCount: 0, sample: [] }

    expect(text(AudiencePreviewView, { ...props, preview: none })).toContain(meaning)
    expect(text(AudiencePreviewView, { ...props, preview })).not.toContain(meaning)
  })
})

test("a preview of a segment alone has no scores and topics, and says how many of the people are shown", () => {
  const sample = Array.from({ length: 25 }, (_, n) => ({
    ...preview.sample[0]!,
    hem: String(n).padStart(64, "0"),
    intentScore: null,
    topicId: null,
  }))
  const shown = text(AudiencePreviewView, {
    preview: { ...preview, totalCount: 62, sample },
    config: { segmentId: "5e65e65e-0000-4000-8000-000000000001" },
    names: { segment: "Read pricing twice", topics: names },
    screenColumns: 80,
  })

  expect(shown).toContain("Segment  Read pricing twice")
  expect(shown).not.toMatch(/Score|Topic|highest/)
  expect(shown).toContain("20 of them, with masked email addresses. --json has 25.")
})

test("a valid configuration is shown in its normal form", () => {
  const validation = {
    valid: true,
    configHash: "ab".repeat(32),
    normalizedConfig: {
      ...config,
      segmentId: "5e65e65e-0000-4000-8000-000000000001",
      minScore: 80,
      maxScore: 90,
      filters: { state: "CA" },
    },
    appliedFilters: ["state"],
  } as const

  const shown = text(AudienceValidationView, {
    validation,
    names: { segment: "Read pricing twice", topics: names },
    screenColumns: 80,
  })

  expect(shown).toContain("The configuration is valid.")
  expect(shown).toMatch(/Segment +Read pricing twice\n/)
  expect(shown).toMatch(/Score {4}80 to 90\n.*\nState {4}CA\nHash {5}abab/)
})

describe("filters", () => {
  test("are shortened if there are several, and complete if there is one", () => {
    const shown = (alone: boolean) =>
      text(AudienceFiltersView, {
        filters,
        names: alone ? ["companyIndustry"] : ["companyIndustry", "companySize"],
        screenColumns: 80,
      })

    expect(shown(false)).toContain("10 more: footfall audiences filters companyIndustry")
    expect(shown(false)).toContain("There are no values in the data yet.")
    expect(shown(true)).toContain("industry 39")
  })

  test("are bars if they have counts", () => {
    const counts = Object.fromEntries(Object.keys(filters).map((name) => [name, []]))
    const seniority = [{ value: "vp", label: "VP", count: 1_204 }]
    const all = { ...filters, ...counts, seniority } as const

    const shown = text(AudienceFiltersView, {
      // The other lists are empty, so they are valid as lists of counts.
      filters: all as never,
      names: ["seniority"],
      screenColumns: 60,
    })

    expect(shown).toMatch(/Seniority · seniority\nvp {2}1,204 {2}█+/)
  })
})

test("analyses show the page, the most similar topics and when it was read", () => {
  expect(screens["analyses"]?.(100)).toMatchInlineSnapshot(`
    "Page                              Company           Topics                                      Read
    ────────────────────────────────  ────────────────  ────────────────────────────────────────  ──────
    https://harbor-logistics.example  Harbor Logistics  Freight Visibility, Warehouse Managemen…  1h ago
    https://harbor-logistics.example                    none                                      1h ago

    2 analyses
    "
  `)
})

test("a topic list names the known topics", () => {
  expect(screens["list"]?.(80)).toMatch(/1204 {2}Warehouse Management Software\n {2}99/)
})

test("untrusted text cannot control the terminal", () => {
  const word = fc.string({ unit: "binary", maxLength: 60 }).map((given) => `\u001B[2J${given}\r\n`)
  const controls = /[^\P{Cc}\n]/u

  fc.assert(
    fc.property(word, word, fc.integer({ min: 60, max: 160 }), (one, other, screenColumns) => {
      const topic = { ...warehouse, topicName: one, industry: other, category: one }
      const shown = [
        drawn(
          ListScreen<Topic>,
          {
            table: foundTopicList.table,
            rows: [topic],
            meta: { total: 1, hasMore: false },
            now: new Date(0),
            screenColumns,
          },
          screenColumns,
        ),
        drawn(
          TopicTrendView,
          {
            topicId: 1,
            points: trend.map((day) => ({ ...day, topicName: one, industry: other })),
            screenColumns,
          },
          screenColumns,
        ),
        drawn(
          TopicMoversView,
          {
            movers: movers.map((mover) => ({ ...mover, topicName: one, industry: other })),
            direction: "down",
            screenColumns,
          },
          screenColumns,
        ),
        drawn(
          SiteAnalysisView,
          {
            url: one,
            analysis: {
              ...analysis,
              company: other,
              summary: one,
              keywords: [other],
              topics: [{ ...topic, similarity: 0.5, matchedKeyword: other }],
            },
            screenColumns,
          },
          screenColumns,
        ),
      ].join("")

      expect(shown).not.toContain("\u001B[2J")
      expect(stripVTControlCharacters(shown)).not.toMatch(controls)
    }),
    { numRuns: 15 },
  )
})
