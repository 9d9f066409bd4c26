// Recomputes sessions, and the counters of every visitor as `GET /v1/data` shows them, from the stored events alone. It
// derives pricing and demo pages from the address (spec 2.1), not from the server's data.
import type { CollectedEvent } from "../../src/collect/visits/collected-event.ts"
import { recompute } from "../identification/simulation.ts"

export interface Counters {
  readonly sessions: number
  readonly pageviews: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
  readonly firstSeenAt: string
  readonly lastSeenAt: string
}

export const recount = (events: ReadonlyArray<CollectedEvent>) => {
  const { sessions } = recompute(
    events.map((event) => ({ ...event, payload: { ...event.payload, q: kindOf(event.url) } })),
  )
  const byPerson = Map.groupBy(
    sessions.filter(({ email }) => email !== null),
    ({ email }) => email ?? "",
  )
  return {
    sessions,
    visitors: new Map(
      [...byPerson].map(([email, own]): [string, Counters] => [
        email,
        {
          sessions: own.length,
          pageviews: own.reduce((sum, { pageviews }) => sum + pageviews, 0),
          pricingPageViews: own.reduce((sum, { pricing }) => sum + pricing, 0),
          demoPageViews: own.reduce((sum, { demo }) => sum + demo, 0),
          firstSeenAt: new Date(Math.min(...own.map(({ from }) => from))).toISOString(),
          lastSeenAt: new Date(Math.max(...own.map(({ until }) => until))).toISOString(),
        },
      ]),
    ),
  }
}

const pricing = new Set(["pricing", "prices", "plans", "plan-pricing"])
const demo = new Set([
  "demo",
  "book-demo",
  "book-a-demo",
  "request-demo",
  "get-demo",
  "schedule-demo",
])

const kindOf = (url: string): number => {
  const segments = new URL(url).pathname.toLowerCase().split("/")
  return (
    (segments.some((segment) => pricing.has(segment)) ? 1 : 0) +
    (segments.some((segment) => demo.has(segment)) ? 2 : 0)
  )
}
