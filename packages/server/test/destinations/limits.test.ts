// The limit that destinations, deliveries and integrations share per source address: 120 in 60 seconds (spec 10.2).
import { afterAll, beforeAll, expect, it } from "vitest"
import { World } from "./support.ts"

let world: World
beforeAll(async () => {
  world = await World.start({ rateLimits: true })
})
afterAll(() => world.close())

it("120 requests to any of them, by key or token, pass; the next is a 429, and other routes still work", async () => {
  const audience = await world.audience()
  const destinations = `/v1/intent/audiences/${audience}/destinations`
  const byToken = ["GET /v1/intent/integrations/accounts", `GET ${destinations}`]
  const answers = await Promise.all(
    Array.from({ length: 119 }, (_, place) => world.ask(byToken[place % 2]!)),
  )
  const unauthorized = await fetch(`${world.server.url}${destinations}`)
  const last = await world.server.get(destinations)
  const refused = [
    await world.server.get(destinations),
    await fetch(`${world.server.url}${destinations}`),
  ]
  const byAnother = await world.ask("GET /v1/intent/integrations/accounts")
  const elsewhere = await world.server.get("/v1/intent/topic-lists")

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(answers[0]!.headers.get("ratelimit-limit")).toBe("120")
  // A request without credentials doesn't count.
  expect(unauthorized.status).toBe(401)
  expect([last.status, last.headers.get("ratelimit-remaining")]).toEqual([200, "0"])
  // The address is checked before the credentials. spec 1.4.
  expect(refused.map(({ status }) => status)).toEqual([429, 429])
  expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(byAnother.status).toBe(429)
  expect(elsewhere.status).toBe(200)
})
