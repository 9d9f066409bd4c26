import { describe, expect, it } from "vitest"
import { SiteAddress } from "./verification.ts"
import { readSitePage } from "./site-page.ts"

const id = "cdd19037-47fb-4e21-a054-2da787925aea"
const other = "88ac470a-224f-4bdb-a28b-577d65372edd"

const hasScriptOf = (html: string, pixelId: string) =>
  readSitePage(html).pixelTags.some((tag) => tag.pixelId === pixelId)

describe("the script of a pixel on a page (spec 5.2)", () => {
  it.each([
    `<script async src="https://t.example/p/${id}.js"></script>`,
    `<SCRIPT SRC='https://t.example/p/${id}.js'></SCRIPT>`,
    `<script src=https://t.example/p/${id}.js async>`,
    `<script src="/p/${id}.js"></script>`,
    `<script src="//t.example/footfall/p/${id}.js?plan=trial#x"></script>`,
    `<script src="https://t.example/p/${id}.0123456789abcdef.js" integrity="x"></script>`,
    `<html><head><script>a</script><script data-debug src=" https://t.example/p/${id}.js "></script>`,
    `<p>unclosed <div><script src="https://t.example/p/${id}.js&amp;"></script`.replace(
      "&amp;",
      "?a&amp;b",
    ),
  ])("is found: %s", (html) => {
    expect(hasScriptOf(html, id)).toBe(true)
  })

  it.each([
    "",
    `<script src="https://t.example/p/${other}.js"></script>`,
    `<script src="https://t.example/p/${id}"></script>`,
    `<script src="https://t.example/p/${id}.json"></script>`,
    `<script src="https://t.example/p/${id}.css.js"></script>`,
    `<script src="https://t.example/x${id}.js"></script>`,
    `<script>load("https://t.example/p/${id}.js")</script>`,
    `<!-- <script src="https://t.example/p/${id}.js"></script> -->`,
    `<a href="https://t.example/p/${id}.js">script</a>`,
    `<img src="https://t.example/p/${id}.js">`,
    `<textarea><script src="https://t.example/p/${id}.js"></script></textarea>`,
    "<".repeat(100_000),
  ])("is not found: %s", (html) => {
    expect(hasScriptOf(html, id)).toBe(false)
  })
})

it("a page with hundreds of thousands of open elements is parsed up to the depth limit", () => {
  const tag = `<script src="https://t.example/p/${id}.js"></script>`
  const deep = "<div>".repeat(400_000)

  expect(hasScriptOf(`<head>${tag}</head>${deep}`, id)).toBe(true)
  expect(hasScriptOf(`${"<div>".repeat(200)}${tag}`, id)).toBe(true)
  expect(hasScriptOf(`${deep}${tag}`, id)).toBe(false)
})

it("the page for a domain is its home page over https", () => {
  const addressOf = SiteAddress.defaultValue()
  expect(addressOf("tidewater.example")).toBe("https://tidewater.example/")
  expect(addressOf("localhost.example")).toBe("https://localhost.example/")
  expect(addressOf("localhost")).toBe("http://localhost/")
  expect(addressOf("127.0.0.1")).toBe("http://127.0.0.1/")
})
