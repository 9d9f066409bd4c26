// RESOLVER_URL and RESOLVER_TOKEN (spec 6.7.4): a server that no program embeds asks a resolver behind HTTP.
import { randomUUID } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

interface Asked {
  readonly path: string | undefined
  readonly authorization: string | undefined
  readonly questions: ReadonlyArray<{ readonly ip: string; readonly ua: string | null }>
}

let resolver: Server
let server: TestServer
let isBroken = false
const asked: Array<Asked> = []

beforeAll(async () => {
  resolver = createServer((request, response) => {
    void json(request).then((body) => {
      const { questions } = body as Asked
      asked.push({ path: request.url, authorization: request.headers.authorization, questions })
      const company = { name: "Quay Freight", domain: "www.quay.example", industry: "Logistics" }
      response
        .writeHead(isBroken ? 500 : 200)
        .end(JSON.stringify({ answers: questions.map(() => ({ company })) }))
    })
  })
  await new Promise<void>((resolve) => resolver.listen(0, "127.0.0.1", resolve))
  const { port } = resolver.address() as AddressInfo
  vi.stubEnv("RESOLVER_URL", `http://127.0.0.1:${port}/who`)
  vi.stubEnv("RESOLVER_TOKEN", "token-of-the-resolver")
  server = await startServer()
})
afterAll(async () => {
  await server.close()
  resolver.close()
  vi.unstubAllEnvs()
})
beforeEach(() => {
  isBroken = false
  asked.length = 0
})

const identify = async (email: string) => {
  const time = new Date().toISOString()
  const event = {
    id: randomUUID(),
    type: "identify",
    time,
    url: "https://tidewater.example/",
    email,
  }
  const anonymousId = randomUUID()
  await server.collect({ v: 1, sentAt: time, anonymousId, consent: "granted", events: [event] })
  await server.drain()
}
const companyOf = async (email: string) =>
  server.sql("select company_name, company_domain from visitor where email = $1", [email])

it("the resolver is asked with its token, and its answer fills the visitor's company", async () => {
  await identify("jane@mail.example")

  expect(asked.length).toBeGreaterThan(0)
  for (const request of asked) {
    expect(request).toMatchObject({
      path: "/who",
      authorization: "Bearer token-of-the-resolver",
      questions: [{ ip: "127.0.0.0", ua: expect.stringMatching(/^Mozilla/) }],
    })
  }
  expect(await companyOf("jane@mail.example")).toEqual([
    { company_name: "Quay Freight", company_domain: "quay.example" },
  ])
})

it("a resolver that fails costs no visitor", async () => {
  isBroken = true
  await identify("omar@mail.example")

  expect(asked.length).toBeGreaterThan(0)
  expect(await companyOf("omar@mail.example")).toHaveLength(1)
})
