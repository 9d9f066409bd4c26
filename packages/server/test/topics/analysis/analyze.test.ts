// POST /v1/intent/topics/analyze (spec 5.7): valid requests, sites that cannot be read and why, and results for
// sites that can. The sites run on a web server on this machine.
import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, fixture, page, type SiteServer, startSiteServer } from "./site-server.ts"

let sites: SiteServer
beforeAll(async () => {
  sites = await startSiteServer()
})
afterAll(() => sites.close())

const analysisOf = async (answer: Answer) => {
  sites.serve(answer)
  const { body, status } = await sites.analyze()
  expect(body.error).toBeUndefined()
  expect(status).toBe(200)
  return body.data
}

const reasonOf = async (answer: Answer) => {
  sites.serve(answer)
  const { body, status } = await sites.analyze()
  expect([status, body.error?.code]).toEqual([422, "SITE_UNREADABLE"])
  return body.error.details.reason
}

const issuesOf = async (body: unknown) => {
  const answer = await sites.analyze(body)
  expect([answer.status, answer.body.error?.code]).toEqual([400, "VALIDATION_ERROR"])
  return answer.body.error.details.issues?.map(({ code, path }) => `${path} ${code}`)
}

describe("the request", () => {
  it.each([
    [{}, "/body/url required"],
    [{ url: 7 }, "/body/url type"],
    [{ url: "acme.example" }, "/body/url format"],
    [{ url: "https://[broken]/" }, "/body/url format"],
    [{ url: "https://acme.example/", depth: 3 }, "/body/depth unknown_field"],
    [{ url: "ftp://acme.example/" }, "/body/url url_not_allowed"],
    [{ url: "javascript:alert(1)" }, "/body/url url_not_allowed"],
    [{ url: "https://user:word@acme.example/" }, "/body/url url_not_allowed"],
    [{ url: `https://acme.example/${"a".repeat(2028)}` }, "/body/url url_not_allowed"],
  ])("%j is 400: %s", async (body, issue) => {
    expect(await issuesOf(body)).toEqual([issue])
  })

  it("a URL has at least 10 characters after trimming", async () => {
    expect(await issuesOf({ url: "  http://a.   " })).toEqual(["/body/url min_length"])
    // Ten characters are enough, and that host doesn't exist.
    expect((await sites.analyze({ url: " http://a.b " })).status).toBe(422)
  })

  it("an unknown query parameter is ignored, as in all of the intent API", async () => {
    sites.serve(page("<p>Dock scheduling</p>"))
    const response = await sites.server.fetch(
      `${sites.database.url}/v1/intent/topics/analyze?campaign=x`,
      {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ url: `http://127.0.0.1:${sites.site.port}/` }),
      },
    )

    expect(response.status).toBe(200)
  })
})

describe("a site that cannot be read is 422 with its reason", () => {
  const text = "<p>Dock scheduling for warehouses</p>"
  const html = { "content-type": "text/html" }

  it.each<readonly [string, string, Answer]>([
    ["status", "404", page(text, html, 404)],
    ["status", "500", page(text, html, 500)],
    ["status", "a redirect to nowhere", page(text, { ...html, location: "http://[" }, 302)],
    ["not_html", "JSON", page("{}", { "content-type": "application/json" })],
    ["not_html", "a picture", page("GIF89a", { "content-type": "image/gif" })],
    ["not_html", "plain text", page(text, { "content-type": "text/plain" })],
    ["not_html", "a type that only starts with it", page(text, { "content-type": "text/htmlx" })],
    [
      "not_html",
      "an encoding that was not requested",
      page(text, { ...html, "content-encoding": "br" }),
    ],
    ["too_large", "2 MiB and a byte", page(`${text}${" ".repeat(2 * 1024 * 1024)}`)],
    ["empty", "nothing", page("")],
    ["empty", "a page without text", page("<html><body><img src=a.png></body></html>")],
    ["empty", "only a title", page("<title>Loading</title><div id=root></div>")],
    ["empty", "only scripts and menus", page("<nav>Home</nav><script>let a</script>")],
    ["empty", "a page without content", page("", html, 204)],
    ["unreachable", "a connection that closes early", (_, response) => void response.destroy()],
  ])("%s: %s", async (reason, _, answer) => {
    expect(await reasonOf(answer)).toBe(reason)
  })

  it("unreachable: nothing listens, or the name does not resolve", async () => {
    for (const url of ["http://127.0.0.1:9/", "https://nobody.invalid/"]) {
      const { body, status } = await sites.analyze({ url })
      expect([status, body.error.details.reason]).toEqual([422, "unreachable"])
    }
  })

  it("unreachable: four redirects; three are followed", async () => {
    const after = (redirects: number): Answer => {
      let left = redirects
      return (request, response) =>
        left-- > 0
          ? void response.writeHead(302, { location: `/${left}` }).end()
          : page(text)(request, response)
    }

    expect((await analysisOf(after(3))).summary).toBe("Dock scheduling for warehouses")
    expect(await reasonOf(after(4))).toBe("unreachable")
  })

  it("timeout: no response within 10 seconds", async () => {
    expect(await reasonOf(() => undefined)).toBe("timeout")
  })

  it("a page of 2 MiB is read", async () => {
    const size = 2 * 1024 * 1024
    const analysis = await analysisOf(page(text + " ".repeat(size - text.length)))

    expect(analysis.keywords).toContain("dock")
  })
})

