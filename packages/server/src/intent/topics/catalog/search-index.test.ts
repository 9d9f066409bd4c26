// How search tolerates mistakes and ranks topics (spec 5.7).
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Topic } from "../topic.ts"
import { buildSearchIndex, searchTopics, type SearchQuestion } from "./search-index.ts"
import { foldTopic } from "./topic-filter.ts"

type Sketch =
  | string
  | (Partial<Topic> & { readonly topicName: string; readonly words?: ReadonlyArray<string> })

/** Topics by name, in catalog order; the first is the most popular. */
const catalog = (sketches: ReadonlyArray<Sketch>) => {
  const topics = sketches.map((sketch, at) => {
    const { words = [], ...topic }: Exclude<Sketch, string> =
      typeof sketch === "string" ? { topicName: sketch } : sketch
    const base = { topicId: at + 1, type: "b2b", industry: "", category: "" } as const
    return foldTopic({ ...base, ...topic }, words)
  })
  const index = Effect.runPromise(buildSearchIndex(topics))
  const preference = Uint32Array.from(topics.keys())
  return async (q: string, more: Partial<SearchQuestion> = {}) =>
    searchTopics(await index, preference, { q, limit: 10, ...more }).map(
      ({ topic }) => topic.topicName,
    )
}

const names = [
  "Warehouse Management Software",
  "Customer Data Platform",
  "Cybersecurity",
  "Fleet Insurance",
  "CRM",
  "Café Supplies",
]
const find = catalog(names)

describe("finds a topic", () => {
  it.each([
    ["by its name", "customer data platform", "Customer Data Platform"],
    ["in any case", "CYBERSECURITY", "Cybersecurity"],
    ["without accents", "cafe supplies", "Café Supplies"],
    ["with accents that the name lacks", "Flèet Insurance", "Fleet Insurance"],
    ["by one word", "warehouse", "Warehouse Management Software"],
    ["by the beginning of a word", "cybersec", "Cybersecurity"],
    ["by the beginnings of several words", "war man", "Warehouse Management Software"],
    ["in another order of words", "software management warehouse", "Warehouse Management Software"],
    ["with a letter missing", "warehose management", "Warehouse Management Software"],
    ["with a letter too many", "fleeet insurance", "Fleet Insurance"],
    ["with another letter", "custamer data", "Customer Data Platform"],
    ["with two letters swapped", "felet insurance", "Fleet Insurance"],
    ["with the first letters swapped", "lfeet", "Fleet Insurance"],
    ["with the last letters swapped", "warehosue", "Warehouse Management Software"],
    ["with two letters of a short name swapped", "cmr", "CRM"],
    ["with two typos in a long word", "cibersecurty", "Cybersecurity"],
    ["with punctuation", "customer-data, platform!", "Customer Data Platform"],
    ["with a word that no topic has", "best crm", "CRM"],
  ])("%s", async (_, q, name) => {
    expect((await find(q))[0]).toBe(name)
  })

  it.each(["", " ", "!?", "zzzz", "cm", "xy"])("but not by %j", async (q) => {
    expect((await find(q)).filter((name) => name === "CRM")).toEqual([])
  })

  it("but not with two typos in a short word", async () => {
    expect(await find("flaat")).toEqual([])
  })
})

it("distinguishes C++, C# and C", async () => {
  const search = catalog(["C++ Courses", "C# Courses", "C Courses"])

  expect((await search("c++"))[0]).toBe("C++ Courses")
  expect((await search("C#"))[0]).toBe("C# Courses")
  expect((await search("c"))[0]).toBe("C Courses")
})

it("finds a topic by its other names, ranked below topics whose own name has the word", async () => {
  const search = catalog([
    { topicName: "Transportation Management System", words: ["TMS", "carrier management"] },
    "TMS Courses",
  ])

  expect(await search("tms")).toEqual(["TMS Courses", "Transportation Management System"])
  expect(await search("carrier")).toEqual(["Transportation Management System"])
})

