import { describe, expect, it } from "vitest"
import { depthMax, PageReader, type ReadPage } from "./page-reader.ts"
import { companyOf, summaryOf } from "./page-reading.ts"

const read = (html: string, pieceLength = html.length || 1): ReadPage => {
  const reader = new PageReader()
  for (let start = 0; start < html.length; start += pieceLength) {
    reader.write(html.slice(start, start + pieceLength))
  }
  return reader.end()
}

const textOf = (html: string) => read(html).blocks.map(({ text }) => text)

describe("the text of a page", () => {
  it.each([
    ["<p>One</p><p>Two</p>", ["One", "Two"]],
    ["<div>One<div>Two</div>Three</div>", ["One", "Two", "Three"]],
    ["one<br>two", ["one", "two"]],
    ["<p>ware<b>house</b> <i>dock</i>s</p>", ["warehouse docks"]],
    ["  <p>\n a \t b&nbsp;c \u00a0</p>", ["a b c"]],
    ["soft\u00adhyphen and zero\u200bwidth &#1; &#0;", ["softhyphen and zerowidth \ufffd"]],
    ["<ul><li>One<li>Two</ul>", ["One", "Two"]],
    ["<td>One<td>Two", ["One", "Two"]],
    ["&lt;script&gt;", ["<script>"]],
    ["a < b", ["a < b"]],
  ])("%j", (html, blocks) => {
    expect(textOf(html)).toEqual(blocks)
  })

  it.each([
    "<nav>menu</nav>",
    "<footer>menu</footer>",
    "<script>menu</script>",
    "<style>menu</style>",
    "<template><p>menu</p></template>",
    "<noscript>menu</noscript>",
    "<form><p>menu</p></form>",
    "<select><option>menu</select>",
    "<button>menu</button>",
    "<textarea>menu</textarea>",
    "<svg><title>menu</title><text>menu</text></svg>",
    "<div hidden>menu</div>",
    "<div aria-hidden=true>menu</div>",
    "<div role=navigation>menu</div>",
    "<div role=DIALOG>menu</div>",
    '<div style="color: red; display : none">menu</div>',
    '<div style="visibility:hidden"><p>menu</p></div>',
    "<!-- menu -->",
    "<nav><nav>menu</nav>menu</nav>",
    "<nav><br><img><p>menu<p>menu</nav>",
  ])("leaves out %s", (html) => {
    expect(textOf(`<p>before</p>${html}<p>after</p>`)).toEqual(["before", "after"])
  })

  it("text in a body that a script would show is read", () => {
    expect(textOf('<html hidden><body style="visibility: hidden">text')).toEqual(["text"])
  })

  it("contains headings with their level", () => {
    expect(read("<h1>One <b>bold</b></h1>a<h3>Three</h3>b").blocks).toEqual([
      { text: "One bold", level: 1 },
      { text: "a", level: 0 },
      { text: "Three", level: 3 },
      { text: "b", level: 0 },
    ])
  })

  it("is the same however the page is cut into pieces", () => {
    const html = "<title>A &amp; B</title><nav>x</nav><h2>Dock&shy;ing</h2><p lang=de>Gr&uuml;n</p>"

    for (let length = 1; length < html.length; length++) {
      expect(read(html, length)).toEqual(read(html))
    }
  })

  it("stops where elements are nested too deeply, however large the page is", () => {
    const nested = (depth: number) => `${"<div>".repeat(depth)}deep`

    expect(textOf(`<p>top</p>${nested(depthMax)}`)).toEqual(["top", "deep"])
    expect(textOf(`<p>top</p>${nested(depthMax + 1)}</div><p>after</p>`)).toEqual(["top"])
    // Without the limit this takes minutes.
    expect(read("<b>".repeat(350_000) + "</i>".repeat(260_000), 4_096).blocks).toEqual([])
  })
})

