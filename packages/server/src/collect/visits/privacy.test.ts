// What may be stored about a visitor: consent and privacy signals, hosts, addresses, devices (spec 6.1, 6.4, 6.6).
import { assert, describe, it } from "@effect/vitest"
import { matchesAny } from "@footfall/pixel/path-filter"
import { readAddress } from "../../platform/http/address.ts"
import { isExcluded, readVisitorAddress } from "./network-address.ts"
import { type PrivacySignals, permissionOf } from "./consent.ts"
import { deviceType, isHttpLibrary } from "./device.ts"
import { hostStanding } from "./host.ts"
import { pageKind } from "./page-kind.ts"

const signals = (change: Partial<PrivacySignals> = {}): PrivacySignals => ({
  consent: "granted",
  gpc: false,
  dnt: false,
  secGpc: undefined,
  country: undefined,
  gpcMode: "honour",
  ...change,
})

describe("permission", () => {
  it.each([
    ["consent is enough", signals(), {}, "identified"],
    ["GPC from the script makes the batch anonymous", signals({ gpc: true }), {}, "anonymous"],
    ["GPC from the request makes the batch anonymous", signals({ secGpc: "1" }), {}, "anonymous"],
    ["Sec-GPC: 0 says nothing", signals({ secGpc: "0" }), {}, "identified"],
    ["a server can ignore GPC", signals({ gpc: true, gpcMode: "ignore" }), {}, "identified"],
    ["a page cannot switch GPC off", signals({ gpc: true }), { consent: "granted" }, "anonymous"],
    ["Do Not Track is ignored", signals({ dnt: true }), {}, "identified"],
    ["unless the pixel respects it", signals({ dnt: true }), { respectDnt: true }, "anonymous"],
    ["an anonymous batch stays anonymous", signals({ consent: "anonymous" }), {}, "anonymous"],
    ["denied stores nothing", signals(), { consent: "denied" }, "refused"],
    [
      "required rejects implied",
      signals({ consent: "implied" }),
      { consent: "required" },
      "refused",
    ],
    ["required accepts granted", signals(), { consent: "required" }, "identified"],
    [
      "implied is refused in the EEA",
      signals({ consent: "implied", country: "DE" }),
      {},
      "refused",
    ],
    ["and in Switzerland", signals({ consent: "implied", country: "CH" }), {}, "refused"],
    ["and in the UK", signals({ consent: "implied", country: "GB" }), {}, "refused"],
    ["and on Réunion", signals({ consent: "implied", country: "RE" }), {}, "refused"],
    ["and accepted elsewhere", signals({ consent: "implied", country: "US" }), {}, "identified"],
    ["granted is accepted in the EEA", signals({ country: "DE" }), {}, "identified"],
  ] as const)("%s", (_, given, settings, expected) => {
    assert.strictEqual(permissionOf(given, settings), expected)
  })
})

describe("domain binding", () => {
  it.each([
    ["tidewater.example", "own"],
    ["www.tidewater.example", "own"],
    ["shop.tidewater.example", "own"],
    ["tidewater.example.", "own"],
    ["nottidewater.example", "foreign"],
    ["tidewater.example.evil.example", "foreign"],
    ["localhost", "local"],
    ["127.0.0.1", "local"],
    ["[::1]", "local"],
    ["127.0.0.2", "foreign"],
  ])("%s is %s", (host, expected) => {
    assert.strictEqual(hostStanding(host, "tidewater.example"), expected)
  })

  it("a pixel for localhost owns every local host", () => {
    assert.deepStrictEqual(
      ["localhost", "127.0.0.1", "[::1]", "tidewater.example"].map((host) =>
        hostStanding(host, "localhost"),
      ),
      ["own", "own", "own", "foreign"],
    )
  })
})

describe("addresses", () => {
  const address = (text: string) => readAddress(text)!

  it.each([
    ["203.0.113.77", "203.0.113.0"],
    ["::ffff:203.0.113.77", "203.0.113.0"],
    ["2001:db8:1:2:3::4", "2001:db8:1::"],
  ])("%s is stored as %s", (text, expected) => {
    assert.strictEqual(readVisitorAddress(text)?.truncated, expected)
    // The cached result is the same.
    assert.strictEqual(readVisitorAddress(text)?.truncated, expected)
  })

  it("an IPv4 address is counted by itself, an IPv6 address by its /64", () => {
    assert.strictEqual(readVisitorAddress("203.0.113.77")?.subject, "203.0.113.77")
    assert.strictEqual(readVisitorAddress("2001:db8:1:2:3::4")?.subject, "2001:db8:1:2::")
    assert.isUndefined(readVisitorAddress("unknown"))
  })

  it("excluded networks contain their addresses, in either family", () => {
    const networks = ["203.0.113.0/24", "2001:db8::/32", "198.51.100.7", "nonsense"]
    assert.deepStrictEqual(
      ["203.0.113.9", "203.0.114.9", "2001:db8:9::1", "198.51.100.7", "198.51.100.8"].map((text) =>
        isExcluded(address(text), networks),
      ),
      [true, false, true, true, false],
    )
  })
})

