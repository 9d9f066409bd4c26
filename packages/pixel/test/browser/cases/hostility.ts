/**
 * Pages that break things (spec 6.1, Failure): no error reaches the page, the page works, and the script works where it
 * can. Every test ends without an uncaught error.
 */
import { expect, test } from "vitest"
import { inBrowsers } from "../support/stage.ts"

export const hostility = inBrowsers("a hostile page", (stage, { once, rows }) => {
  test.each(
    rows([
      ["JSON is frozen", "Object.freeze(JSON)"],
      [
        "Object, Array, Promise and their prototypes are frozen",
        "for (const it of [Object, Array, Promise]) { Object.freeze(it); Object.freeze(it.prototype) }",
      ],
      [
        "Array.prototype has methods that throw",
        `for (const name of ["push", "map", "forEach", "filter", "slice", "join", "concat", "indexOf", "some", "shift", "splice"])
         Array.prototype[name] = () => { throw new Error("patched " + name) }`,
      ],
      [
        "old libraries gave Array and String a toJSON",
        "Array.prototype.toJSON = String.prototype.toJSON = function () { return 'broken' }; Object.prototype.toJSON = undefined",
      ],
      [
        "Object.prototype has enumerable members",
        "Object.prototype.extra = () => {}; Object.prototype.value = 1",
      ],
      ["Promise is replaced", "window.Promise = function () { throw new Error('no promises') }"],
      [
        "Promise.prototype.then throws for the page's own scripts",
        "Promise.prototype.catch = () => { throw new Error('patched catch') }",
      ],
      [
        "Function.prototype.apply and call are patched",
        "Function.prototype.call = Function.prototype.bind = () => { throw new Error('patched') }",
      ],
      [
        "requestIdleCallback, Intl and the console are gone",
        "delete window.requestIdleCallback; window.Intl = undefined; window.console = undefined",
      ],
      ["URL and URLSearchParams are gone", "window.URL = window.URLSearchParams = undefined"],
    ]),
  )("%s: views and commands arrive", async (_what, code) => {
    stage().serve("/", `<script>{ ${code} }</script>${stage().tag()}`)
    await stage().page.goto(`${stage().collector.origin()}/`)
    await expect.poll(() => stage().page.evaluate("typeof window.footfall")).toBe("object")

    await stage().run("footfall.track('buy', { n: 1 }); history.pushState({}, '', '/b'); undefined")
    await stage().leave()
    await stage().collector.waitFor("track", 1)
    await stage().collector.waitFor("page", 2)

    expect(stage().paths()).toEqual(["/", "/b"])
    expect(stage().collector.stored("track")).toMatchObject([{ name: "buy", props: { n: 1 } }])
  })

  test("history is frozen: it works as before, and events that need no wrapping arrive", async () => {
    stage().serve("/", `<script>Object.freeze(history)</script>${stage().tag()}`)
    await stage().open("/")

    await stage().run("history.pushState({}, '', '/b')")

    expect(await stage().run("location.pathname")).toBe("/b")
    expect(await stage().pathsAtTheEnd()).toContain("/")
  })

  once(() => {
    test("fetch is wrapped by something slow: events arrive while the page is open", async () => {
      const slow = `{
      const real = fetch
      window.fetch = async (...all) => {
        await new Promise((resolve) => setTimeout(resolve, 50))
        return real(...all)
      }
    }`
      stage().serve("/", `<script>${slow}</script>${stage().tag()}`)
      await stage().open("/")

      await stage().run("footfall.identify('jane@acme.example')")

      await stage().collector.waitFor("identify", 1)
      expect(stage().paths()).toEqual(["/"])
    })
  })

  test.each(
    rows([
      ["fetch", "window.fetch = undefined"],
      ["fetch that throws", "window.fetch = () => { throw new Error('no') }"],
      ["crypto", "Object.defineProperty(window, 'crypto', { value: undefined })"],
      [
        "addEventListener",
        "EventTarget.prototype.addEventListener = () => { throw new Error('no') }",
      ],
      ["setTimeout", "window.setTimeout = () => { throw new Error('no') }"],
      ["JSON", "window.JSON = undefined"],
      [
        "querySelector",
        "Document.prototype.querySelector = Document.prototype.querySelectorAll = undefined",
      ],
      ["pushState", "History.prototype.pushState = undefined"],
    ]),
  )("without %s nothing is thrown into the page", async (_what, code) => {
    stage().serve(
      "/",
      `<script>${code}</script>${stage().tag()}<script>document.documentElement.dataset.page = "works"</script>`,
    )

    await stage().page.goto(`${stage().collector.origin()}/`)
    await stage().run("window.footfall && footfall.track && footfall.track('try'); undefined")
    await stage().leave()

    expect(stage().pageErrors).toEqual([])
  })

  test.each(
    rows([
      [
        "an element of that id",
        "document.write('<b id=footfall>mine</b>')",
        "footfall.textContent",
      ],
      ["a function", "window.footfall = () => 'mine'", "footfall()"],
      ["an object", "window.footfall = { identify: () => 'mine' }", "footfall.identify()"],
      [
        "a frozen property",
        "Object.defineProperty(window, 'footfall', { value: { own: 'mine' } })",
        "footfall.own",
      ],
    ]),
  )(
    "window.footfall is %s of the page: it is not changed, and pages still count",
    async (_what, code, use) => {
      stage().serve("/", `<script>${code}</script>${stage().tag()}`)
      await stage().page.goto(`${stage().collector.origin()}/`)
      await stage().run("history.pushState({}, '', '/b')")

      const own = await stage().run(use)
      await stage().leave()
      await stage().collector.waitFor("page", 2)

      expect(own).toBe("mine")
      expect(stage().paths()).toEqual(["/", "/b"])
    },
  )

  test("a sandboxed frame, where touching any storage throws, still counts", async () => {
    stage().serve("/frame")
    stage().serve("/", `<iframe sandbox="allow-scripts" src="/frame"></iframe>`)

    await stage().page.goto(`${stage().collector.origin()}/`)
    await stage().collector.waitFor("page", 1)

    expect(stage().paths()).toEqual(["/frame"])
    expect(stage().collector.batches[0]?.["anonymousId"]).toEqual(expect.any(String))
  })

  test.each(
    rows([
      [
        "storage that throws",
        "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError') } })",
      ],
      [
        "storage that is full",
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }",
      ],
      [
        "cookies that are refused",
        "Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} })",
      ],
      [
        "cookies that throw",
        "Object.defineProperty(Document.prototype, 'cookie', { get() { throw new DOMException('blocked', 'SecurityError') }, set() { throw new DOMException('blocked', 'SecurityError') } })",
      ],
    ]),
  )("%s: views and commands arrive, and a rejected batch is retried", async (_what, code) => {
    stage().collector.answers.push({ status: 503 })
    stage().serve("/", `<script>${code}</script>${stage().tag()}`)
    await stage().open("/")

    await stage().run("footfall.identify('jane@acme.example'); history.pushState({}, '', '/b')")
    await stage().collector.waitFor("identify", 1)
    await stage().leave()
    await stage().collector.waitFor("page", 2)

    expect(stage().paths()).toEqual(["/", "/b"])
  })

  const policies = (origin: string) => ({
    "a nonce": `default-src 'none'; img-src 'self'; script-src 'nonce-abc'; connect-src ${origin}/p/`,
    "the addresses of embed.contentSecurityPolicy": `default-src 'none'; img-src 'self'; script-src ${origin}/p/; connect-src ${origin}/p/`,
    "Trusted Types required": `default-src 'none'; img-src 'self'; script-src 'nonce-abc'; connect-src ${origin}/p/; require-trusted-types-for 'script'; trusted-types 'none'`,
    "strict-dynamic": `script-src 'nonce-abc' 'strict-dynamic'; object-src 'none'; base-uri 'none'`,
  })
  test.each([
    "a nonce",
    "the addresses of embed.contentSecurityPolicy",
    "Trusted Types required",
    "strict-dynamic",
  ] as const)(
    "a content security policy with %s is enough and reports no violation",
    async (kind) => {
      const tag = stage().tag({ attributes: 'nonce="abc"' })
      stage().serve("/", tag, {
        "content-security-policy": policies(stage().collector.origin())[kind],
      })
      await stage().before(
        "window.violations = []; addEventListener('securitypolicyviolation', ({ blockedURI }) => violations.push(blockedURI))",
      )
      await stage().page.goto(`${stage().collector.origin()}/`)
      await expect.poll(() => stage().run("typeof window.footfall")).toBe("object")

      await stage().run("history.pushState({}, '', '/b')")
      const violations = await stage().run("violations")
      await stage().leave()
      await stage().collector.waitFor("page", 2)

      expect(violations).toEqual([])
      expect(stage().paths()).toEqual(["/", "/b"])
    },
  )

  test("a policy that blocks the collect URL does not affect the page", async () => {
    stage().serve("/", stage().tag({ attributes: 'nonce="abc"' }), {
      "content-security-policy": "default-src 'none'; img-src 'self'; script-src 'nonce-abc'",
    })
    await stage().page.goto(`${stage().collector.origin()}/`)
    await expect.poll(() => stage().run("typeof window.footfall")).toBe("object")

    await stage().run("footfall.identify('jane@acme.example')")
    await stage().leave()

    expect(stage().collector.attempts).toEqual([])
    // Firefox reports the blocked request as an error, but the policy caused it, not the script.
    stage().expectedErrors.push("Content-Security-Policy")
  })

  once(() => {
    test("wrong arguments of commands are logged only with data-debug", async () => {
      stage().serve("/", stage().tag({ attributes: "data-debug" }))
      await stage().open("/")

      await stage().run(`
      for (const wrong of [undefined, null, 0, "", {}, [], Symbol("s"), () => {}, document]) {
        for (const name of ["page", "identify", "track", "consent", "push"]) footfall[name](wrong, wrong)
      }
      footfall.push(["nothing"]); footfall.push(null); undefined`)

      expect(await stage().pathsAtTheEnd()).not.toEqual([])
      expect(stage().consoleLines.join("\n")).toContain("footfall")
    })
  })

  test("an error in the callback of ready is the page's own", async () => {
    stage().serve(
      "/",
      `<script>(window.footfall = []).push(["ready", () => { throw new Error("mine") }], ["track", "kept"])</script>${stage().tag()}`,
    )
    await stage().open("/")
    await stage().leave()
    await stage().collector.waitFor("track", 1)

    stage().expectedErrors.push("mine")
    await expect.poll(() => stage().pageErrors.join()).toContain("mine")
  })
})
