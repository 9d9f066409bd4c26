/** Pages that break things: the page and the script both keep working (spec 6.1, Failure). */
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { openPage } from "./support/page.ts"
import { PIXEL_ID, scriptText } from "./support/script.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  ["toJSON on Array, as old libraries add it", "Array.prototype.toJSON = () => 'broken'"],
  ["enumerable members on Object", "Object.prototype.extra = () => {}"],
  ["no array iterator", "delete Array.prototype[Symbol.iterator]"],
  [
    "array methods that throw",
    "for (const name of Object.getOwnPropertyNames(Array.prototype)) if (name !== 'constructor' && typeof Array.prototype[name] === 'function') Array.prototype[name] = () => { throw new Error(name) }",
  ],
  ["frozen JSON and Object", "Object.freeze(JSON); Object.freeze(Object)"],
  ["frozen history", "Object.freeze(history)"],
  [
    "frozen prototypes",
    "for (const it of [Object, Array, Promise, String]) Object.freeze(it.prototype)",
  ],
  [
    "promises that throw",
    "Promise.prototype.then = Promise.prototype.catch = () => { throw new Error('patched') }; window.Promise = () => { throw new Error('replaced') }",
  ],
  [
    "properties that look like copies of batches",
    "Object.prototype.footfall_ = 1; localStorage.footfall_ = 'x'",
  ],
  ["no Intl", "delete window.Intl"],
  ["a broken URL", "window.URL = undefined; window.URLSearchParams = undefined"],
  ["a broken console", "window.console = undefined"],
])("events arrive on a page with %s", async (_what, before) => {
  const page = openPage({ before })

  page.run("footfall.track('buy', { n: 1 }); footfall.identify('jane@acme.example')")
  await page.advance(5000)

  expect(page.events().map((event) => event["type"])).toEqual(["page", "track", "identify"])
  expect(page.events("track")[0]).toMatchObject({ props: { n: 1 } })
})

test.each([
  ["a function", "window.footfall = () => 'mine'", "footfall()"],
  ["an object", "window.footfall = { identify: () => 'mine' }", "footfall.identify()"],
])(
  "a window.footfall that is %s of the page is not changed, and pages still count",
  async (_what, before, use) => {
    const page = openPage({ before })

    await page.advance(5000)

    expect(page.run(use)).toBe("mine")
    expect(page.events("page")).toHaveLength(1)
  },
)

test.each(["crypto", "history", "fetch", "Request", "document.querySelector"])(
  "without %s nothing is thrown into the page",
  async (name) => {
    const page = openPage({
      before: `Object.defineProperty(window, "${name}", { value: undefined })`,
    })

    await page.advance(30_000)

    expect(page.consoleLines).toEqual([])
  },
)

test("without currentScript the tag is found by the pixel's id", async () => {
  const page = openPage({ before: "window.addEventListener('never', () => {})" })
  const other = "11111111-2222-4333-8444-555555555555"

  page.run(`
    const tag = document.createElement("script")
    tag.setAttribute("src", "https://pixel.example/p/${other}.js?plan=found")
    document.head.appendChild(tag)
  `)
  page.run(scriptText({ id: other }))
  await page.advance(5000)

  const request = page.requests.find(({ address }) => address.includes(other))
  expect(request?.batch["attribution"]).toEqual({ plan: "found" })
})

test.each([
  ["of another pixel", "https://pixel.example/p/11111111-2222-4333-8444-555555555555.js"],
  ["without a pixel", "https://cdn.example/bundle.js"],
])("a script URL %s sends nothing and throws nothing", async (_what, src) => {
  const page = openPage({ src })

  await page.advance(5000)

  expect(page.requests).toEqual([])
  expect(page.run("typeof footfall")).toBe("undefined")
})

test.each(["footfall", "variants/core"])("%s adds no globals but its own", (script) => {
  const page = openPage({ script })
  const globals = Object.getOwnPropertyNames(openPage({ script: "none" }).window)

  // `eval` below shares the scope of scripts.
  const added = Object.getOwnPropertyNames(page.window).filter((name) => !globals.includes(name))

  expect(added).toEqual([`footfall_${PIXEL_ID}`, "footfall"])
  expect(page.run("typeof e")).toBe("undefined")
})

test("the built file has the settings placeholder exactly once, as the server relies on", () => {
  expect(scriptText()).toContain(JSON.stringify({ id: PIXEL_ID }))
  expect(scriptText().includes("__FOOTFALL_SETTINGS__")).toBe(false)
})

test("a failing ready callback is the page's own error and does not stop other commands", async () => {
  const page = openPage({
    before: "window.footfall = [['ready', () => { throw new Error('mine') }], ['track', 'kept']]",
  })

  await expect(page.advance(0)).rejects.toThrow("mine")
  await page.advance(5000)

  expect(page.events("track")).toHaveLength(1)
})
