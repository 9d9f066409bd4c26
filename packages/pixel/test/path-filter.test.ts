/** Path patterns (spec 6.4), as the script and the server apply them. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { matchesAny, passesLists } from "../src/path-filter.ts"

test.each([
  // A prefix that ends at a segment, in any case.
  ["/blog", "/blog", true],
  ["/blog", "/blog/x", true],
  ["/blog", "/blog/x/y", true],
  ["/blog", "/blogger", false],
  ["/blog", "/Blog", true],
  ["/BLOG/x", "/blog/X", true],
  ["/blog", "/", false],
  ["/blog", "/en/blog", false],
  ["/blog/x", "/blog", false],
  // A trailing slash, on either side.
  ["/blog/", "/blog", true],
  ["/blog/", "/blog/x", true],
  ["/blog", "/blog/", true],
  ["/blog/", "/blogger", false],
  // Exactly one segment.
  ["/app/*/settings", "/app/7/settings", true],
  ["/app/*/settings", "/app/7/settings/users", true],
  ["/app/*/settings", "/app/settings", false],
  ["/app/*/settings", "/app/7/8/settings", false],
  ["/app/*", "/app/7", true],
  ["/app/*", "/app", false],
  ["/app/*", "/app/", false],
  ["/*", "/", false],
  ["/*", "/a/b", true],
  // A star inside a segment is a literal character, as are characters that are special in other
  // pattern languages.
  ["/blog*", "/blogger", false],
  ["/blog*", "/blog*", true],
  ["/a.c", "/abc", false],
  ["/(a+)+$", "/aaaaaaaaaaaaaaaaaaaaaaaaaaaa!", false],
  // Only the home page.
  ["/$", "/", true],
  ["/$", "/blog", false],
  ["/$", "/$", false],
  ["/blog/$", "/blog", false],
  // Empty segments inside count.
  ["/a/b", "/a//b", false],
  ["/a//b", "/a//b", true],
  ["//", "/a", false],
  // In plain characters, and as a browser encodes them.
  ["/über uns", "/%C3%BCber%20uns", true],
  ["/%C3%BCber%20uns", "/%C3%BCber%20uns", true],
  ["/über", "/%C3%BCberblick", false],
  ["/ÜBER", "/%c3%bcber", true],
  // Lower-case escapes, as WordPress writes them, and upper-case ones.
  ["/контакты", "/%d0%ba%d0%be%d0%bd%d1%82%d0%b0%d0%ba%d1%82%d1%8b/", true],
  [
    "/%D0%BA%D0%BE%D0%BD%D1%82%D0%B0%D0%BA%D1%82%D1%8B",
    "/%d0%ba%d0%be%d0%bd%d1%82%d0%b0%d0%ba%d1%82%d1%8b",
    true,
  ],
  ["/会社概要", "/%E4%BC%9A%E7%A4%BE%E6%A6%82%E8%A6%81/x", true],
  // Letters that are composed of two characters.
  ["/r\u00e9sum\u00e9", "/re%CC%81sume%CC%81", true],
  ["/re\u0301sume\u0301", "/r%C3%A9sum%C3%A9", true],
  // Escapes that are not UTF-8 are Latin-1, and text after a bare % stays.
  ["/gar\u00e7on", "/gar%E7on", true],
  ["/100%", "/100%", true],
  ["/100%zz", "/100%ZZ", true],
  // Escaped letters.
  ["/pricing", "/%70ricing", true],
  ["/a b", "/a%20b", true],
  ["/a?b", "/a%3Fb", true],
  // An escaped slash separates no segments; an escaped % or star is none.
  ["/a/b", "/a%2Fb", false],
  ["/a%2fb", "/a%2Fb", true],
  ["/a%2Fb", "/a%252Fb", false],
  ["/a%2A", "/ab", false],
  ["/%2A", "/b", false],
  ["/*", "/%2A", true],
  ["/a", "/a%00", false],
  // Not patterns.
  ["blog", "/blog", false],
  ["", "/blog", false],
  ["https://www.tidewater.example/blog", "/blog", false],
])("%j on %j: %s", (pattern, path, isMatch) => {
  expect(matchesAny([pattern], path)).toBe(isMatch)
})

test("one matching pattern is enough, and an empty list matches nothing", () => {
  expect(matchesAny(["/a", "/b", "/c"], "/b")).toBe(true)
  expect(matchesAny(["/a", "/c"], "/b")).toBe(false)
  expect(matchesAny([], "/b")).toBe(false)
})

describe("lists", () => {
  test.each([
    [undefined, undefined, true],
    [null, null, true],
    [[], undefined, true],
    [["/app"], undefined, false],
    [["/blog"], undefined, true],
    [undefined, ["/app"], true],
    [undefined, ["/blog"], false],
    [undefined, [], false],
    [["/app/admin"], ["/app"], true],
    [["/app"], ["/app"], false],
  ])(
    "excluded %j and included %j: the page /app/users counts: %s",
    (excluded, included, counts) => {
      expect(passesLists("/app/users", excluded, included)).toBe(counts)
    },
  )
})

const segment = fc.stringMatching(/^[a-z0-9._~-]{1,8}$/)
const segments = fc.array(segment, { minLength: 1, maxLength: 5 })

test("a pattern matches itself and everything below it, with and without a trailing slash", () => {
  fc.assert(
    fc.property(segments, fc.array(segment, { maxLength: 3 }), (above, below) => {
      const pattern = "/" + above.join("/")
      const path = "/" + [...above, ...below].join("/")
      for (const given of [pattern, pattern + "/"]) {
        expect(matchesAny([given], path)).toBe(true)
        expect(matchesAny([given], path + "/")).toBe(true)
      }
    }),
  )
})

test("a star in place of any segment still matches; an extra letter in a segment does not", () => {
  fc.assert(
    fc.property(segments, fc.nat(), (parts, anyPlace) => {
      const place = anyPlace % parts.length
      const path = "/" + parts.join("/")
      expect(matchesAny(["/" + parts.with(place, "*").join("/")], path)).toBe(true)
      expect(matchesAny(["/" + parts.with(place, parts[place] + "x").join("/")], path)).toBe(false)
    }),
  )
})
