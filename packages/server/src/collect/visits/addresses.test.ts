// Page addresses, email addresses, traits and event times, as stored.
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { emailKind, hashEmail, normalizeEmail, normalizeEmailHash } from "./email-address.ts"
import { lateMaxMs, occurredAt } from "./read-events.ts"
import { pathOf, readPageUrl } from "./page-url.ts"
import { readTraits } from "./traits.ts"

describe("page address", () => {
  it("is origin and path, without the query", () => {
    const page = readPageUrl("https://user:pass@WWW.Tidewater.example:8443/a%20b?token=1#x")
    assert.strictEqual(page?.address, "https://www.tidewater.example:8443/a%20b")
    assert.strictEqual(page?.host, "www.tidewater.example")
    assert.strictEqual(page?.query.get("token"), "1")
  })

  it("has the host without a trailing dot", () => {
    for (const host of ["tidewater.example.", "tidewater.example.:8443", "tidewater.example"]) {
      const page = readPageUrl(`https://${host}/a?b`)
      assert.strictEqual(page?.host, "tidewater.example")
      assert.strictEqual(page?.address, `https://${host.replace(/\.(?=:|$)/, "")}/a`)
    }
  })

  it.each(["ftp://a.example/", "javascript:alert(1)", "data:,x", "/relative", "", "https://"])(
    "refuses %s",
    (text) => {
      assert.isUndefined(readPageUrl(text))
    },
  )

  it("never contains a query, a fragment or user information", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const address = readPageUrl(url)?.address ?? ""
        assert.notMatch(address, /[?#]/)
      }),
    )
  })

  it("of a long URL loses its query first, and then what the path has beyond 2,048 characters", () => {
    const long = `https://tidewater.example/back?code=${"c".repeat(3_000)}&utm_source=letter`
    const page = readPageUrl(long)
    assert.strictEqual(page?.address, "https://tidewater.example/back")
    assert.strictEqual(page?.query.get("utm_source"), "letter")

    const deep = readPageUrl(`https://tidewater.example/${"п".repeat(1_000)}?gclid=g`)
    assert.match(deep?.address ?? "", /^https:\/\/tidewater\.example\/(?:%[0-9A-F]{2})+$/)
    assert.isAtMost(deep?.address.length ?? 0, 2_048)
    assert.isAtLeast(deep?.address.length ?? 0, 2_046)
    assert.lengthOf(deep?.path ?? "", 6_001)
    assert.strictEqual(deep?.query.get("gclid"), "g")
  })

  it.each([2_046, 2_047, 2_048])(
    "is not cut inside an escape: %i characters before it",
    (place) => {
      const before = "https://tidewater.example/".padEnd(place, "a")

      assert.strictEqual(readPageUrl(`${before}%C3%A9`)?.address, before)
    },
  )

  it.each([
    ["#/pricing", "/pricing", {}],
    ["#!/demo?utm_source=letter", "/demo", { utm_source: "letter" }],
    ["#/docs/api?a=1&utm_term=t#install", "/docs/api", { utm_term: "t" }],
    ["?gclid=g#/plans?utm_source=letter", "/plans", { gclid: "g", utm_source: "letter" }],
    ["?utm_source=first#/plans?utm_source=second", "/plans", { utm_source: "first" }],
    ["#//other.example/plans", "//other.example/plans", {}],
    ["#/a/../b c", "/b%20c", {}],
    ["#section", "/app/", {}],
    ["#", "/app/", {}],
    ["#?utm_source=letter", "/app/", {}],
  ])("in hash mode %s has the path %s", (rest, path, values) => {
    const page = readPageUrl(`https://tidewater.example/app/${rest}`, true)
    assert.strictEqual(page?.path, path)
    assert.strictEqual(page?.host, "tidewater.example")
    assert.strictEqual(page?.address, `https://tidewater.example${path}`)
    for (const [name, value] of Object.entries(values)) {
      assert.strictEqual(page?.query.get(name), value)
    }
  })

  it("outside hash mode a route in the fragment is dropped", () => {
    const page = readPageUrl("https://tidewater.example/app/#/pricing?utm_source=letter")
    assert.strictEqual(page?.path, "/app/")
    assert.isNull(page?.query.get("utm_source") ?? null)
  })

  it.each([
    ["shop-tidewater-example", "shop.tidewater.example"],
    ["tide--water-example", "tide-water.example"],
    ["xn----bcher--kva-example", "xn--bcher-kva.example"],
  ])("that Google Translate shows as %s is that of %s", (translated, host) => {
    const page = readPageUrl(
      `https://${translated}.translate.goog/pricing?_x_tr_sl=en&utm_source=a`,
    )

    assert.strictEqual(page?.host, host)
    assert.strictEqual(page?.address, `https://${host}/pricing`)
    assert.strictEqual(page?.query.get("utm_source"), "a")
  })

  it("of translate.goog itself, or of a host that ends like it, stays", () => {
    assert.strictEqual(readPageUrl("https://translate.goog/")?.host, "translate.goog")
    assert.strictEqual(readPageUrl("https://a-b.nottranslate.goog/")?.host, "a-b.nottranslate.goog")
  })

  it("refuses a host that no DNS name can be", () => {
    assert.isUndefined(readPageUrl(`https://${"a.".repeat(130)}example/`))
  })

  it("cuts the path to 512 characters", () => {
    assert.strictEqual(pathOf("https://a.example/"), "/")
    assert.strictEqual(pathOf("https://a.example"), "/")
    assert.lengthOf(pathOf(`https://a.example/${"x".repeat(511)}`), 512)
    assert.lengthOf(pathOf(`https://a.example/${"x".repeat(600)}`), 512)
  })
})

