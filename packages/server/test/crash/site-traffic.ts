// Batches of many browsers on several pixels, from a seed. Each browser visits at set hours of the last day, for less
// than half an hour and hours apart, and identifies itself only at the beginning of a visit. So the result depends
// neither on the order of arrival nor on the seconds by which a repeated event is moved.
import { randomUUID } from "node:crypto"
import { random } from "../identification/simulation.ts"
import type { Batch } from "./offered-load.ts"
import type { SitePixel } from "./site.ts"

export interface SiteTraffic {
  readonly seed: number
  readonly url: string
  readonly pixels: ReadonlyArray<SitePixel>
  readonly browsers: number
}

const minuteMs = 60_000
const visitsStartAgoMinutes = [1_200, 900, 600, 300]
const paths = ["/", "/pricing", "/plans", "/book-demo", "/product", "/blog/pricing-tips", "/docs"]
const batchEventsMax = 5

/** Returns the next batch at every call. */
export const siteTraffic = ({ seed, url, pixels, browsers }: SiteTraffic): (() => Batch) => {
  const below = random(seed)
  const pick = <A>(all: ReadonlyArray<A>): A => all[below(all.length)]!
  const visitors = Array.from({ length: browsers }, (_, index) => ({
    anonymousId: randomUUID(),
    people: peopleOf(index),
  }))
  const startedAt = Date.now()

  const eventOf = (people: ReadonlyArray<string>, { domain }: SitePixel, now: number) => {
    const visit = below(visitsStartAgoMinutes.length)
    const begin = startedAt - visitsStartAgoMinutes[visit]! * minuteMs
    // The first two visits are the first person's, the others the second's, if there is one.
    const person = people[visit < 2 ? 0 : people.length - 1]
    const path = pick(paths)
    const common = { id: randomUUID(), url: `https://www.${domain}${path}` }
    if (person !== undefined && below(10) === 0) {
      return { ...common, type: "identify", time: isoOf(begin), email: person }
    }
    const time = isoOf(begin + (5 + below(15)) * minuteMs + (now % minuteMs))
    if (below(8) === 0) return { ...common, type: "heartbeat", time, activeSeconds: below(31) }
    if (below(12) === 0) return { ...common, type: "track", time, name: "scrolled" }
    return { ...common, type: "page", time, referrer: null, title: null }
  }

  return () => {
    const { anonymousId, people } = pick(visitors)
    const pixel = pick(pixels)
    const now = Date.now()
    const events = Array.from({ length: 1 + below(batchEventsMax) }, () =>
      eventOf(people, pixel, now),
    )
    return {
      url: `${url}/p/${pixel.id}/e`,
      eventIds: events.map(({ id }) => id),
      body: JSON.stringify({ v: 1, sentAt: isoOf(now), anonymousId, consent: "granted", events }),
    }
  }
}

/** A third of the browsers have no person, some have two in turn, and some people have two browsers. */
const peopleOf = (index: number): ReadonlyArray<string> => {
  const own = `person${index - (index % 5 === 1 ? 1 : 0)}@harbor-logistics.example`
  if (index % 3 === 2) return []
  return index % 7 === 0 ? [own, `colleague${index}@harbor-logistics.example`] : [own]
}

const isoOf = (epochMs: number): string => new Date(epochMs).toISOString()
