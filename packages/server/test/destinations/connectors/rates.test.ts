// How many requests a service gets in each of its own windows while there is work (spec 2.17.7): never more than it documents,
// and at least 80% of that. The clock is a test's, so an hour of pacing takes seconds; requests go to the doubles.
import { Clock, Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { setImmediate } from "node:timers/promises"
import { expect, it } from "vitest"
import { contactsAtOnce } from "../../../src/activation/deliveries/delivery.ts"
import type { Connector } from "../../../src/activation/destinations/connectors/connector.ts"
import {
  type AppSlug,
  Connectors,
  connectors,
} from "../../../src/activation/destinations/connectors/connectors.ts"
import { Outbound } from "../../../src/platform/outbound/outbound.ts"
import type { OutboundRequest } from "../../../src/platform/outbound/sending.ts"
import { figure, sizeOf } from "../../soak/size.ts"
import type { Double } from "./double.ts"
import { doubles, target } from "./world.ts"

/** Requests in any window. Units: milliseconds. */
interface Limit {
  readonly requests: number
  readonly ms: number
}

/** What a service documents. */
interface Documented {
  readonly limits: ReadonlyArray<Limit>
  /** Units: requests per second. */
  readonly lasting: number
}

const inWindow = (requests: number, ms: number): Documented => ({
  limits: [{ requests, ms }],
  lasting: (requests / ms) * 1_000,
})

const documented: ReadonlyMap<AppSlug, Documented> = new Map([
  // A bucket of 100, to which 10 a second are added.
  [
    "emailoctopus",
    {
      limits: [1_000, 10_000, 60_000].map((ms) => ({ requests: 100 + ms / 100, ms })),
      lasting: 10,
    },
  ],
  ["brevo", inWindow(10, 1_000)],
  [
    "klaviyo",
    {
      limits: [
        { requests: 10, ms: 1_000 },
        { requests: 150, ms: 60_000 },
      ],
      lasting: 2.5,
    },
  ],
  ["hubspot", inWindow(100, 10_000)],
  ["pipedrive", inWindow(10, 2_000)],
  ["attio", inWindow(25, 1_000)],
])
/** Mailchimp documents no rate: so many connections at a time. */
const connectionsOfMailchimp = 10

/** Of the longest window. */
const windows = sizeOf("SOAK_WINDOWS", 3, 30)
/** How far the clock moves at a time, and how long a service takes for an answer. */
const stepMs = 10
const answerMs = 100

/** Resolves once every request that could begin was answered. */
const settled = async (isSo: () => boolean) => {
  for (let quiet = 0; quiet < 3; quiet = isSo() ? quiet + 1 : 0) await setImmediate()
}

const cases = doubles
  .map(([appSlug, start]) => [appSlug as AppSlug, start] as const)
  .filter(([appSlug]) => documented.has(appSlug) || appSlug === "mailchimp")

/** Writes contacts as a delivery does for `ms` of the test's clock. Returns when requests began, and the most at a time. */
const work = async (appSlug: AppSlug, double: Double, ms: number) => {
  const { membersMax, pace }: Connector = connectors[appSlug]
  const sentAt: Array<number> = []
  let asked = 0
  let open = 0
  let most = 0
  const send = ({ body, headers, method, url }: OutboundRequest) =>
    Effect.gen(function* () {
      sentAt.push(yield* Clock.currentTimeMillis)
      most = Math.max(most, ++open)
      yield* Effect.sleep(answerMs)
      return yield* Effect.promise(async () => {
        asked++
        // A view of bytes has a buffer of its own here.
        const answer = await fetch(url, {
          method: method!,
          headers,
          body: (body as string | undefined) ?? null,
        })
        const bytes = new Uint8Array(await answer.arrayBuffer())
        asked--
        open--
        return {
          status: answer.status,
          headers: Object.fromEntries(answer.headers),
          body: bytes,
          bodyIsCut: false,
        }
      })
    })
  // Connectors use nothing else of it.
  const outbound = Layer.succeed(Outbound, { send } as unknown as Outbound["Service"])
  let written = 0
  const members = () =>
    Array.from({ length: membersMax }, () => ({
      email: `p${++written}@harbor.example`,
      remoteId: null,
      formerStatus: null,
      fields: {},
      tags: [],
    }))
  const { apiKey, username = null } = double.credentials
  const connection = {
    appSlug,
    accountId: "account-1",
    baseUrl: double.url,
    apiKey: Redacted.make(apiKey!),
    username,
  }
  const working = Effect.gen(function* () {
    const { upsert } = yield* Connectors
    const lane = Effect.forever(
      Effect.suspend(() => upsert(connection, target(double.listId), members())),
    )
    const count = membersMax === 1 ? (pace.atOnce ?? contactsAtOnce) : 1
    const lanes = yield* Effect.forkChild(
      Effect.all(
        Array.from({ length: count }, () => lane),
        { concurrency: "unbounded" },
      ),
    )
    for (let at = 0; at < ms; at += stepMs) {
      yield* Effect.promise(() => settled(() => asked === 0))
      yield* TestClock.adjust(stepMs)
    }
    yield* Fiber.interrupt(lanes)
  })
  const layer = Layer.provideMerge(Layer.provide(Connectors.layer, outbound), TestClock.layer())
  await Effect.runPromise(Effect.provide(working, layer))
  return { sentAt, most }
}

/** The most in any window. */
const mostIn = (sentAt: ReadonlyArray<number>, ms: number): number => {
  let first = 0
  let most = 0
  sentAt.forEach((at, index) => {
    while (sentAt[first]! <= at - ms) first++
    most = Math.max(most, index - first + 1)
  })
  return most
}

it.each(cases)(
  "%s gets nearly as many requests as it documents, and never more, while there is work",
  async (appSlug, start) => {
    const double = await start()
    double.keepsRequests = false
    const { lasting = 0, limits = [] } = documented.get(appSlug) ?? {}
    const longest = limits.at(-1)?.ms ?? 1_000
    const ms = windows * longest

    const { most, sentAt } = await work(appSlug, double, ms)
    await double.close()

    expect(double.violations).toEqual([])
    for (const { ms, requests } of limits) {
      expect(mostIn(sentAt, ms)).toBeLessThanOrEqual(requests)
    }
    // Without the first window, which has what was saved up.
    const rate = sentAt.filter((at) => at >= longest).length / ((ms - longest) / 1_000)
    expect(rate).toBeGreaterThanOrEqual(0.8 * lasting)
    if (appSlug === "mailchimp") {
      expect(most).toBeLessThanOrEqual(connectionsOfMailchimp)
      expect(most).toBeGreaterThanOrEqual(0.8 * connectionsOfMailchimp)
    }
    figure(`the pace of ${appSlug}`, {
      limits,
      most: limits.map(({ ms }) => mostIn(sentAt, ms)),
      perSecond: Math.round(rate * 100) / 100,
      ofLimit: lasting === 0 ? null : Math.round((rate / lasting) * 100) / 100,
      atATime: most,
    })
  },
)
