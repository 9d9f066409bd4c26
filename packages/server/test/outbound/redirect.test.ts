// Redirects past the guard. Only loopback addresses are reachable here, so one of them plays the public internet:
// 127.0.0.1 counts as public, and all others keep their verdict.
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { lookupOf, readPage, refusalOf, textOf } from "./outbound-layer.ts"
import { startWebServer, type WebServer } from "./web-server.ts"

vi.mock(import("../../src/platform/outbound/public-address.ts"), async (original) => {
  const real = await original()
  return {
    ...real,
    isPublicAddress: (text: string) => text === "127.0.0.1" || real.isPublicAddress(text),
  }
})

let open: WebServer
let inner: WebServer
beforeAll(async () => {
  open = await startWebServer((request, response) => {
    const to = new URL(request.url ?? "/", "http://open.example").searchParams.get("to")
    if (to === null) response.end("arrived")
    else response.writeHead(302, { location: to }).end("moved")
  })
  // The same port on another address, as an internal service would have it.
  inner = await startWebServer((_, response) => response.end("inner"), {
    host: "127.0.0.2",
    port: open.port,
  })
})
afterAll(async () => {
  await open.close()
  await inner.close()
})

const leading = (to: string) => `http://127.0.0.1:${open.port}/?to=${encodeURIComponent(to)}`

it("the address that plays the internet is reached, the other is not", async () => {
  expect(await textOf(`http://127.0.0.1:${open.port}/`)).toBe("arrived")
  expect(await refusalOf(`http://127.0.0.2:${open.port}/`)).toBe("UrlNotAllowed")
})

it.each([
  ["http://127.0.0.2:PORT/", 1],
  ["http://2130706434:PORT/", 1],
  ["http://[::ffff:127.0.0.2]:PORT/", 1],
  ["//127.0.0.2:PORT/", 1],
  ["http://inner.example:PORT/", 1],
  ["http://mixed.example:PORT/", 1],
  ["/?to=http%3A%2F%2F127.0.0.2%3APORT%2F", 2],
])("a redirect to %s is rejected, and nothing inside is reached", async (to, steps) => {
  const requests = open.requests.length
  const lookup = lookupOf({
    "inner.example": ["127.0.0.2"],
    "mixed.example": ["127.0.0.1", "127.0.0.2"],
  })

  const refusal = await readPage(leading(to.replace("PORT", String(open.port))), {
    redirectsMax: 3,
    lookup,
  })

  expect(refusal).toMatchObject({ _tag: "UrlNotAllowed", reason: "address" })
  expect(open.requests.length - requests).toBe(steps)
  expect(inner.connections()).toBe(0)
})

it("a name that is public for the first step and private for the next is rejected there", async () => {
  const lookups: Array<string> = []
  const answers = [["127.0.0.1"], ["127.0.0.2"]]

  const refusal = await refusalOf(`http://turning.example:${open.port}/?to=/`, {
    redirectsMax: 3,
    lookup: (name) => {
      lookups.push(name)
      return lookupOf({ [name]: answers[lookups.length - 1] ?? [] })(name)
    },
  })

  expect(refusal).toBe("UrlNotAllowed")
  expect(lookups).toEqual(["turning.example", "turning.example"])
  expect(inner.connections()).toBe(0)
})
