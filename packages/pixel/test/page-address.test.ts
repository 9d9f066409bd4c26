/** What is sent of the page's URL (spec 6.5), and the token of an email link (6.7). */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import fc from "fast-check"
import { openPage } from "./support/page.ts"

const ORIGIN = "https://www.tidewater.example"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const sentOf = async (address: string) => {
  const page = openPage({ url: ORIGIN + address })
  await page.advance(5000)
  return page.events("page")[0]
}

const CAMPAIGN = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"]
const CLICK_IDS = [
  "gclid",
  "fbclid",
  "msclkid",
  "li_fat_id",
  "gbraid",
  "wbraid",
  "dclid",
  "ttclid",
  "twclid",
  "rdt_cid",
  "sccid",
  "epik",
]

test.each([...CAMPAIGN, ...CLICK_IDS])("%s is sent unchanged", async (key) => {
  expect((await sentOf(`/a?x=1&${key}=V%20a-l_1&y=2`))?.["url"]).toBe(
    `${ORIGIN}/a?${key}=V%20a-l_1`,
  )
})

test.each([
  "key=1",
  "api_key=1",
  "token=1",
  "password=1",
  "session=1",
  "q=shoes",
  "email=a",
  "id=1",
  "_vid2=1",
  "ref=1",
  "utm_source=jane@acme.example",
  "utm_content=jane%40acme.example",
  "gclid=sk_live_1",
  "utm_term=eyJhbGci.eyJzdWIi.x",
  "=1",
  "&&",
  "a",
  "utm_source[]=1",
])("?%s does not", async (query) => {
  expect((await sentOf("/a?" + query))?.["url"]).toBe(ORIGIN + "/a")
})

test("no other parameter is ever sent, whatever the query and the fragment", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.string(), fc.constantFrom("hunter2", "hunter2&hunter2=x", "hunter2#x"))),
      fc.constantFrom("", "#hunter2", "#/hunter2?hunter2"),
      async (pairs, fragment) => {
        const query = pairs.map(([key, value]) => `${encodeURIComponent(key)}=${value}`).join("&")
        expect(JSON.stringify(await sentOf(`/?${query}${fragment}`))).not.toContain("hunter2")
      },
    ),
    { numRuns: 40 },
  )
})

describe("hash mode", () => {
  test.each([
    ["#/pricing", "#/pricing"],
    ["#!/pricing", "#!/pricing"],
    ["#/pricing?token=hunter2", "#/pricing"],
    ["#access_token=hunter2", ""],
    ["#/a?token=hunter2#utm_source=x", "?utm_source=x#/a"],
    ["#/pricing?utm_source=letter&token=hunter2&gclid=g", "?utm_source=letter&gclid=g#/pricing"],
    ["?utm_source=first&b=1#/a?utm_source=second", "?utm_source=first&utm_source=second#/a"],
    ["#/docs/api?a=1#install", "#/docs/api"],
    ["", ""],
  ])("of the fragment %j only its path and its campaign are sent: %j", async (fragment, sent) => {
    const page = openPage({ url: `${ORIGIN}/${fragment}`, settings: { spa: "hash" } })

    await page.advance(5000)

    expect(page.events("page")[0]?.["url"]).toBe(`${ORIGIN}/${sent}`)
  })
})

test.each([
  ["#utm_source=letter&utm_medium=email", "?utm_source=letter&utm_medium=email"],
  ["#/route?utm_source=letter&q=me", "?utm_source=letter"],
  ["?UTM_Source=letter&GCLID=g&Q=me", "?UTM_Source=letter&GCLID=g"],
  ["?utm_source=letter&amp;utm_medium=email&amp;q=me", "?utm_source=letter&amp;utm_medium=email"],
  ["#section", ""],
  ["#id_token=eyJhbGciOi.x.y&utm_source=jane@harbor.example", ""],
])(
  "of the misspelled campaign %j the script sends %j, which the server reads",
  async (given, sent) => {
    const page = openPage({ url: `${ORIGIN}/${given}` })

    await page.advance(5000)

    expect(page.events("page")[0]?.["url"]).toBe(`${ORIGIN}/${sent}`)
  },
)

describe("the token of an email link", () => {
  test.each([
    ["/a?_vid=v1.x-_", "/a"],
    ["/a?_vid=v1.x-_&b=1", "/a?b=1"],
    ["/a?b=1&_vid=v1.x-_", "/a?b=1"],
    ["/a&b?c=1&_vid=v1.x-_&d=2#e&f", "/a&b?c=1&d=2#e&f"],
  ])("in %s is sent with the page view, and %s stays in the address bar", async (given, left) => {
    const page = openPage({
      url: ORIGIN + given,
      before: "history.replaceState({ own: 1 }, '')",
    })

    await page.advance(5000)

    expect(page.run("location.href")).toBe(ORIGIN + left)
    expect(page.run("history.state.own")).toBe(1)
    expect(page.events("page")).toHaveLength(1)
    expect(page.events("page")[0]).toMatchObject({ linkToken: "v1.x-_" })
    expect(String(page.events("page")[0]?.["url"])).not.toContain("_vid")
  })

  test("is sent once", async () => {
    const page = openPage({ url: ORIGIN + "/?_vid=token" })

    page.run("history.pushState({}, '', '/b'); footfall.page()")
    await page.advance(5000)

    expect(page.events("page").filter((event) => "linkToken" in event)).toHaveLength(1)
  })

  test("is not sent under Global Privacy Control, but is still removed from the address bar", async () => {
    const page = openPage({
      url: ORIGIN + "/?_vid=token",
      before: "Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })",
    })

    await page.advance(5000)

    expect(page.run("location.search")).toBe("")
    expect(page.events("page")[0]).not.toHaveProperty("linkToken")
  })

  test("is sent on a page whose history is frozen", async () => {
    const page = openPage({
      url: ORIGIN + "/?_vid=token",
      before: "history.replaceState = () => { throw new Error('refused') }",
    })

    await page.advance(5000)

    expect(page.events("page")).toHaveLength(1)
  })
})

test.each(["key", "api_key", "token", "secret", "password", "auth"])(
  "props and traits.custom drop the key %s with a warning that hides the value",
  async (key) => {
    const page = openPage()

    page.run(`footfall.track("buy", { plan: "pro", ${key}: "hunter2" })`)
    page.run(`footfall.page({ ${key}: "hunter2" })`)
    page.run(`footfall.identify("jane@acme.example", { custom: { ${key}: "hunter2" } })`)
    await page.advance(5000)

    expect(JSON.stringify(page.batches())).not.toContain("hunter2")
    expect(page.events("track")[0]).toMatchObject({ props: { plan: "pro" } })
    expect(page.consoleLines).toEqual(Array(3).fill(`warn footfall: secret: ${key}`))
  },
)

test.each(["sk_live_1", " sk_live_1", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"])(
  "props drop the value %s",
  async (value) => {
    const page = openPage()

    page.run(`footfall.track("buy", { plan: "pro", note: "${value}" })`)
    await page.advance(5000)

    expect(page.events("track")[0]?.["props"]).toEqual({ plan: "pro" })
  },
)
