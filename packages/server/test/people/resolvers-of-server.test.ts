// Resolvers of a whole server: those that an application passes to createFootfall, then the one for
// IP_COMPANY_FILE, and how a broken file affects the start (spec 1.2, 6.7).
import { createFootfall, httpResolver, type ResolverQuestion } from "../../src/app/index.ts"
import { randomUUID } from "node:crypto"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

const path = () => join(inject("temporaryDirectory"), "companies.csv")
let server: TestServer
const asked: Array<ResolverQuestion> = []

beforeAll(async () => {
  await writeFile(path(), "cidr,name,domain\n127.0.0.0/8,Loopback,loopback.example\n")
  vi.stubEnv("IP_COMPANY_FILE", path())
  server = await startServer({
    resolvers: [
      {
        name: "own",
        resolve: (questions) => {
          asked.push(...questions)
          return Promise.resolve(questions.map(() => null))
        },
      },
    ],
  })
})
afterAll(async () => {
  await server.close()
  vi.unstubAllEnvs()
})

describe("a server with resolvers", () => {
  it("calls its own resolvers first, then looks in the file of networks", async () => {
    const anonymousId = randomUUID()
    const time = new Date().toISOString()
    await server.collect({
      v: 1,
      sentAt: time,
      anonymousId,
      consent: "granted",
      events: [
        {
          id: randomUUID(),
          type: "identify",
          time,
          url: "https://tidewater.example/",
          email: "jane@harbor.example",
        },
      ],
    })
    await server.drain()

    expect(await server.sql("select company_name, company_domain from visitor")).toEqual([
      { company_name: "Loopback", company_domain: "loopback.example" },
    ])
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ ip: "127.0.0.0", anonymousId })
    expect(asked[0]?.ua).toMatch(/^Mozilla/)
  })

  it("does not start with an invalid file, and names the row", async () => {
    await writeFile(path(), "cidr,name\nnowhere,Harbor\n")
    const { databaseUrl, url: baseUrl } = server
    const options = { databaseUrl, baseUrl, secret: "s".repeat(32) }
    await expect(createFootfall(options)).rejects.toThrow("IP_COMPANY_FILE: row 1")
    await rm(path())
    await expect(createFootfall(options)).rejects.toThrow("IP_COMPANY_FILE: ENOENT")
  })

  it("exports the resolver behind HTTP", () => {
    expect(httpResolver({ url: "http://127.0.0.1:9/" }).name).toBe("http://127.0.0.1:9")
  })
})
