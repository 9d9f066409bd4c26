import { describe, expect, it } from "vitest"
import { type PageTopics, isOnSite, siteLinks, suggestedRules } from "./topic-suggestion.ts"

const site = "https://tidewater.example"
const page = (path: string, ...topics: ReadonlyArray<readonly [number, number]>): PageTopics => ({
  url: site + path,
  title: path,
  topics: topics.map(([topicId, similarity]) => ({
    topicId,
    topicName: `Topic ${topicId}`,
    similarity,
    matchedKeyword: `word ${topicId}`,
  })),
})
const rules = (
  pages: ReadonlyArray<PageTopics>,
  present: Parameters<typeof suggestedRules>[1] = [],
) => suggestedRules(pages, present).map(({ path, topicId }) => [path, topicId])

describe("suggested rules", () => {
  it("name the page and its words as evidence, the closest first", () => {
    expect(suggestedRules([page("/tms", [1, 0.5]), page("/wms/", [2, 0.9])], [])).toEqual([
      {
        path: "/wms",
        topicId: 2,
        topicName: "Topic 2",
        evidence: { url: `${site}/wms/`, title: "/wms/", words: ["word 2"], similarity: 0.9 },
      },
      expect.objectContaining({ path: "/tms", topicId: 1 }),
    ])
  })

  it("from the home page apply only to the home page", () => {
    expect(rules([page("/", [1, 0.9])])).toEqual([["/$", 1]])
  })

  it("leave out topics that a page only mentions, and those far behind its closest topic", () => {
    expect(rules([page("/a", [1, 0.39])])).toEqual([])
    expect(rules([page("/a", [1, 0.9], [2, 0.7], [3, 0.69])])).toEqual([
      ["/a", 1],
      ["/a", 2],
    ])
    expect(rules([page("/a", [1, 0.9], [2, 0.6])])).toEqual([["/a", 1]])
  })

  it("leave out pages below a page that has the rule", () => {
    const below = page("/wms/docks", [1, 0.9])
    expect(rules([below, page("/wms", [1, 0.5])])).toEqual([["/wms", 1]])
    expect(rules([below], [{ path: "/wms", topicId: 1 }])).toEqual([])
    expect(rules([below], [{ path: "/wms", topicId: 2 }])).toEqual([["/wms/docks", 1]])
  })

  it("are at most 5 per topic, and at most 50 including the pixel's own", () => {
    const pages = Array.from({ length: 20 }, (_, at) => page(`/p${at}`, [1, 0.9], [at + 2, 0.9]))
    expect(rules(pages).filter(([, topicId]) => topicId === 1)).toHaveLength(5)
    const present = Array.from({ length: 48 }, (_, at) => ({ path: `/x${at}`, topicId: 99 }))
    expect(rules(pages, present)).toHaveLength(2)
  })
})

describe("links of a page", () => {
  const links = (...all: ReadonlyArray<string>) =>
    siteLinks({ url: `${site}/start/here`, links: all }, ({ hostname }) =>
      isOnSite(hostname, "tidewater.example"),
    )

  it("are the site's links, each once, without query and fragment", () => {
    expect(
      links(
        "/wms?a=1",
        "/wms#b",
        "tms",
        "https://www.tidewater.example/x",
        "//tidewater.example/y",
      ),
    ).toEqual([`${site}/wms`, `${site}/start/tms`, "https://www.tidewater.example/x", `${site}/y`])
  })

  it.each([
    "https://other.example/",
    "https://nottidewater.example/",
    "mailto:a@tidewater.example",
    "javascript:void(0)",
    "/privacy-policy",
    "/legal/terms",
    "/login",
    "/careers/engineer",
    "/brochure.PDF",
    "http://[",
  ])("leave out %s", (link) => {
    expect(links(link)).toEqual([])
  })
})
