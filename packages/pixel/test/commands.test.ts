/** A page's commands, and which are rejected (spec 6.7). */
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import fc from "fast-check"
import { openPage, SCRIPT_URL } from "./support/page.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test("identify sends the address trimmed and lower-cased, with the traits", async () => {
  const page = openPage()

  page.run(`footfall.identify("  Jane@Acme.Example ", {
    firstName: "Jane", lastName: "Mercer", jobTitle: "VP", companyName: "Acme",
    companyDomain: "acme.example", phone: "+14155550134", custom: { external_id: "42" },
  })`)
  await page.advance(5000)

  expect(page.events("identify")).toEqual([
    expect.objectContaining({
      email: "jane@acme.example",
      url: "https://www.tidewater.example/",
      traits: {
        firstName: "Jane",
        lastName: "Mercer",
        jobTitle: "VP",
        companyName: "Acme",
        companyDomain: "acme.example",
        phone: "+14155550134",
        custom: { external_id: "42" },
      },
    }),
  ])
})

test("identify sends nothing from a browser with a privacy signal", async () => {
  const before = "Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })"
  const page = openPage({ before })

  page.run("footfall.identify('jane@acme.example')")
  await page.advance(5000)

  expect(page.events("identify")).toEqual([])
})

test("identify accepts a SHA-256 hash instead of the address, and then sends no address", async () => {
  const page = openPage()

  page.run(`footfall.identify({ emailHash: " ${"AB".repeat(32)} " })`)
  await page.advance(5000)

  expect(page.events("identify")[0]).toMatchObject({ emailHash: "ab".repeat(32) })
  expect(page.events("identify")[0]).not.toHaveProperty("email")
})

test.each([
  "''",
  "'jane'",
  "'jane@'",
  "'@acme.example'",
  "'jane@acme'",
  "'a b@acme.example'",
  "'jane@acme.example, joe@acme.example'",
  "`${'x'.repeat(65)}@acme.example`",
  "undefined",
  "null",
  "42",
  "{}",
  "{ email: 'jane@acme.example' }",
  "{ emailHash: 'abc' }",
  "{ emailHash: 'jane@acme.example' }",
  "'" + "ab".repeat(32) + "'",
])("identify(%s) is rejected without an error in the page", async (subject) => {
  const page = openPage()

  page.run(`footfall.identify(${subject})`)
  await page.advance(5000)

  expect(page.events("identify")).toEqual([])
})

test("an address of at most 64 + 1 + 255 characters is sent", async () => {
  const page = openPage()
  const longest = `${"x".repeat(64)}@${"y".repeat(191)}.${"z".repeat(63)}`

  page.run(`footfall.identify("${longest}"); footfall.identify("${longest}z")`)
  await page.advance(5000)

  expect(page.events("identify").map((event) => event["email"])).toEqual([longest])
})

test("the same identity is sent once, and again after a change of address or traits", async () => {
  const page = openPage()

  page.run(`
    footfall.identify("jane@acme.example")
    footfall.identify("JANE@acme.example ")
    footfall.identify("jane@acme.example", { firstName: "Jane" })
    footfall.identify("joe@acme.example")
  `)
  await page.advance(5000)

  expect(page.events("identify")).toHaveLength(3)
})

test("identify is sent with the title of a page view made just before", async () => {
  const page = openPage()

  page.run("history.pushState({}, '', '/app'); footfall.identify('jane@acme.example')")
  page.run("document.title = 'App'")
  await page.advance(5000)

  expect(page.events("page")[1]).toMatchObject({ title: "App" })
})

test("track cuts a name to 64 characters; the server rejects an event without one", async () => {
  const page = openPage()

  page.run(`footfall.track("buy"); footfall.track("x".repeat(65))`)
  await page.advance(5000)

  expect(page.events("track").map((event) => event["name"])).toEqual(["buy", "x".repeat(64)])
})

test("props keep at most 20 strings, numbers and booleans, cut to size, and nothing else", async () => {
  const page = openPage()

  page.run(`
    const many = {}
    for (let index = 0; index < 21; index++) many["k" + index] = index
    footfall.track("many", many)
    footfall.track("mixed", {
      text: "x".repeat(256), number: 1.5, yes: true, ["k".repeat(65)]: "cut",
      nan: NaN, infinite: Infinity, none: null, missing: undefined, list: [1], object: {}, call() {},
    })
    footfall.track("odd", "text")
  `)
  await page.advance(5000)

  const props = page.events("track").map((event) => event["props"])
  expect(Object.keys(props[0] as object)).toHaveLength(20)
  expect(props[1]).toEqual({
    text: "x".repeat(255),
    number: 1.5,
    yes: true,
    ["k".repeat(64)]: "cut",
  })
  expect(props[2]).toEqual({})
})