describe("email", () => {
  it("in ASCII is only trimmed and lowercased", () => {
    assert.strictEqual(
      normalizeEmail("  Jane.Mercer+X@Harbor.Example "),
      "jane.mercer+x@harbor.example",
    )
  })

  it.each([
    "jane",
    "@a.example",
    "jane@",
    "jane@localhost",
    "jane@a..example",
    "jane@-a.example",
    "ja ne@a.example",
    "jane@a.example,x@b.example",
    ".jane@a.example",
    `${"x".repeat(65)}@a.example`,
    `jane@${"a".repeat(64)}.example`,
    `jane@${"a.".repeat(125)}example`,
  ])("refuses %s", (text) => {
    assert.isUndefined(normalizeEmail(text))
  })

  it("loses one trailing dot of its host", () => {
    assert.strictEqual(normalizeEmail("Jane@Acme.example."), "jane@acme.example")
    assert.isUndefined(normalizeEmail("jane@acme.example.."))
  })

  it("accepts a local part of 64 characters, subdomains and international names", () => {
    for (const email of [`${"x".repeat(64)}@a.example`, "a@b.c.d.example"]) {
      assert.strictEqual(normalizeEmail(email), email)
    }
    assert.strictEqual(normalizeEmail("é@bücher.example"), "é@xn--bcher-kva.example")
  })

  it("at a relay, a private mailbox or an access provider is personal", () => {
    const domains = ["anonaddy.me", "kit.anonaddy.com", "mozmail.com", "relay.firefox.com"]
    for (const domain of [...domains, "tutamail.com", "upcmail.at", "telenor.no", "gmail.com"]) {
      assert.strictEqual(emailKind(`kit@${domain}`), "personal", domain)
    }
    for (const domain of ["firefox.com", "appleid.com", "shop.telenor.no", "notmozmail.com"]) {
      assert.strictEqual(emailKind(`kit@${domain}`), "business", domain)
    }
  })

  it("is the same when it is normalized again", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        const once = normalizeEmail(email)
        if (once !== undefined) assert.strictEqual(normalizeEmail(once), once)
      }),
    )
  })

  it("is checked quickly, even if it is crafted to be slow", () => {
    for (const text of [
      "a@".repeat(40_000),
      `${"a.".repeat(40_000)}@`,
      `a@${"a-".repeat(40_000)}`,
    ]) {
      assert.isUndefined(normalizeEmail(text))
    }
  })

  it("has the hashes of the example in spec 12.1", () => {
    assert.deepStrictEqual(hashEmail("jane.mercer@harbor-logistics.example"), {
      sha256: "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9",
      sha1: "727b3967957e0a44ea4c7e2670cb480aa669f84d",
      md5: "72d6f2b9f41ce626e22f9cef1cf84541",
    })
  })

  it("is personal on a free-mail domain and business elsewhere", () => {
    assert.strictEqual(emailKind("jane@gmail.com"), "personal")
    assert.strictEqual(emailKind("jane@mail.harbor-logistics.example"), "business")
  })

  it("a hash is 64 hexadecimal digits in lower case", () => {
    assert.strictEqual(normalizeEmailHash(` ${"A".repeat(64)} `), "a".repeat(64))
    assert.isUndefined(normalizeEmailHash("g".repeat(64)))
    assert.isUndefined(normalizeEmailHash("a".repeat(65)))
  })
})

