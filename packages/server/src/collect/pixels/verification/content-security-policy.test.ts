// Content-Security-Policy as browsers apply it to the pixel's tag (CSP Level 3).
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  connectBlockedBy,
  readPolicies,
  readPolicy,
  scriptBlockedBy,
} from "./content-security-policy.ts"

const page = new URL("https://tidewater.example/")
const script = new URL("https://t.example/p/cdd19037.js")

const isScriptAllowed = (
  policy: string,
  more: { nonce?: string; integrity?: string; url?: string; page?: string } = {},
) =>
  scriptBlockedBy(readPolicy(policy), {
    page: more.page === undefined ? page : new URL(more.page),
    url: more.url === undefined ? script : new URL(more.url),
    nonce: more.nonce,
    integrity: more.integrity,
  }) === undefined

const isConnectAllowed = (policy: string) =>
  connectBlockedBy(readPolicy(policy), { page, url: new URL("https://t.example/p/x/e") }) ===
  undefined

describe("a policy", () => {
  it("is parsed into lowercase directives, and the first of each name counts", () => {
    expect([...readPolicy(" Script-Src  'self' ;;\tscript-src *; IMG-SRC").values()]).toEqual([
      { name: "script-src", sources: ["'self'"] },
      { name: "img-src", sources: [] },
    ])
  })

  it("in a header can be several policies, separated by commas", () => {
    expect(readPolicies("script-src a.example, connect-src b.example")).toHaveLength(2)
  })

  it("parses and evaluates any text without failing", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const policy of readPolicies(`script-src ${text}; connect-src ${text}`)) {
          scriptBlockedBy(policy, { page, url: script, nonce: text, integrity: text })
          connectBlockedBy(policy, { page, url: script })
        }
      }),
    )
  })
})

describe("a script", () => {
  it.each([
    ["", true],
    ["img-src 'none'", true],
    ["default-src 'none'", false],
    ["default-src 'none'; script-src *", true],
    ["script-src 'none'; script-src-elem *", true],
    ["script-src *; script-src-elem 'none'", false],
    ["script-src", false],
    ["script-src 'none'", false],
    ["script-src 'self'", false],
    ["script-src https:", true],
    ["script-src http:", true],
    ["script-src data:", false],
    ["script-src t.example", true],
    ["script-src T.EXAMPLE", true],
    ["script-src https://t.example", true],
    ["script-src http://t.example", true],
    ["script-src http://t.example:80", true],
    ["script-src https://t.example:443", true],
    ["script-src t.example:*", true],
    ["script-src t.example:8443", false],
    ["script-src *.example", true],
    ["script-src *.t.example", false],
    ["script-src x.example", false],
    ["script-src https://t.example/p/", true],
    ["script-src https://t.example/p", false],
    ["script-src https://t.example/q/", false],
    ["script-src https://t.example/", true],
    ["script-src https://t.example/p/cdd19037.js", true],
    ["script-src 'unsafe-inline' 'unsafe-eval'", false],
    ["script-src t.example 'strict-dynamic'", false],
  ])("under %j may load: %s", (policy, expected) => {
    expect(isScriptAllowed(policy)).toBe(expected)
  })

  it("with the policy's nonce may load, also under strict-dynamic", () => {
    const policy = "script-src 'nonce-r4nd0m' 'strict-dynamic'"
    expect(isScriptAllowed(policy, { nonce: "r4nd0m" })).toBe(true)
    expect(isScriptAllowed(policy, { nonce: "R4nd0m" })).toBe(false)
    expect(isScriptAllowed("script-src 'nonce-'", { nonce: "" })).toBe(false)
  })

  it("may load if the policy lists every hash of its integrity", () => {
    const policy = "script-src 'sha384-abc' 'sha256-def'"
    expect(isScriptAllowed(policy, { integrity: "sha384-abc" })).toBe(true)
    expect(isScriptAllowed(policy, { integrity: "sha384-abc sha256-def" })).toBe(true)
    expect(isScriptAllowed(policy, { integrity: "sha384-abc sha512-ghi" })).toBe(false)
    expect(isScriptAllowed(policy, { integrity: "" })).toBe(false)
  })

  it.each([
    ["https://tidewater.example/p/x.js", true],
    ["https://shop.tidewater.example/p/x.js", false],
    ["https://tidewater.example:8443/p/x.js", false],
    ["http://tidewater.example/p/x.js", false],
  ])("from %s matches 'self': %s", (url, expected) => {
    expect(isScriptAllowed("script-src 'self'", { url })).toBe(expected)
  })

  it("on a page over http: a host without a scheme also allows http:", () => {
    const asked = { page: "http://tidewater.example/", url: "http://t.example/p/x.js" }
    expect(isScriptAllowed("script-src t.example", asked)).toBe(true)
    expect(isScriptAllowed("script-src t.example", { url: asked.url })).toBe(false)
  })
})

describe("sending", () => {
  it.each([
    ["connect-src https://t.example/p/", true],
    ["connect-src 'self'", false],
    ["default-src 'self'", false],
    ["default-src 'self'; connect-src t.example", true],
    ["script-src 'none'", true],
  ])("under %j is allowed: %s", (policy, expected) => {
    expect(isConnectAllowed(policy)).toBe(expected)
  })
})
