import fc from "fast-check"
import { expect, it } from "vitest"
import { readablePage } from "./page.ts"

it.each([
  ["/pr%C3%BCfung", "/prüfung"],
  ["/%D1%86%D0%B5%D0%BD%D1%8B", "/цены"],
  ["/%E6%96%99%E9%87%91/%e4%b8%80", "/料金/一"],
  ["/caf%65%CC%81", "/caf%65\u0301"],
  ["/%F0%9F%9A%A2", "/🚢"],
  ["https://harbor.example/pr%C3%BCfung", "https://harbor.example/prüfung"],
])("%s is read as %s", (stored, shown) => {
  expect(readablePage(stored)).toBe(shown)
})

it.each([
  ["a space", "/a%20b"],
  ["a slash", "/a%2Fb"],
  ["a percent sign", "/100%25"],
  ["text that turns around", "/%E2%80%AEtxt.exe"],
  ["a zero-width space", "/a%E2%80%8Bb"],
  ["a line separator", "/a%E2%80%A8b"],
  ["a no-break space", "/a%C2%A0b"],
  ["a fraction slash", "/a%E2%81%84b"],
  ["half a letter", "/a%C3"],
  ["bytes that are no letter", "/%FF%FE"],
])("the escape of %s stays", (_, stored) => {
  expect(readablePage(stored)).toBe(stored)
})

it("what is shown leads to the same page", () => {
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true }), fc.string({ unit: "grapheme" }), (url, end) => {
      const stored = new URL(encodeURIComponent(end), `${url}/`.replace(/#.*/, "/")).href

      expect(new URL(readablePage(stored)).pathname).toBe(new URL(stored).pathname)
    }),
  )
})