test("commands pushed before loading run in order, after the first page view", async () => {
  const page = openPage({
    before: `
      window.footfall = window.footfall || []
      footfall.push(["track", "first"])
      footfall.push(["identify", "jane@acme.example"], ["track", "second"])
    `,
  })

  await page.advance(5000)

  expect(page.events().map((event) => event["name"] ?? event["type"])).toEqual([
    "page",
    "first",
    "identify",
    "second",
  ])
})

test("after loading, push runs a command immediately", async () => {
  const page = openPage()

  page.run(`footfall.push(["track", "one"], ["track", "two", { n: 2 }])`)
  await page.advance(5000)

  expect(page.events("track").map((event) => event["name"])).toEqual(["one", "two"])
})

test.each([
  "['nothing']",
  "['constructor']",
  "['__proto__']",
  "null",
  "undefined",
  "42",
  "[]",
  "{}",
])("push(%s) does nothing and throws nothing, also before loading", async (call) => {
  const page = openPage({ before: `window.footfall = [${call}, ["track", "kept"]]` })

  page.run(`footfall.push(${call}); footfall.push()`)
  await page.advance(5000)

  expect(page.events("track")).toHaveLength(1)
})

test("ready runs the callback in its own task, before and after loading", async () => {
  const page = openPage({
    before: "window.said = []; window.footfall = [['ready', () => said.push('early')]]",
  })

  page.run("footfall.ready(() => said.push('late')); footfall.ready('nonsense')")
  expect(page.run("said.join()")).toBe("")
  await page.advance(0)

  expect(page.run("said.join()")).toBe("early,late")
})

test("reset creates a new id for later events and keeps the old one for earlier events", async () => {
  const page = openPage()
  const before = page.run("footfall.getVisitorId()")

  page.run("footfall.track('old'); footfall.reset(); footfall.track('new')")
  await page.advance(5000)

  const after = page.run("footfall.getVisitorId()")
  expect(after).not.toBe(before)
  expect(page.batches().map((batch) => batch["anonymousId"])).toEqual([before, after])
  expect(page.window.document.cookie).toBe("footfall_id=" + after)
})

test("after reset the same person is sent again", async () => {
  const page = openPage()

  page.run("footfall.identify('jane@acme.example'); footfall.reset()")
  page.run("footfall.identify('jane@acme.example')")
  await page.advance(5000)

  expect(page.events("identify")).toHaveLength(2)
})

test("a rejected command is logged to the console only with data-debug", async () => {
  const debug = openPage({ attributes: { "data-debug": "" } })
  const quiet = openPage()

  for (const page of [debug, quiet]) page.run("footfall.identify('not-an-address')")
  await debug.advance(5000)

  expect(debug.consoleLines).toEqual(["debug footfall: not-an-address"])
  expect(debug.batches()[0]).toMatchObject({ debug: true })
  expect(quiet.consoleLines).toEqual([])
})

test("the same pixel loaded twice counts once", async () => {
  const page = openPage()

  page.load()
  page.run("footfall.track('once'); history.pushState({}, '', '/b')")
  await page.advance(5000)

  expect(page.events().map((event) => event["type"])).toEqual(["page", "track", "page"])
})

test("two pixels on a page both get every command, including early ones, and share one id", async () => {
  const other = "11111111-2222-4333-8444-555555555555"
  const page = openPage({ before: "window.footfall = [['track', 'early']]" })

  page.run(`
    document.head.firstChild.src = "${SCRIPT_URL}".replace(/[0-9a-f-]{36}/, "${other}")
  `)
  page.load({ id: other })
  page.run("footfall.track('late'); footfall.push(['identify', 'jane@acme.example'])")
  await page.advance(5000)

  const sent = (id: string) =>
    page.requests.filter(({ address }) => address.includes(id)).map(({ batch }) => batch)
  const [first, second] = [sent("cdd19037"), sent(other)].map((batches) =>
    batches.flatMap((batch) => batch.events).map((event) => event["name"] ?? event["type"]),
  )
  expect(first).toEqual(["page", "early", "late", "identify"])
  expect(second).toEqual(["page", "early", "late", "identify"])
  expect(new Set(page.batches().map((batch) => batch["anonymousId"])).size).toBe(1)
})

test("whatever a page passes, no command throws and every batch is valid", async () => {
  const page = openPage()
  const name = fc.constantFrom(
    "page",
    "identify",
    "track",
    "push",
    "ready",
    "reset",
    "getVisitorId",
  )

  fc.assert(
    fc.property(name, fc.anything(), fc.anything(), (command, first, second) => {
      Object.assign(page.window, { given: [first, second] })
      page.run(`footfall.${command}(given[0], given[1])`)
    }),
  )
  await page.advance(5000)

  // The fake server has parsed every body.
  expect(page.requests.length).toBeGreaterThan(0)
})
