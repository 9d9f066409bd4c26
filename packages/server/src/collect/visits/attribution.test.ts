// What is read from page addresses before their query is dropped (spec 6.5).
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readPageUrl } from "./page-url.ts"
import { readClickIds, readCustomAttribution, readUtm } from "./attribution.ts"

const query = (text: string) => new URLSearchParams(text)

describe("utm", () => {
  it("reads the five values and drops empty ones", () => {
    assert.deepStrictEqual(
      readUtm(query("utm_source=a&utm_medium=b&utm_campaign=c&utm_term=d&utm_content=e&utm_id=f")),
      { source: "a", medium: "b", campaign: "c", term: "d", content: "e" },
    )
    assert.deepStrictEqual(readUtm(query("utm_source=&utm_medium=%20")), {})
  })

  it("cuts values to 255 characters", () => {
    const value = "é".repeat(255)
    assert.strictEqual(readUtm(query(`utm_source=${value}`)).source, value)
    assert.strictEqual(readUtm(query(`utm_source=${value}x`)).source, value)
  })

  it.each([
    "jane.mercer@harbor-logistics.example",
    "for jane@harbor.example now",
    "sk_live_0123456789",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
  ])("drops values that name a person or look like a secret: %s", (value) => {
    const query = new URLSearchParams({ utm_content: value, utm_source: "mail", gclid: value })

    assert.deepStrictEqual(readUtm(query), { source: "mail" })
    assert.deepStrictEqual(readClickIds(query), {})
  })

  it.each(["@acme", "sale@50", "eyJ", "v1.2.3", "task_force"])("keeps %s", (value) => {
    assert.deepStrictEqual(readUtm(new URLSearchParams({ utm_content: value })), { content: value })
  })

  it("never contains NUL, a lone surrogate or more than 255 characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        const { source } = readUtm(new URLSearchParams([["utm_source", text]]))
        if (source === undefined) return
        assert.isTrue(source.isWellFormed())
        assert.notInclude(source, "\0")
        assert.isAtMost([...source].length, 255)
      }),
    )
  })
})

describe("names of parameters", () => {
  const read = (text: string) => readPageUrl(`https://tidewater.example/a${text}`)!.query

  it.each([
    ["in upper case", "?UTM_SOURCE=letter&Utm_Medium=email"],
    ["after an ampersand that was escaped twice", "?utm_source=letter&amp;utm_medium=email"],
    [
      "after one that was escaped three times",
      "?a=1&amp;amp;utm_source=letter&amp;utm_medium=email",
    ],
    ["in the fragment", "#utm_source=letter&utm_medium=email"],
    ["in the fragment behind a query", "?a=1#utm_source=letter&utm_medium=email"],
    ["in the fragment, misspelled", "#utm_source=letter&amp;UTM_MEDIUM=email"],
  ])("%s are read", (_, text) => {
    assert.deepStrictEqual(readUtm(read(text)), { source: "letter", medium: "email" })
  })

  it("that are right count before those that are not, and the query before the fragment", () => {
    assert.deepStrictEqual(readUtm(read("?UTM_SOURCE=a&utm_source=b&utm_SOURCE=c")), {
      source: "b",
    })
    assert.deepStrictEqual(readUtm(read("?utm_source=a#utm_source=b&utm_medium=c")), {
      source: "a",
    })
    assert.deepStrictEqual(readClickIds(read("?GCLID=a&amp;fbclid=b")), { gclid: "a", fbclid: "b" })
  })

  it("of anything else stay as they are", () => {
    assert.deepStrictEqual(readUtm(read("?ref=letter&amp;source=a#section")), {})
  })
})

describe("click ids", () => {
  it("reads exposed and stored click ids by parameter", () => {
    assert.deepStrictEqual(readClickIds(query("gclid=1&li_fat_id=2&dclid=3&other=4")), {
      gclid: "1",
      li_fat_id: "2",
      dclid: "3",
    })
  })

  it("keeps 512 characters and drops 513", () => {
    assert.deepStrictEqual(readClickIds(query(`gclid=${"x".repeat(512)}`)), {
      gclid: "x".repeat(512),
    })
    assert.deepStrictEqual(readClickIds(query(`gclid=${"x".repeat(513)}`)), {})
  })
})

describe("custom attribution", () => {
  it.each([
    ["a key of 64 characters", "k".repeat(64), "v"],
    ["a value of 255 characters", "plan", "v".repeat(255)],
    ["dots, dashes and digits", "a.b-c_9", "v"],
    ["a value that starts like a secret key", "plan", "sketch"],
  ])("keeps %s", (_, key, value) => {
    assert.deepStrictEqual(readCustomAttribution({ [key]: value }), { [key]: value })
  })

  it.each([
    ["a key of 65 characters", "k".repeat(65), "v"],
    ["a key that starts with a digit", "1a", "v"],
    ["a value of 256 characters", "plan", "v".repeat(256)],
    ["a value that is a list", "plan", ["7"]],
    ["v", "v", "1"],
    ["cb", "cb", "1"],
    ["nocache", "nocache", "1"],
    ["an option", "data-debug", "1"],
    ["a prototype", "__proto__", "1"],
    ["an API key", "plan", "sk_abc"],
    ["a JWT", "plan", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"],
    ...["key", "api_key", "apikey", "token", "secret", "password", "auth", "Token"].map(
      (name): [string, string, unknown] => [`the secret key ${name}`, name, "v"],
    ),
  ])("drops %s", (_, key, value) => {
    assert.deepStrictEqual(readCustomAttribution(Object.fromEntries([[key, value]])), {})
  })

  it("converts numbers and booleans, which the script sends unchanged, to text", () => {
    assert.deepStrictEqual(readCustomAttribution({ seats: 7, paid: true, none: null }), {
      seats: "7",
      paid: "true",
    })
  })

  it("keeps 20 keys and drops the 21st", () => {
    const entries = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, "v"]))
    const kept = Object.keys(readCustomAttribution(entries))
    assert.lengthOf(kept, 20)
    assert.notInclude(kept, "k20")
  })
})
