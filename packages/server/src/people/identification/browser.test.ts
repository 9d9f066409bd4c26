// Who owns a session, regardless of the order in which a browser's events arrive: the person identified in it,
// otherwise whoever had the browser when it began (ADR 10, spec 2.1).
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Browser } from "./browser.ts"
import { type Identifications, identificationsMax, ownerAt } from "./ownership.ts"
import type { BrowserEvent, Session } from "./session.ts"

const minute = 60_000

interface Word {
  readonly minutes: number
  /** Who is identified; null for a page view. */
  readonly who: string | null
}

const view = (minutes: number): Word => ({ minutes, who: null })
const identify = (minutes: number, who: string): Word => ({ minutes, who })

const eventOf = ({ minutes, who }: Word): BrowserEvent => ({
  organizationId: "o",
  pixelId: "p",
  id: "e",
  receivedAt: 0,
  anonymousId: "a",
  type: who === null ? "page" : "identify",
  occurredAt: minutes * minute,
  url: "https://tidewater.example/",
  payload: { k: "granted", d: "desktop", ...(who === null ? {} : { e: who }) },
})

interface Kept {
  readonly identifications: Identifications
  readonly sessions: ReadonlyArray<Session>
  /** The session of each event, in order of arrival. */
  readonly places: ReadonlyArray<string>
}

/** Processes batches one after the other. Each starts from the state that the previous one stored. */
const arrived = (...batches: ReadonlyArray<ReadonlyArray<Word>>): Kept =>
  batches.reduce<Kept>(
    (kept, words) => {
      const browser = new Browser(kept.identifications, kept.sessions)
      const newId = (index: number) => () => `s${kept.places.length + index}`
      const places = words.map((word, index) => browser.add(eventOf(word), word.who, newId(index)))
      const touched = new Map(browser.touched.map((session) => [session.id, session]))
      const sessions = kept.sessions
        .filter(({ id }) => !touched.has(id))
        .map((session) =>
          session.converted
            ? session
            : { ...session, visitorId: ownerAt(browser.identifications, session.startedAt) },
        )
      return {
        identifications: browser.identifications,
        sessions: [...sessions, ...touched.values()],
        places: [...kept.places, ...places],
      }
    },
    { identifications: [], sessions: [], places: [] },
  )

const seen = ({ sessions }: Kept) =>
  sessions
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map(({ visitorId, startedAt, endedAt }) => [visitorId, startedAt / minute, endedAt / minute])

describe("a session", () => {
  it("stays with the person identified in it when an earlier identification of someone else arrives late", () => {
    const words = [view(0), identify(10, "tom"), identify(5, "jane")]
    const expected = [
      ["tom", 0, 10],
      ["jane", 5, 5],
    ]

    assert.deepStrictEqual(seen(arrived(words)), expected)
    assert.deepStrictEqual(seen(arrived(words.slice(0, 2), words.slice(2))), expected)
  })

  it("without an identification belongs to the person who had the browser when it began", () => {
    const words = [view(0), view(60), identify(120, "tom"), identify(31, "jane")]
    const expected = [
      ["jane", 0, 0],
      ["jane", 31, 60],
      ["tom", 120, 120],
    ]

    assert.deepStrictEqual(seen(arrived(words)), expected)
    assert.deepStrictEqual(seen(arrived(words.slice(0, 3), words.slice(3))), expected)
  })

  it("takes an event between two of them if it is the nearer one, whichever began later", () => {
    const { places } = arrived([view(0), view(50), view(20), view(30)])

    assert.deepStrictEqual(places, ["s0", "s1", "s0", "s0"])
  })

  it("ends after a pause of exactly 30 minutes", () => {
    assert.deepStrictEqual(arrived([view(0), view(30)]).places, ["s0", "s1"])
    assert.deepStrictEqual(arrived([view(0), view(29.99)]).places, ["s0", "s0"])
  })

  it("belongs to the person identified in it even beyond the 50 identifications kept", () => {
    const full = Array.from({ length: identificationsMax }, (_, at) => identify(at, `p${at}`))

    const { sessions, places, identifications } = arrived(full, [identify(0.5, "late")])

    assert.isFalse(identifications.some(([, who]) => who === "late"))
    assert.strictEqual(sessions.find(({ id }) => id === places.at(-1))?.visitorId, "late")
  })

  it("belongs to the identified person in any order of arrival and any batches", () => {
    const word = fc.record({
      minutes: fc.nat(200),
      who: fc.oneof(fc.constant(null), fc.constantFrom("jane", "tom", "ann")),
    })
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 8 }), { maxLength: 6 }), (batches) => {
        const { identifications, places, sessions } = arrived(...batches)

        batches.flat().forEach(({ minutes, who }, index) => {
          const session = sessions.find(({ id }) => id === places[index])!
          if (who !== null) assert.strictEqual(session.visitorId, who)
          assert.isTrue(session.startedAt <= minutes * minute)
          assert.isTrue(session.endedAt >= minutes * minute)
        })
        for (const { converted, startedAt, visitorId } of sessions) {
          if (!converted) assert.strictEqual(visitorId, ownerAt(identifications, startedAt))
        }
      }),
    )
  })
})
