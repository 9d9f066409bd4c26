/** Custom attribution from the script's URL and from traits (spec 6.5). */
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { openPage, SCRIPT_URL } from "./support/page.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const attributionOf = async (query: string) => {
  const page = openPage({ src: SCRIPT_URL + query })
  await page.advance(5000)
  return { kept: page.batches()[0]?.["attribution"], logged: page.consoleLines }
}

test("every parameter is a decoded label; the first value of a repeated key counts", async () => {
  const { kept } = await attributionOf("?plan=trial&team=a%20b+c&plan=other&constructor=x&empty=")

  expect(kept).toEqual({ plan: "trial", team: "a b c", constructor: "x", empty: "" })
})

test.each(["key", "api_key", "apikey", "token", "secret", "password", "auth", "Token"])(
  "the key %s is a secret: dropped with a warning that hides the value",
  async (key) => {
    const { kept, logged } = await attributionOf(`?plan=a&${key}=hunter2`)

    expect(kept).toEqual({ plan: "a" })
    expect(logged).toEqual([`warn footfall: secret: ${key}`])
  },
)

test("warns once, not with every batch", async () => {
  const page = openPage({ src: SCRIPT_URL + "?token=hunter2" })

  await page.advance(5000)
  page.run("footfall.track('later')")
  await page.advance(5000)

  expect(page.requests).toHaveLength(2)
  expect(page.consoleLines).toHaveLength(1)
})

test.each(["sk_live_abc", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"])(
  "a value like %s is a secret under any key",
  async (value) => {
    const { kept, logged } = await attributionOf(`?plan=a&note=${value}`)

    expect(kept).toEqual({ plan: "a" })
    expect(logged).toEqual(["warn footfall: secret: note"])
  },
)

test.each(["a", "A_b.c-9", "k".repeat(64)])("the key %s is kept", async (key) => {
  expect((await attributionOf(`?${key}=1`)).kept).toEqual({ [key]: "1" })
})

test("a label that is too long is sent, cut to size", async () => {
  const { kept, logged } = await attributionOf("?v=3&9a=1&" + "k".repeat(65) + "=1")

  expect(kept).toEqual({ v: "3", "9a": "1", ["k".repeat(64)]: "1" })
  expect(logged).toEqual([])
})

test("keeps at most 20 keys", async () => {
  const query = Array.from({ length: 21 }, (_, index) => `k${index}=1`).join("&")

  expect(Object.keys((await attributionOf("?" + query)).kept as object)).toHaveLength(20)
})

test("a value is cut to 255 characters and loses NUL, which would make the server reject the batch", async () => {
  const { kept } = await attributionOf("?a=" + "x".repeat(256) + "&b=1%002")

  expect(kept).toEqual({ a: "x".repeat(255), b: "12" })
})

test("traits.custom follows the same rules; the server converts its values to text", async () => {
  const page = openPage()

  page.run(`footfall.identify("jane@acme.example", {
    custom: { v: "3", plan: 5, token: "hunter2", list: [1] },
  })`)
  await page.advance(5000)

  expect(page.events("identify")[0]?.["traits"]).toEqual({ custom: { v: "3", plan: 5 } })
  expect(page.consoleLines).toEqual(["warn footfall: secret: token"])
})

test.each([
  [`"Harbor"`, "Harbor"],
  [
    `{ name: "Harbor", domain: "harbor.example", plan: { nested: 1 } }`,
    { name: "Harbor", domain: "harbor.example" },
  ],
])(
  "traits.company is sent as a text or as an object of plain values: %s",
  async (code, company) => {
    const page = openPage()

    page.run(`footfall.identify("jane@harbor.example", { company: ${code} })`)
    await page.advance(5000)

    expect(page.events("identify")[0]?.["traits"]).toEqual({ company, custom: {} })
  },
)
