// What a call returns about its response besides the data, and that it reports a failure once.

import { expect, expectTypeOf, it } from "vitest"
import { Footfall, NotFoundError, type Pixel, type WithResponse } from "../src/index.ts"
import { apiKey } from "./support/credentials.ts"
import { answerRaw, refuse, succeed } from "./support/steps.ts"
import { scriptedServer, type ScriptedServer } from "./support/scripted-server.ts"

const id = "cdd19037-47fb-4e21-a054-2da787925aea"
const requestId = "req_rtjpiop3f24wzahlzbcsj2b7co"
const client = ({ baseUrl }: ScriptedServer) => new Footfall({ apiKey, baseUrl })

it.each([
  ["undici", {}],
  ["fetch", { fetch: (request: Request) => fetch(request) }],
])(
  "a call returns status, headers and request id of its response, over %s",
  async (_name, options) => {
    await using server = await scriptedServer([succeed([{ id }])])
    const footfall = new Footfall({ apiKey, baseUrl: server.baseUrl, ...options })

    const answer = await footfall.pixels.list().withResponse()

    expectTypeOf(answer).toEqualTypeOf<WithResponse<ReadonlyArray<Pixel>>>()
    expect(answer).toMatchObject({ data: [{ id }], status: 200, requestId })
    expect(answer.headers.get("X-Request-Id")).toBe(requestId)
    expect(answer.headers.get("content-type")).toBe("application/json")
  },
)

it("a list returns its first page with the response", async () => {
  await using server = await scriptedServer([
    succeed([{ email: "a@b.example" }], { nextCursor: null }),
  ])

  const { data: page, ...about } = await client(server).visitors.list().withResponse()

  expect(page.data).toEqual([{ email: "a@b.example" }])
  expect(page.hasNextPage()).toBe(false)
  expect(about).toMatchObject({ status: 200, requestId })
})

it("started work returns what was accepted with the response, and is started once", async () => {
  await using server = await scriptedServer([succeed({ id, status: "queued" })])
  const started = client(server).runs.start(id)

  expect(await started.withResponse()).toMatchObject({ data: { id }, status: 200, requestId })
  expect(await started).toMatchObject({ id })
  expect(server.received).toHaveLength(1)
})

it("a file returns its headers before it is read", async () => {
  const headers = { "content-type": "text/csv", "x-request-id": "req_file" }
  await using server = await scriptedServer([answerRaw(200, headers, "email\n")])

  const file = await client(server).runs.exportCsv(id, id).withResponse()

  expect(file).toMatchObject({ status: 200, requestId: "req_file" })
  const text = await new Response(file.data.toWebStream()).text()
  expect(text).toBe("email\n")
})

it("a raw request has its response too", async () => {
  await using server = await scriptedServer([succeed({ id })])

  const call = client(server).request({ method: "GET", path: "/v1/data/account" })

  expect(await call.withResponse()).toMatchObject({ data: { data: { id } }, status: 200 })
})

it("an error rejects the call with its response and causes no unhandled rejection", async () => {
  await using server = await scriptedServer([refuse(404, "NOT_FOUND")])
  const unhandled: Array<unknown> = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  process.on("unhandledRejection", note)

  const failed = client(server).pixels.get(id).withResponse()

  await expect(failed).rejects.toBeInstanceOf(NotFoundError)
  await new Promise((resolve) => setImmediate(resolve))
  process.off("unhandledRejection", note)
  expect(unhandled).toEqual([])
})

it("an invalid id rejects the call's promise and does not throw", async () => {
  const footfall = new Footfall({ apiKey, baseUrl: "http://127.0.0.1:1" })

  for (const call of [footfall.pixels.get(""), footfall.runs.exportCsv("..", id)]) {
    await expect(call).rejects.toThrow(TypeError)
  }
})

it("then and finally return ordinary promises", async () => {
  await using server = await scriptedServer([succeed([])])
  const call = client(server).pixels.list()

  const after = call.finally(() => {})

  expect(after).toBeInstanceOf(Promise)
  expect(after).not.toHaveProperty("withResponse")
  expect(await Promise.all([after, call])).toEqual([[], []])
})