describe("traits", () => {
  it("keeps valid traits and drops the rest", () => {
    assert.deepStrictEqual(
      readTraits({
        firstName: " Jane ",
        lastName: 7,
        companyDomain: "https://www.Acme.example/x",
        phone: "+1 (415) 555-0134",
        custom: { plan: "pro", token: "x" },
        other: "y",
      }),
      {
        firstName: "Jane",
        companyDomain: "acme.example",
        phone: "+14155550134",
        custom: { plan: "pro" },
      },
    )
    assert.deepStrictEqual(readTraits({ phone: "0415", companyDomain: "acme", firstName: " " }), {})
    assert.deepStrictEqual(readTraits({ companyDomain: "10.0.0.1", custom: [] }), {})
  })

  it("keep a phone number of 7 to 15 digits", () => {
    const digitsOf = (count: number) => readTraits({ phone: `+${"4".repeat(count)}` }).phone?.length
    assert.deepStrictEqual([6, 7, 15, 16].map(digitsOf), [undefined, 8, 16, undefined])
  })

  it.each([
    [{ company: "Tidewater" }, { companyName: "Tidewater" }],
    [
      { company: { name: "Tidewater", domain: "www.tidewater.example" } },
      { companyName: "Tidewater", companyDomain: "tidewater.example" },
    ],
    [
      { company: { website: "https://tidewater.example/us" } },
      { companyDomain: "tidewater.example" },
    ],
    [{ companyName: "Own", company: { name: "Other" } }, { companyName: "Own" }],
    [{ companyName: " ", company: "Tidewater" }, { companyName: "Tidewater" }],
    [
      { companyDomain: "", company: { domain: "\u0000", website: "tidewater.example" } },
      { companyDomain: "tidewater.example" },
    ],
    [{ company: ["Tidewater"] }, {}],
    [{ company: { name: 7, domain: null } }, {}],
    [{ company: null }, {}],
  ])("`company` is a name or an object, and an empty text hides none: %j", (given, traits) => {
    assert.deepStrictEqual(readTraits(given), traits)
  })
})

describe("event time", () => {
  const receivedAt = 1_000 * lateMaxMs

  it("is corrected by the difference between the two clocks", () => {
    const sentAt = receivedAt - 5_000_000
    assert.strictEqual(occurredAt({ time: sentAt - 700, sentAt, receivedAt }), receivedAt - 700)
  })

  it("is within the 24 hours before receipt, whatever time the browser sends", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (time, sentAt) => {
        const at = occurredAt({ time, sentAt, receivedAt })
        assert.isAtMost(at, receivedAt)
        assert.isAtLeast(at, receivedAt - lateMaxMs)
      }),
    )
  })
})
