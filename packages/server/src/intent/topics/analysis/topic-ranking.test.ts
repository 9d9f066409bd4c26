// How a page ranks topics, and what holds for any page and catalog.
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { keywordsOf, pageTerms } from "./page-terms.ts"
import { loadStopWords } from "./stop-words.ts"
import { indexTopics, rankTopics } from "./topic-ranking.ts"

const topic = (topicId: number, topicName: string, industry = "logistics") => ({
  topicId,
  topicName,
  industry,
  category: "software",
})

const catalog = [
  "Warehouse Management Software",
  "Data Warehouse",
  "Learning Management System",
  "Forklifts",
  "Time and Attendance",
  "Information Technology",
  "E-commerce Platform",
].map((name, place) => topic(place + 1, name))

const pageOf = (title: string, ...texts: ReadonlyArray<string>) => ({
  language: "en",
  title,
  description: null,
  name: null,
  blocks: texts.map((text) => ({ text, level: 0 })),
  links: [],
})

const ranked = (page: ReturnType<typeof pageOf>, topics = catalog) =>
  Effect.gen(function* () {
    const { english } = yield* Effect.promise(loadStopWords)
    return yield* rankTopics(yield* indexTopics(topics, english), pageTerms(page, english))
  }).pipe(Effect.runPromise)

const names = async (...parts: Parameters<typeof pageOf>) =>
  (await ranked(pageOf(...parts))).map(({ topic: { topicName } }) => topicName)

describe("topics of a page", () => {
  it("a name with the same words in the same order ranks above one with a word in common", async () => {
    expect((await names("Warehouse management software", "Our data is safe."))[0]).toBe(
      "Warehouse Management Software",
    )
    expect((await names("The data warehouse", "Manage software."))[0]).toBe("Data Warehouse")
  })

  it("a topic is also found by its other names, once, ranked by the closest name", async () => {
    const otherNames = new Map([[1, ["WMS", "warehouse control"]]])
    const found = await Effect.gen(function* () {
      const { english } = yield* Effect.promise(loadStopWords)
      const index = yield* indexTopics(catalog, english, otherNames)
      const page = pageOf("The WMS for small shops", "Our WMS and warehouse control.")
      return yield* rankTopics(index, pageTerms(page, english))
    }).pipe(Effect.runPromise)

    const topics = found.filter((one) => one.topic.topicId === 1)
    expect(topics).toHaveLength(1)
    expect(topics[0]).toMatchObject({ matchedKeyword: "wms" })
    expect(await names("The WMS for small shops")).toEqual([])
  })

  it("a topic whose rarest word is not on the page does not match, no matter how many others are", async () => {
    expect(await names("Warehouse management system", "Management system")).not.toContain(
      "Learning Management System",
    )
  })

  it("plural, case, accents and stop words make no difference", async () => {
    expect(await names("FORKLIFT")).toEqual(["Forklifts"])
    expect(await names("Attendance, time & attendances of the times")).toEqual([
      "Time and Attendance",
    ])
    expect(await names("Your ecommerce platforms")).toEqual(["E-commerce Platform"])
  })

  it("words of one name in two sentences are not a pair", async () => {
    const [together] = await ranked(pageOf("", "A data warehouse for all."))
    const [apart] = await ranked(pageOf("", "We like data. Warehouse for all."))

    expect(together!.similarity).toBeGreaterThan(apart?.similarity ?? 0)
  })

  it("the industry distinguishes two topics with one name", async () => {
    const both = [topic(1, "Time Tracking", "retail"), topic(2, "Time Tracking", "logistics")]

    const found = await ranked(pageOf("Time tracking", "For logistics."), both)

    expect(found.map(({ topic: { topicId } }) => topicId)).toEqual([2, 1])
  })

  it("a page about something else matches no topic", async () => {
    expect(await names("Our team", "We are five people and two dogs.")).toEqual([])
  })

  const word = fc.constantFrom(...catalog.flatMap(({ topicName }) => topicName.split(" ")), "dock")
  const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(" "))

  it("any page gets at most 20 topics, in order, with similarities above 0 and at most 1, matched by words on the page", async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(text, { maxLength: 5 }),
        fc.array(
          text.filter((name) => name !== ""),
          { maxLength: 40 },
        ),
        async (title, blocks, topicNames) => {
          const topics = topicNames.map((name, place) => topic(place + 1, name))
          const found = await ranked(pageOf(title, ...blocks), topics)

          expect(found.length).toBeLessThanOrEqual(20)
          const words = [title, ...blocks].join(" ").toLowerCase().replaceAll("-", "")
          found.forEach(({ matchedKeyword, similarity, topic: { topicId } }, place) => {
            expect(similarity).toBeGreaterThan(0)
            expect(similarity).toBeLessThanOrEqual(1)
            expect(words).toContain(matchedKeyword.split(" ")[0])
            const next = found[place + 1]
            if (next === undefined) return
            expect(next.similarity).toBeLessThanOrEqual(similarity)
            if (next.similarity === similarity) {
              expect(next.topic.topicId).toBeGreaterThan(topicId)
            }
          })
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe("keywords", () => {
  const keywords = (page: ReturnType<typeof pageOf>, language = "en") =>
    Effect.gen(function* () {
      const words = yield* Effect.promise(loadStopWords)
      return keywordsOf(
        pageTerms({ ...page, language }, words.english),
        words.forLanguage(language),
      )
    }).pipe(Effect.runPromise)

  it("leave out stop words of the page's language and of English", async () => {
    const page = pageOf("Der Dock und die Waage", "the dock und das Lager")

    expect(await keywords(page, "de-AT")).toEqual(["dock", "waage", "lager"])
    expect(await keywords(page, "en")).toContain("der")
  })

  it("words of the title and frequent words come first; a pair replaces its words", async () => {
    const page = pageOf("Dock scheduling", "Yard yard yard. Dock scheduling. Trailer.")

    expect(await keywords(page)).toEqual(["dock scheduling", "yard", "trailer"])
  })

  it("numbers and single letters are not keywords", async () => {
    expect(await keywords(pageOf("2026 x 24 7 dock"))).toEqual(["dock"])
  })
})