describe("what a page says about itself", () => {
  it.each([
    ['<html lang="de-AT">', { language: "de-AT" }],
    ["<title> A\n B </title><title>C</title>", { title: "A B" }],
    ["<title></title>", { title: null }],
    ['<meta name="description" content=" A  B ">', { description: "A B" }],
    ['<META NAME="Description" CONTENT="A">', { description: "A" }],
    ['<meta property="og:description" content="B">', { description: "B" }],
    [
      '<meta property="og:description" content="B"><meta name="description" content="A">',
      { description: "A" },
    ],
    ['<meta name="description" content=" ">', { description: null }],
    ['<meta property="og:site_name" content="Acme">', { name: "Acme" }],
  ])("%s", (html, expected) => {
    expect(read(html)).toMatchObject(expected)
  })

  const structured = (value: unknown) =>
    read(`<script type="application/ld+json">${JSON.stringify(value)}</script>`).name

  it.each([
    [{ "@type": "Organization", name: "Acme" }, "Acme"],
    [{ "@type": ["Thing", "LocalBusiness"], name: "Acme" }, "Acme"],
    [{ "@type": "http://schema.org/Corporation", name: "Acme" }, "Acme"],
    [
      [
        { "@type": "WebSite", name: "Site" },
        { "@type": "NGO", name: "Acme" },
      ],
      "Acme",
    ],
    [{ "@graph": [{ "@type": "Organization", name: "Acme" }] }, "Acme"],
    [{ "@type": "Article", publisher: { "@type": "Organization", name: "Acme" } }, "Acme"],
    [{ "@type": "WebSite", name: "Site" }, null],
    [{ "@type": "Organization", name: { "@value": "Acme" } }, null],
    [{ "@type": "Organization" }, null],
    ["Organization", null],
    [null, null],
  ])("the organization of %j is %j", (value, name) => {
    expect(structured(value)).toBe(name)
  })

  it("unreadable structured data is ignored, and og:site_name takes precedence over structured data", () => {
    const organization = `<script type=application/ld+json>{"@type":"Organization","name":"Acme"}</script>`

    expect(read("<script type=application/ld+json>{</script>").name).toBeNull()
    expect(read(`<script type=application/ld+json>{</script>${organization}`).name).toBe("Acme")
    expect(read(`${organization}<meta property=og:site_name content=Harbor>`).name).toBe("Harbor")
  })
})

describe("company and summary", () => {
  const company = (title: string, host = "www.acme-parts.example") =>
    companyOf(read(`<title>${title}</title>`), host)

  it.each([
    ["Acme Parts | Bolts and nuts", "Acme Parts"],
    ["Bolts and nuts - Acme Parts", "Acme Parts"],
    ["Bolts · Nuts · ACME", "ACME"],
    ["Bolts and nuts for everyone – Northgate", "Northgate"],
    ["Re-order bolts", "Re-order bolts"],
  ])("the title %j gives %j", (title, expected) => {
    expect(company(title)).toBe(expected)
  })

  it("without a title there is no company", () => {
    expect(company("")).toBeNull()
  })

  it("the summary is the description, or the first sentences of the first text", () => {
    const text =
      "Acme makes bolts. They hold for a hundred years, in every weather. " +
      "Every bolt is made by hand in the north of the country and tested at least twice before it leaves us. More."
    expect(summaryOf(read('<meta name=description content="Short"><p>Text.</p>'))).toBe("Short")
    expect(
      summaryOf(read(`<h1>Bolts that hold for longer than you will</h1><p>Menu</p><p>${text}</p>`)),
    ).toBe("Acme makes bolts. They hold for a hundred years, in every weather.")
    expect(summaryOf(read("<p>Menu</p>"))).toBe("Menu")
    expect(summaryOf(read("<h1>Bolts</h1>"))).toBeNull()
  })

  it("company has at most 255 and summary 500 code points, and no code point is cut in two", () => {
    const faces = "😀".repeat(400)

    expect([...company(faces)!]).toHaveLength(255)
    expect(summaryOf(read(`<p>${"😀".repeat(600)}</p>`))).toSatisfy(
      (summary: string) => [...summary].length <= 500 && summary.isWellFormed(),
    )
  })
})
