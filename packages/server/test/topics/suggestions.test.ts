// Suggested topic rules (spec 19.2): pages of the pixel's own site, read through the guard.
import { Footfall, type TopicSuggestions } from "@footfall/sdk"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type SiteServer, startSiteServer } from "./analysis/site-server.ts"

let site: SiteServer
let sdk: Footfall
let requested: Array<string>
beforeAll(async () => {
  site = await startSiteServer()
  sdk = new Footfall({
    baseUrl: site.database.url,
    apiKey: site.database.apiKey,
    fetch: (request) => site.server.fetch(request),
  })
})
afterAll(() => site.close())

const html = (title: string, text: string, ...links: ReadonlyArray<string>) =>
  `<title>${title}</title><nav>${links.map((link) => `<a href="${link}">x</a>`).join("")}</nav>
   <h1>${title}</h1><p>${text}</p>`

/** Serves the pages by path. Any other path is a 404. */
const serve = (pages: Readonly<Record<string, string>>) => {
  requested = []
  site.serve((request, response) => {
    const path = request.url ?? "/"
    requested.push(path)
    const page = pages[path]
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html" })
    response.end(page ?? "")
  })
}
const suggest = (url?: string): Promise<TopicSuggestions> =>
  sdk.pixels.suggestTopics(site.database.pixelId, { url })
const home = () => `http://127.0.0.1:${site.site.port}`

const wms = html(
  "Warehouse Management Software",
  "Our warehouse management software plans picking. Warehouse management software for docks.",
)

it("suggests rules from the pages that the home page links to, with the page and its words", async () => {
  serve({
    "/": html("Tidewater", "We move things.", "/wms", "/about", "/gone", "https://other.example/"),
    "/wms": wms,
    "/about": html("About us", "Two people and a dog.", "/team"),
    "/team": html("The team", "Five people."),
  })

  const { pages, rules } = await suggest()

  expect(rules[0]).toMatchObject({
    path: "/wms",
    topicId: 1204,
    topicName: "Warehouse Management Software",
    evidence: { url: `${home()}/wms`, words: ["warehouse management"] },
  })
  expect(rules.map(({ path }) => path)).not.toContain("/about")
  expect(pages).toContainEqual({ url: `${home()}/gone`, title: null, unreadable: "status" })
  expect(pages).toContainEqual({ url: `${home()}/team`, title: "The team", unreadable: null })
})

it("leaves out rules that the pixel already has, and stores nothing", async () => {
  serve({ "/": html("Tidewater", "We move things.", "/wms"), "/wms": wms })
  const { pixelId } = site.database
  const { rules } = await suggest()
  const topicRules = rules.map(({ path, topicId }) => ({ path, topicId }))
  expect((await sdk.pixels.get(pixelId)).settings.topicRules).toEqual([])

  await sdk.pixels.update(pixelId, { settings: { topicRules } })

  expect(topicRules).not.toEqual([])
  expect((await suggest()).rules).toEqual([])
  await sdk.pixels.update(pixelId, { settings: { topicRules: [] } })
})

it("reads at most 20 pages", async () => {
  const links = Array.from({ length: 60 }, (_, at) => `/p${at}`)
  serve(
    Object.fromEntries([
      ["/", html("Tidewater", "We move things.", ...links)],
      ...links.map((link) => [link, html("Page", "A page.", ...links)] as const),
    ]),
  )

  const { pages } = await suggest()

  expect(pages).toHaveLength(20)
  expect(requested).toHaveLength(20)
})

it("starts with the requested page, and returns 400 for one on another site", async () => {
  serve({ "/wms": wms })

  expect((await suggest(`${home()}/wms`)).pages.map(({ url }) => url)).toEqual([`${home()}/wms`])
  await expect(suggest("https://other.example/")).rejects.toMatchObject({
    status: 400,
    details: { issues: [{ path: "/body/url", code: "url_not_allowed" }] },
  })
})

it("returns 400 if the first page redirects to another site", async () => {
  site.serve((request, response) => {
    const isElsewhere = request.headers.host?.startsWith("localhost")
    if (isElsewhere) return void response.writeHead(200, { "content-type": "text/html" }).end(wms)
    response.writeHead(302, { location: `http://localhost:${site.site.port}/wms` }).end()
  })

  await expect(suggest()).rejects.toMatchObject({
    status: 400,
    details: { issues: [{ path: "/body/url", code: "url_not_allowed" }] },
  })
})

it("fails like an analysis if the first page cannot be read", async () => {
  serve({})

  await expect(suggest()).rejects.toMatchObject({
    code: "SITE_UNREADABLE",
    details: { reason: "status" },
  })
})
