/** Scripts that lack a part: their contents, and what they do when a tag asks for more. */
import { gzipSync } from "node:zlib"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { features, featureSets, variantName } from "../src/features.ts"
import type { Feature } from "../src/features.ts"
import { openPage, SCRIPT_URL } from "./support/page.ts"
import { builtScript, PIXEL_ID } from "./support/script.ts"

const FULL = "0123456789abcdef"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test("there is a script for every set of features, each with one settings placeholder", () => {
  const names = featureSets.map((chosen) => variantName(chosen))

  expect(new Set(names).size).toBe(2 ** features.length)
  for (const name of [...names.map((name) => "variants/" + name), "footfall"]) {
    expect(builtScript(name).split("__FOOTFALL_SETTINGS__")).toHaveLength(2)
  }
})

test("the script with every feature is footfall.js", () => {
  expect(builtScript("variants/" + variantName(features))).toBe(builtScript("footfall"))
})

test("the order in which features are given makes no difference", () => {
  expect(variantName(["paths", "consent", "consent"])).toBe("consent-paths")
  expect(variantName([])).toBe("core")
})

test.each(features)("a script without %s does not contain its code", (feature) => {
  const without = features.filter((other) => other !== feature)
  const placeholders = {
    capture: "autocomplete",
    consent: "dataLayer",
    hash: "hashchange",
    options: "doNotTrack",
    paths: "unescape",
  }

  expect(builtScript("footfall")).toContain(placeholders[feature])
  expect(builtScript("variants/" + variantName(without))).not.toContain(placeholders[feature])
  expect(gzipSync(builtScript("variants/core")).length).toBeLessThan(
    gzipSync(builtScript("variants/" + feature)).length,
  )
})

const wishes: readonly (readonly [Feature, string, string])[] = [
  ["capture", "data-email-capture", "forms"],
  ["consent", "data-consent", "required"],
  ["hash", "data-spa", "hash"],
  ["options", "data-cookies", "none"],
  ["options", "data-cookie-domain", "tidewater.example"],
  ["options", "data-respect-dnt", "true"],
  ["options", "data-spa", "off"],
  ["paths", "data-exclude", "/a"],
  ["paths", "data-include", "/a"],
]

test.each(wishes)(
  "without %s a tag with %s=%s loads the full script and does nothing itself",
  async (feature, name, value) => {
    const page = openPage({
      script: "variants/" + variantName(features.filter((other) => other !== feature)),
      src: SCRIPT_URL + "?plan=trial",
      settings: { full: FULL, consent: "granted" },
      attributes: {
        [name]: value,
        "data-cookie-domain": "tidewater.example",
        integrity: "sha384-x",
        crossorigin: "anonymous",
        nonce: "abc",
      },
      // As in a browser, the property that is set isn't the attribute.
      before: `Object.defineProperty(HTMLScriptElement.prototype, "nonce", {
        configurable: true,
        get() { return this.ownNonce || this.getAttribute("nonce") },
        set(value) { this.ownNonce = value },
      })`,
    })

    await page.advance(60_000)
    page.run("dispatchEvent(new Event('pagehide'))")

    expect(page.run("typeof footfall")).toBe("undefined")
    expect(page.requests).toEqual([])
    expect(page.window.document.cookie).toBe("")
    expect(page.window.localStorage.length).toBe(0)
    const [, copy] = page.window.document.querySelectorAll("script")
    expect(copy?.getAttribute("src")).toBe(`https://pixel.example/p/${PIXEL_ID}.${FULL}.js`)
    expect(copy?.hasAttribute("integrity")).toBe(false)
    expect(Reflect.get(copy ?? {}, "nonce")).toBe("abc")
  },
)

test("the immutable form of the address leads to the full script too", () => {
  const page = openPage({
    script: "variants/core",
    src: `https://pixel.example/p/${PIXEL_ID}.fedcba9876543210.js`,
    settings: { full: FULL },
    attributes: { "data-consent": "required" },
  })

  expect(page.window.document.querySelectorAll("script")[1]?.getAttribute("src")).toBe(
    `https://pixel.example/p/${PIXEL_ID}.${FULL}.js`,
  )
})

test("if the page blocks another script, nothing is stored, sent or thrown", async () => {
  const page = openPage({
    script: "variants/core",
    settings: { full: FULL },
    attributes: { "data-consent": "required" },
    before: "document.createElement = () => { throw new TypeError('Trusted Types') }",
  })

  await page.advance(60_000)

  expect(page.requests).toEqual([])
  expect(page.window.document.cookie).toBe("")
})

test("the core works without optional features", async () => {
  const page = openPage({ script: "variants/core", settings: { consent: "granted" } })

  page.run(
    "history.pushState({}, '', '/b'); footfall.track('buy'); footfall.identify('jane@acme.example')",
  )
  await page.advance(5000)

  expect(page.events().map(({ type }) => type)).toEqual(["page", "page", "track", "identify"])
  expect(page.batches()[0]).toMatchObject({ consent: "granted" })
  page.run("footfall.consent('denied'); footfall.track('no')")
  await page.advance(5000)
  expect(page.events("track")).toHaveLength(1)
})