describe("the guard (spec 1.9)", () => {
  it("private addresses, directly or by name, get a 400 and no request is sent", async () => {
    const guarded = await startSiteServer("off")
    const before = guarded.site.connections()

    for (const url of [
      `http://127.0.0.1:${guarded.site.port}/`,
      `http://localhost:${guarded.site.port}/`,
      "http://169.254.169.254/latest/meta-data/",
      "http://[::1]:4100/",
    ]) {
      const { body, status } = await guarded.analyze({ url })
      expect([status, body.error.details.issues]).toEqual([
        400,
        [expect.objectContaining({ path: "/body/url", code: "url_not_allowed" })],
      ])
      expect(body.error.message).not.toContain("127.")
    }
    expect(guarded.site.connections()).toBe(before)
    await guarded.close()
  })

  it("each redirect is checked too", async () => {
    sites.serve(page("", { location: "ftp://acme.example/" }, 302))

    const { body, status } = await sites.analyze()

    expect([status, body.error.details.issues]).toEqual([
      400,
      [
        {
          path: "/body/url",
          code: "url_not_allowed",
          message: "Expected a URL that starts with https: or http:, also after redirects.",
        },
      ],
    ])
    expect(body.error.message).toMatch(/^Invalid URL: \/body\/url Expected/)
  })
})

describe("the encoding of a page", () => {
  const meta = '<meta charset="shift_jis">'
  const latin = (text: string) => Buffer.from(text, "latin1")
  const utf16 = Buffer.from("\ufeff<p>Lagerverwaltung für Händler</p>", "utf16le")

  it.each<readonly [string, Uint8Array, string, string]>([
    [
      "its header",
      latin("<p>Café à la carte</p>"),
      "text/html; charset=ISO-8859-1",
      "Café à la carte",
    ],
    ["a quoted header", latin("<p>Café</p>"), 'text/html; charset="windows-1252"', "Café"],
    [
      "its meta tag",
      Buffer.from([...latin(`${meta}<p>`), 0x93, 0xfa, 0x96, 0x7b]),
      "text/html",
      "日本",
    ],
    [
      "the older meta tag",
      latin(
        '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-15"><p>5 \xa4</p>',
      ),
      "text/html",
      "5 €",
    ],
    [
      "its byte order mark, before anything else",
      utf16,
      "text/html; charset=utf-8",
      "Lagerverwaltung für Händler",
    ],
    ["nothing: UTF-8", Buffer.from("<p>Müller &amp; Söhne</p>"), "text/html", "Müller & Söhne"],
    [
      "nothing, if it is not UTF-8: Windows-1252",
      latin("<p>M\xfcller \x96 S\xf6hne</p>"),
      "text/html",
      "Müller – Söhne",
    ],
    [
      "an unknown name: UTF-8",
      Buffer.from("<p>Müller</p>"),
      "text/html; charset=klingon",
      "Müller",
    ],
  ])("is recognized by %s", async (_, body, type, summary) => {
    expect((await analysisOf(page(body, { "content-type": type }))).summary).toBe(summary)
  })
})