describe("devices", () => {
  const mozilla = "Mozilla/5.0 "
  it.each([
    ["desktop", `${mozilla}(Macintosh; Intel Mac OS X 10_15_7) Chrome/145.0 Safari/537.36`],
    ["desktop", `${mozilla}(Windows NT 10.0; Win64; x64) Firefox/148.0`],
    ["mobile", `${mozilla}(iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148`],
    ["mobile", `${mozilla}(Linux; Android 16; Pixel 9) Chrome/145.0 Mobile Safari/537.36`],
    ["tablet", `${mozilla}(Linux; Android 16; SM-X910) Chrome/145.0 Safari/537.36`],
    ["tablet", `${mozilla}(iPad; CPU OS 19_0 like Mac OS X) Mobile/15E148`],
    ["bot", `${mozilla}(compatible; Googlebot/2.1; +http://www.google.com/bot.html)`],
    ["bot", `${mozilla}(X11; Linux x86_64) HeadlessChrome/145.0 Safari/537.36`],
    [
      "bot",
      `${mozilla}(X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36 GTmetrix`,
    ],
    [
      "bot",
      `${mozilla}AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amzn-User/0.1) Chrome/119.0.6045.214 Safari/537.36`,
    ],
    // Apps of Amazon that people use.
    [
      "mobile",
      `${mozilla}(Linux; Android 14; SM-S918B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/143.0.0.0 Mobile Safari/537.36 AmazonWebAppPlatform/3.4`,
    ],
    [
      "tablet",
      `${mozilla}(Linux; Android 11; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/143.2 like Chrome/143.0.0.0 Safari/537.36`,
    ],
    ["unknown", undefined],
    [
      "unknown",
      `${mozilla}(PlayStation; PlayStation 5/10.00) AppleWebKit/605.1.15 (KHTML, like Gecko)`,
    ],
    ["unknown", "curl/8.15.0"],
    ["mobile", "Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UD1A.231105.004)"],
    ["tablet", "Dalvik/2.1.0 (Linux; U; Android 13; SM-X700 Build/TP1A.220624.014)"],
  ])("%s: %s", (expected, userAgent) => {
    assert.strictEqual(deviceType(userAgent), expected)
  })

  it.each([
    "okhttp/5.0.0",
    "axios/1.7.9",
    "Go-http-client/2.0",
    "Apache-HttpClient/4.5.14 (Java/17.0.9)",
    "GuzzleHttp/7",
    "Harbor/3.1 CFNetwork/1494.0.7 Darwin/23.4.0",
    "Faraday v2.9.0",
  ])("%s is an HTTP library", (userAgent) => {
    assert.isTrue(isHttpLibrary(userAgent))
  })

  it.each([
    "Googlebot/2.1 (+http://www.google.com/bot.html)",
    "Mediapartners-Google",
    "facebookexternalhit/1.1",
    "ia_archiver",
    "W3C_Validator/1.3",
    "Mozilla/5.0 (compatible; Yahoo! Slurp)",
    "Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/145.0",
    "Acme Reader (https://reader.acme.example)",
  ])("%s is no HTTP library", (userAgent) => {
    assert.isFalse(isHttpLibrary(userAgent))
  })
})

describe("path patterns", () => {
  it.each([
    ["/blog", "/blog", true],
    ["/blog", "/blog/x", true],
    ["/blog", "/blogger", false],
    ["/blog/", "/blog", true],
    ["/blog", "/blog/", true],
    ["/blog", "/Blog", true],
    ["/app/*/settings", "/app/7/settings/x", true],
    ["/app/*/settings", "/app/settings", false],
    ["/app/*/settings", "/app/7/8/settings", false],
    ["/$", "/", true],
    ["/$", "/x", false],
  ])("%s on %s: %s", (pattern, path, expected) => {
    assert.strictEqual(matchesAny([pattern], path), expected)
  })
})

describe("pricing and demo pages", () => {
  it.each([
    ["/pricing", true, false],
    ["/en/Pricing/", true, false],
    ["/plan-pricing", true, false],
    ["/pricing-faq", false, false],
    ["/plans/demo", true, true],
    ["/book-a-demo", false, true],
    ["/demos", false, false],
  ])("%s", (path, isPricing, isDemo) => {
    assert.deepStrictEqual(pageKind(path, {}), { isPricing, isDemo })
  })

  it("path prefixes of the pixel replace the default words", () => {
    const settings = { pricingPaths: ["/cost"], demoPaths: null }
    assert.deepStrictEqual(pageKind("/cost/eu", settings), { isPricing: true, isDemo: false })
    assert.deepStrictEqual(pageKind("/pricing", settings), { isPricing: false, isDemo: false })
    assert.deepStrictEqual(pageKind("/demo", settings), { isPricing: false, isDemo: true })
    assert.isFalse(pageKind("/pricing", { pricingPaths: [] }).isPricing)
  })
})
