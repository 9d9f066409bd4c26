// Findings that cannot be produced with a web server on one address: other hosts, other ports, missing attributes.
import { describe, expect, it } from "vitest"
import { findingsOf } from "./findings.ts"
import { readSitePage } from "./site-page.ts"

const id = "cdd19037-47fb-4e21-a054-2da787925aea"
const address = `https://t.example/p/${id}.js`
const pinned = `https://t.example/p/${id}.0123456789abcdef.js`

const codes = (
  html: string,
  {
    url = "https://tidewater.example/",
    policyHeader,
  }: { url?: string; policyHeader?: string } = {},
) =>
  findingsOf({
    pixel: { id, excludedPaths: null, includedPaths: null, settings: {} },
    requested: new URL("https://tidewater.example/"),
    url: new URL(url),
    policyHeader,
    page: readSitePage(html),
    scriptAddress: address,
  }).map(({ code, values }) => [code, ...values].join(" "))

const tag = (attributes = "", src = address) => `<script src="${src}" ${attributes}></script>`

describe("the tag", () => {
  it.each([
    ["text/javascript", []],
    ["application/javascript", []],
    ["module", []],
    ["", []],
    ["text/plain", ["tag_inert text/plain"]],
    ["application/json", ["tag_inert application/json"]],
  ])("with type %j: %j", (type, expected) => {
    expect(codes(tag(`type="${type}"`))).toEqual(expected)
  })

  it("is reported if it pins the plain script, but not if it pins a pinned script", () => {
    const integrity = `integrity="sha384-x" crossorigin="anonymous"`
    expect(codes(tag(integrity))).toEqual(["tag_integrity_unpinned"])
    expect(codes(tag(integrity, pinned))).toEqual([])
  })

  it("with integrity needs crossorigin, unless the script comes from the page's own origin", () => {
    expect(codes(tag(`integrity="sha384-x"`, pinned))).toEqual(["tag_crossorigin_missing"])
    const own = `/p/${id}.0123456789abcdef.js`
    expect(codes(tag(`integrity="sha384-x"`, own))).toEqual([])
    expect(codes(`<base href="https://t.example/">${tag(`integrity="sha384-x"`, own)}`)).toEqual([
      "tag_crossorigin_missing",
    ])
  })

  it("can exclude the page by itself", () => {
    expect(codes(tag(`data-exclude="/blog, /$"`))).toEqual(["page_excluded /"])
    expect(codes(tag(`data-include="/blog"`))).toEqual(["page_excluded /"])
    expect(codes(tag(`data-exclude="/blog"`))).toEqual([])
    expect(codes(tag(`data-exclude="/blog /$"`))).toEqual(["page_excluded /"])
    expect(codes(tag(`data-include=""`))).toEqual([])
  })
})

describe("the host after redirects", () => {
  it.each([
    ["https://tidewater.example/en", []],
    ["https://www.tidewater.example/", []],
    ["https://shop.tidewater.example/", []],
    ["https://tidewater.io/", ["page_of_other_host tidewater.io"]],
    ["https://nottidewater.example/", ["page_of_other_host nottidewater.example"]],
  ])("%s: %j", (url, expected) => {
    expect(codes(tag(), { url })).toEqual(expected)
  })
})

describe("a policy", () => {
  it("is checked with the expected script address if the tag is missing", () => {
    expect(codes("", { policyHeader: "script-src t.example; connect-src t.example" })).toEqual([
      "tag_missing",
    ])
    expect(codes("", { policyHeader: "script-src 'self'" })).toEqual([
      "tag_missing",
      "csp_blocks_script script-src 'self'",
    ])
  })

  it("is checked with the nonce and the hash of the tag", () => {
    const policyHeader = "script-src 'nonce-n' 'sha384-x'"
    expect(codes(tag(`nonce="n"`), { policyHeader })).toEqual([])
    expect(
      codes(tag(`integrity="sha384-x" crossorigin="anonymous"`, pinned), { policyHeader }),
    ).toEqual([])
  })

  it("must allow the address that receives events, also with a pinned script", () => {
    const policyHeader = `connect-src https://t.example/p/${id}/e`
    expect(codes(tag(), { policyHeader })).toEqual([])
    expect(codes(tag("", pinned), { policyHeader })).toEqual([])
  })

  it("is cut to 300 characters", () => {
    const hosts = Array.from({ length: 100 }, (_, index) => `h${index}.example`).join(" ")
    const [finding = ""] = codes(tag(), { policyHeader: `script-src ${hosts}` })

    expect(finding).toHaveLength("csp_blocks_script ".length + 301)
  })
})

it("each consent manager is reported once, by name", () => {
  const html = `${tag()}<script src="https://cdn.cookielaw.org/a.js"></script>
    <script src="//cdn.cookielaw.org/b.js"></script><script src="https://sdk.privacy-center.org/x"></script>
    <script src="https://notcookielaw.org/a.js"></script><script src="https://%"></script>`

  expect(codes(html)).toEqual(["consent_manager OneTrust Didomi"])
})