describe("what is reported for a page", () => {
  it.each([
    [
      "warehouse",
      "Harborline",
      [
        "Warehouse Management Software",
        "Dock Scheduling",
        "Third Party Logistics",
        "Warehouse Automation",
      ],
      ["Email Marketing", "Pet Food", "Payroll Software", "Mortgage Refinancing", "Life Insurance"],
      ["warehouse management", "dock scheduling", "inventory"],
    ],
    [
      "payroll",
      "Ledgerleaf",
      ["Payroll Software", "Global Payroll", "Employee Onboarding", "Benefits Administration"],
      ["Kubernetes", "Container Security", "Observability", "Warehouse Management Software"],
      ["payroll", "payroll software"],
    ],
    [
      "solar",
      "Sonora Sun",
      ["Solar Panel Installation", "Battery Storage", "Roof Replacement", "Heat Pumps"],
      ["Designer Handbags", "Running Shoes", "Pet Insurance", "Live Chat"],
      ["solar panel", "battery storage"],
    ],
  ])(
    "topics and keywords match a person's judgment: %s",
    async (name, company, topics, others, keywords) => {
      const analysis = await analysisOf(page(await fixture(name)))

      const names = analysis.topics.map(({ topicName }) => topicName)
      expect(analysis.company).toBe(company)
      expect(names[0]).toBe(topics[0])
      expect(names.slice(0, 8)).toEqual(expect.arrayContaining(topics))
      expect(names.filter((topic) => others.includes(topic))).toEqual([])
      expect(analysis.keywords.slice(0, 10)).toEqual(expect.arrayContaining([keywords[0]]))
      expect(analysis.keywords).toEqual(expect.arrayContaining(keywords))
    },
  )

  it("at most 20 topics, highest first, each with the topic, similarity and keyword", async () => {
    const { topics } = await analysisOf(page(await fixture("warehouse")))

    expect(topics.length).toBeLessThanOrEqual(20)
    expect(topics[0]).toEqual({
      topicId: expect.any(Number),
      topicName: "Warehouse Management Software",
      type: "b2b",
      industry: "logistics",
      category: "software",
      similarity: expect.any(Number),
      matchedKeyword: "warehouse management",
    })
    const similarities = topics.map(({ similarity }) => similarity)
    expect(similarities).toEqual(similarities.toSorted((one, other) => other - one))
    expect(Math.max(...similarities)).toBeLessThanOrEqual(1)
    expect(Math.min(...similarities)).toBeGreaterThan(0)
  })

  it("at most 30 keywords and 20 topics for a page about everything", async () => {
    const [rows] = await sites.database.sql(
      "select string_agg(topic_name, '. ') as names from topic",
    )
    const analysis = await analysisOf(page(`<h1>Everything</h1><p>${String(rows?.["names"])}</p>`))

    expect(analysis.keywords).toHaveLength(30)
    expect(analysis.topics).toHaveLength(20)
  })

  it("the same page gives the same analysis; the hash covers the readable text", async () => {
    const body = "<title>Acme</title><nav>a</nav><h1>Dock  scheduling</h1><p>Fast &amp; fair</p>"
    const first = await analysisOf(page(body))
    const again = await analysisOf(page(body))
    const newMenu = await analysisOf(page(body.replace("<nav>a", "<nav>b")))
    const newText = await analysisOf(page(body.replace("fair", "loud")))

    expect(again).toEqual(first)
    expect(first.contentHash).toBe(
      createHash("sha256").update("Acme\n\nDock scheduling\nFast & fair").digest("hex"),
    )
    expect(newMenu.contentHash).toBe(first.contentHash)
    expect(newText.contentHash).not.toBe(first.contentHash)
  })

  it("imported topics are found from then on", async () => {
    const body = page("<h1>Zeppelin charter</h1><p>Zeppelin charter for weddings.</p>")
    expect((await analysisOf(body)).topics).toEqual([])

    await sites.database.sql(
      "insert into topic (topic_id, topic_name, type, industry, category) values (9001, 'Zeppelin Charters', 'b2c', 'travel', 'services')",
    )
    await sites.database.sql("update data_version set version = version + 1 where kind = 'topics'")

    expect((await analysisOf(body)).topics).toMatchObject([
      { topicId: 9001, matchedKeyword: "zeppelin charter" },
    ])
  })
})
