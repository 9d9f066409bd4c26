/** What counts as a page view, and exactly how many there are (spec 6.2). */
import { expect, test } from "vitest"
import { inBrowsers } from "../support/stage.ts"

/** The actions of a page, in order, and the path of each page view they cause. */
interface Case {
  readonly name: string
  readonly moves: readonly string[]
  readonly views: readonly string[]
}

const push = (address: string) => `history.pushState({}, "", "${address}")`
const replace = (address: string) => `history.replaceState({}, "", "${address}")`
/** Resolves once the navigation has happened: `popstate` fires some time after the call. */
const move = (call: string) =>
  `new Promise((resolve) => { addEventListener("popstate", () => setTimeout(resolve), { once: true }); ${call} })`
const back = move("history.back()")
const forward = move("history.forward()")

/** Moves that a browser makes in its own time, and says so. */
const traversals: readonly Case[] = [
  { name: "the first page is 1 view", moves: [], views: ["/"] },
  {
    name: "back and forward across two paths are 2 views",
    moves: [push("/a"), back, forward],
    views: ["/", "/a", "/", "/a"],
  },
  {
    name: "back across a query change is not a view",
    moves: [push("/?page=2"), back, forward],
    views: ["/"],
  },
  {
    name: "a hash change is not a view in auto mode, and neither is going back",
    moves: [move('location.hash = "end"'), push("/#top"), back],
    views: ["/"],
  },
]

/** The script sees these moves as calls of functions. */
const calls: readonly Case[] = [
  {
    name: "each pushState to another path is 1 more view",
    moves: [push("/a"), push("/b")],
    views: ["/", "/a", "/b"],
  },
  { name: "pushState to the same path is not a view", moves: [push("/"), push("")], views: ["/"] },
  {
    name: "pushState that only changes the query is not a view",
    moves: [push("/?page=2"), push("?page=3")],
    views: ["/"],
  },
  { name: "replaceState to the same path is not a view", moves: [replace("/")], views: ["/"] },
  {
    name: "replaceState that only changes the query is not a view",
    moves: [replace("?q=1")],
    views: ["/"],
  },
  { name: "replaceState to another path is 1 view", moves: [replace("/r")], views: ["/", "/r"] },
  {
    name: "returning to a path is another view",
    moves: [push("/a"), push("/"), push("/a")],
    views: ["/", "/a", "/", "/a"],
  },
]

export const pageViews = inBrowsers("page views of a single-page site", (stage, { once, rows }) => {
  test.each([...traversals, ...rows(calls)])("$name", async ({ moves, views }) => {
    stage().serve("/")
    await stage().open("/")

    for (const code of moves) await stage().run(code)

    expect(await stage().pathsAtTheEnd()).toEqual(views)
  })

  test("pushState returns and throws the same as before", async () => {
    stage().serve("/")
    await stage().open("/")

    const result = await stage().run(`[
      history.pushState({ own: 1 }, "", "/a") === undefined,
      history.state.own,
      (() => { try { history.pushState({}, "", "https://elsewhere.example/") } catch (error) { return error.name } })(),
    ]`)

    expect(result).toEqual([true, 1, "SecurityError"])
  })

  once(() => {
    test("a navigation that a router intercepts is 1 view, and so is the way back", async () => {
      stage().serve("/")
      await stage().open("/")
      const go = (call: string) => `(async () => void (await ${call}.finished))()`

      await stage().run(
        `navigation.addEventListener("navigate", (event) =>
          !event.destination.url.endsWith("/left") && event.intercept())`,
      )
      await stage().run(go(`navigation.navigate("/list")`))
      await stage().run(go(`navigation.navigate("/list?page=2")`))
      await stage().run(push("/pushed"))
      await stage().run(replace("/replaced"))
      await stage().run(go("navigation.back()"))
      await stage().run(
        `new Promise((resolve) => {
          navigation.addEventListener("navigatesuccess", () => resolve(), { once: true })
          document.body.append(Object.assign(document.createElement("a"), { href: "/clicked", id: "link" }))
          document.getElementById("link").click()
        })`,
      )

      expect(await stage().pathsAtTheEnd()).toEqual([
        "/",
        "/list",
        "/pushed",
        "/replaced",
        "/list",
        "/clicked",
      ])
    })

    test("a page with a variable named navigation loses nothing else", async () => {
      stage().serve("/", "<script>var navigation = ['Home', 'Prices']</script>" + stage().tag())
      await stage().open("/")

      await stage().run(push("/a"))

      expect(await stage().pathsAtTheEnd()).toEqual(["/", "/a"])
    })

    test("reads the title 50 ms after the navigation, when the page has set it", async () => {
      stage().serve("/")
      await stage().open("/")

      await stage().run(`history.pushState({}, "", "/a"); document.title = "Page A"`)
      await stage().run("new Promise((resolve) => setTimeout(resolve, 80))")
      await stage().pathsAtTheEnd()

      const titles = stage()
        .collector.stored("page")
        .map(({ title }) => title)
      expect(titles).toEqual(["/", "Page A"])
    })

    test("a later page of the site has no referrer", async () => {
      stage().serve("/")
      await stage().open("/")

      await stage().run(push("/a?q=1"))
      await stage().run(push("/b"))
      await stage().pathsAtTheEnd()

      const referrers = stage()
        .collector.stored("page")
        .map(({ referrer }) => referrer)
      expect(referrers).toEqual(["", "", ""])
    })
  })

  test("hash mode: each path inside the hash is 1 view; its query, an anchor, the way back and the outer path are not", async () => {
    stage().settings = { spa: "hash" }
    stage().serve("/")
    await stage().open("/#/a")

    await stage().run(move('location.hash = "#/b"'))
    await stage().run(move('location.hash = "#/b?page=2"'))
    await stage().run(push("/?outside=1#/b"))
    await stage().run(push("#/c"))
    await stage().run(move('location.hash = "section"'))
    await stage().run(back)
    await stage().run(back)
    await stage().pathsAtTheEnd()

    const hashes = stage()
      .collector.stored("page")
      .map(({ url }) => new URL(String(url)).hash)
    expect(hashes).toEqual(["#/a", "#/b", "#/c", "#/b"])
  })

  test.each(
    rows([
      ["the pixel's setting", { spa: "off" }, ""],
      ["the tag, against the setting", { spa: "hash" }, 'data-spa="off"'],
    ]),
  )("spa: off by %s counts only the first page and page()", async (_by, settings, attributes) => {
    stage().settings = settings
    stage().serve("/", stage().tag({ attributes }))
    await stage().open("/")

    await stage().run(push("/a"))
    await stage().run(replace("/b"))
    await stage().run(back)
    await stage().run(push("/by-hand"))
    await stage().run("footfall.page({ tab: 'prices' })")

    expect(await stage().pathsAtTheEnd()).toEqual(["/", "/by-hand"])
    expect(stage().collector.stored("page")[1]).toMatchObject({ props: { tab: "prices" } })
  })
})