describe("ranks", () => {
  it("the name itself above names that begin with it, and those above names that contain it", async () => {
    const search = catalog(["Retail Banking", "Banking Software", "Banking"])

    expect(await search("banking")).toEqual(["Banking", "Banking Software", "Retail Banking"])
  })

  it("the word above a word that begins with it, and that above a typo", async () => {
    const search = catalog(["A Sake", "A Salesperson", "A Sales"])

    expect(await search("sales")).toEqual(["A Sales", "A Salesperson"])
    expect(await search("sale")).toEqual(["A Salesperson", "A Sales", "A Sake"])
  })

  it("no typos for a word that a topic has", async () => {
    const search = catalog(["Keyword Ranking", "Open Banking"])

    expect(await search("banking")).toEqual(["Open Banking"])
    expect(await search("anking")).toEqual(["Keyword Ranking", "Open Banking"])
  })

  it("a word in the name above one in industry or category, and that above a typo", async () => {
    const search = catalog([
      "Keyword Ranking",
      { topicName: "Loans", category: "Bankings" },
      { topicName: "Mortgages", industry: "Bankings" },
      "Open Bankings",
    ])

    expect(await search("banking")).toEqual([
      "Open Bankings",
      "Loans",
      "Mortgages",
      "Keyword Ranking",
    ])
  })

  it("one typo above two", async () => {
    const search = catalog(["X Cybersocuraty", "X Cybersecuraty"])

    expect(await search("cybersecurity")).toEqual(["X Cybersecuraty", "X Cybersocuraty"])
  })

  it("names without further words first, among equals", async () => {
    const search = catalog(["Fleet Software for Banking", "Fleet Software"])

    expect(await search("flet software")).toEqual(["Fleet Software", "Fleet Software for Banking"])
  })

  it("popular topics first, among equals", async () => {
    const topics = ["Rail A", "Rail B", "Rail C"].map((topicName, at) =>
      foldTopic({ topicId: at, topicName, type: "b2b", industry: "", category: "" }),
    )
    const index = await Effect.runPromise(buildSearchIndex(topics))
    const found = searchTopics(index, Uint32Array.from([1, 2, 0]), { q: "rail", limit: 2 })

    expect(found.map(({ topic }) => topic.topicName)).toEqual(["Rail C", "Rail A"])
  })

  it("and leaves out topics when others have more of the words", async () => {
    const search = catalog(["Data Lake", "Data Platform", "Lake House"])

    expect(await search("data lake")).toEqual(["Data Lake"])
    expect(await search("data sea")).toEqual(["Data Lake", "Data Platform"])
  })
})

describe("filters", () => {
  const search = catalog([
    { topicName: "Rail One", type: "b2b", industry: "Transport" },
    { topicName: "Rail Two", type: "b2c", industry: "Travel" },
    { topicName: "Rail Three", type: "both", industry: "TRAVEL" },
    { topicName: "Rail", type: "b2b", industry: "Transport" },
  ])

  it("by type, with topics of both, and by industry without case", async () => {
    expect(await search("rail", { type: "b2c" })).toEqual(["Rail Two", "Rail Three"])
    expect(await search("rail", { industry: "travel" })).toEqual(["Rail Two", "Rail Three"])
    expect(await search("rail", { type: "both", industry: "travel" })).toEqual(["Rail Three"])
    expect(await search("rail", { industry: "" })).toHaveLength(4)
  })

  it("before it looks for the topics with the most words", async () => {
    expect(await search("rail one", { type: "b2c" })).toEqual(["Rail Two", "Rail Three"])
  })

  it("and limits the number of results", async () => {
    expect(await search("rail", { limit: 1 })).toEqual(["Rail"])
    expect(await search("rail", { limit: 3 })).toHaveLength(3)
  })
})

const letters = fc.string({ unit: fc.constantFrom(..."abcdefghij"), minLength: 5, maxLength: 9 })

describe("for any name", () => {
  const typos: Readonly<Record<string, (word: string, at: number) => string>> = {
    missing: (word, at) => word.slice(0, at) + word.slice(at + 1),
    doubled: (word, at) => word.slice(0, at) + word[at] + word.slice(at),
    other: (word, at) => `${word.slice(0, at)}z${word.slice(at + 1)}`,
    swapped: (word, at) => word.slice(0, at) + (word[at + 1] ?? "") + word[at] + word.slice(at + 2),
    none: (word) => word,
    beginning: (word, at) => word.slice(0, at + 1),
  }

  it("one typo in each word, a beginning, and any order of words find it", async () => {
    const words = fc.uniqueArray(letters, { minLength: 1, maxLength: 4 })
    const slip = fc.tuple(fc.constantFrom(...Object.keys(typos)), fc.nat(3))
    const noise = fc.array(letters, { maxLength: 5 })
    const slips = fc.array(slip, { minLength: 4, maxLength: 4 })

    await fc.assert(
      fc.asyncProperty(words, slips, noise, fc.boolean(), async (name, made, others, isTurned) => {
        const search = catalog([...others, name.join(" ")])
        const asked = name.map((word, at) => typos[made[at]![0]]!(word, made[at]![1]))

        const found = await search((isTurned ? asked.toReversed() : asked).join(" "), { limit: 50 })

        expect(found).toContain(name.join(" "))
      }),
    )
  })

  it("the exact name always finds its topic first", async () => {
    const name = fc.array(letters, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "))

    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 20 }), async (all) => {
        const search = catalog(all)
        for (const each of all) expect((await search(each.toUpperCase()))[0]).toBe(each)
      }),
    )
  })
})
