// The demo's sample data: a few hundred people of made-up companies, their visits over the last 90 days, and as many
// anonymous visits. So every window up to 30 days has an earlier one to compare with. A pure function of its seed and the
// time, so two starts on empty directories show the same people, and tests can compute what the server must count.
import type { DateTime } from "effect"
import type { PersonRecord } from "../../people/person/person.ts"
import { channelOf } from "../../collect/visits/channel.ts"
import {
  type CollectedEvent,
  demoBit,
  type EventPayload,
  pricingBit,
} from "../../collect/visits/collected-event.ts"
import type { NetworkCompany } from "../../collect/visits/network-companies.ts"
import { companyOfVisit } from "./anonymous-visits.ts"
import { readingOf, titles } from "./reading.ts"
import { companies } from "./sample-companies.ts"
import { firstNames, lastNames, roles } from "./sample-people.ts"
import { SeededRandom } from "./seeded-random.ts"

/** Always has an email address, which a visit needs. */
export type SamplePerson = PersonRecord & { readonly email: string }

export interface Sample {
  readonly people: ReadonlyArray<SamplePerson>
  /** In order of occurrence. */
  readonly events: ReadonlyArray<CollectedEvent>
}

export const samplePeopleCount = 320
/** Browsers in which no one is identified. */
export const sampleStrangersCount = 240
const windowDays = 90
const sessionsMax = 6
const dayMs = 86_400_000

/** `origin`: of the pages, such as `http://localhost:4100`. */
export const makeSample = (options: {
  readonly organizationId: string
  readonly pixelId: string
  readonly origin: string
  readonly now: DateTime.Utc
  readonly seed: number
}): Sample => {
  const random = new SeededRandom(options.seed)
  const people = peopleOf(random)
  // Separate sequences, so that the people and the pages stay the same.
  const ofStrangers = new SeededRandom(options.seed + 1)
  const place = { ...options, reading: new SeededRandom(options.seed + 2) }
  const events = [
    ...people.flatMap((person) => visitsOf(person.email, undefined, random, place)),
    ...Array.from({ length: sampleStrangersCount }, () =>
      visitsOf(undefined, companyOfVisit(ofStrangers), ofStrangers, place),
    ).flat(),
  ]
    .filter(({ occurredAt }) => occurredAt < options.now.epochMilliseconds)
    .sort((a, b) => a.occurredAt - b.occurredAt)
  return { people, events }
}

/** The people of a sample with this seed, in order. */
export const samplePeople = (seed: number): ReadonlyArray<SamplePerson> =>
  peopleOf(new SeededRandom(seed))

const peopleOf = (random: SeededRandom): ReadonlyArray<SamplePerson> =>
  Array.from({ length: samplePeopleCount }, (_, index) => personOf(random, index))

const personOf = (random: SeededRandom, index: number): SamplePerson => {
  const company = random.pick(companies)
  const role = random.pick(roles)
  const firstName = firstNames[index % firstNames.length]!
  const lastName = lastNames[Math.floor(index / firstNames.length + index * 7) % lastNames.length]!
  const local = `${firstName}.${lastName}`.toLowerCase()
  const email = `${local}${index >= 260 ? index : ""}@${company.domain}`
  const hasPhone = random.next() < 0.6
  const personalEmail = random.next() < 0.3 ? `${local}${index}@mail.example` : null
  return {
    email,
    emails: personalEmail === null ? [email] : [email, personalEmail],
    businessEmail: email,
    personalEmail,
    firstName,
    lastName,
    linkedinUrl: random.next() < 0.5 ? `https://linkedin.example/in/${local}-${index}` : null,
    phones: hasPhone ? [`+1415555${String(100 + index).padStart(4, "0")}`] : [],
    phonesDnc: hasPhone ? [random.next() < 0.1] : null,
    jobTitle: role.title,
    seniority: role.seniority,
    department: role.department,
    company: {
      name: company.name,
      domain: company.domain,
      industry: company.industry,
      employeeCount: company.employeeCount,
      revenueRange: company.revenue,
      zipCode: company.zipCode,
    },
    geo: { city: company.city, state: company.state, country: "US" },
  }
}

type Place = Parameters<typeof makeSample>[0] & {
  /** For what people do on a page. */
  readonly reading: SeededRandom
}

/** Sessions of one browser: a person is identified in one of them; a network applies to all. */
const visitsOf = (
  person: string | undefined,
  network: NetworkCompany | undefined,
  random: SeededRandom,
  place: Place,
): ReadonlyArray<CollectedEvent> => {
  const count = 1 + Math.floor(random.next() ** 2 * sessionsMax)
  const anonymousId = random.uuid()
  const device = random.next() < 0.75 ? "desktop" : "mobile"
  // More of them recently than three months ago, during working hours.
  const starts = Array.from({ length: count }, () => {
    const daysAgo = random.next() ** 1.5 * windowDays
    return place.now.epochMilliseconds - Math.floor(daysAgo * dayMs) - 600_000
  }).sort((a, b) => a - b)
  const identifiedIn = Math.floor(random.next() * count)
  return starts.flatMap((start, index) =>
    sessionOf({ ...place, anonymousId, device }, start, random, {
      email: index === identifiedIn ? person : undefined,
      network,
    }),
  )
}

const sessionOf = (
  browser: Place & { readonly anonymousId: string; readonly device: "desktop" | "mobile" },
  start: number,
  random: SeededRandom,
  {
    email,
    network,
  }: { readonly email: string | undefined; readonly network: NetworkCompany | undefined },
): ReadonlyArray<CollectedEvent> => {
  const source = random.pick(sources)
  const base = { k: "granted", d: browser.device, g: "US" } as const
  const eventWith = (
    id: string,
    type: CollectedEvent["type"],
    path: string,
    occurredAt: number,
    payload: Partial<EventPayload>,
  ): CollectedEvent => ({
    organizationId: browser.organizationId,
    pixelId: browser.pixelId,
    id,
    receivedAt: browser.now.epochMilliseconds,
    anonymousId: browser.anonymousId,
    type,
    occurredAt,
    url: browser.origin + path,
    payload: { ...base, ...payload },
  })
  let at = start
  const pages = random.pick(walks).map((path, index) => {
    if (index > 0) at += 8_000 + Math.floor(random.next() * 150_000)
    const first = index === 0 ? { ...arrival(source), ...(network && { co: network }) } : {}
    const title = titles[path] // own keys: paths of the sample.
    const payload = { ...kindOf(path), ...(title !== undefined && { t: title }), ...first }
    return { path, event: eventWith(random.uuid(), "page", path, at, payload) }
  })
  const { reading } = browser
  const read = pages.flatMap(({ event, path }, index) =>
    readingOf(
      { path, at: event.occurredAt, next: pages[index + 1]?.event.occurredAt },
      reading,
      (...args) => eventWith(reading.uuid(), ...args),
    ),
  )
  const events = [...pages.map(({ event }) => event), ...read]
  const last = pages.at(-1)!
  return email === undefined
    ? events
    : [...events, eventWith(random.uuid(), "identify", last.path, at + 20_000, { e: email })]
}

const kindOf = (path: string): Pick<EventPayload, "q"> => {
  if (path === "/pricing") return { q: pricingBit }
  return path === "/book-demo" ? { q: demoBit } : {}
}

/** What the first page of a session records about its source. */
const arrival = ({ referrer, utm }: (typeof sources)[number]): Partial<EventPayload> => {
  const values =
    utm === undefined ? undefined : { source: utm[0], medium: utm[1], campaign: utm[2] }
  const channel = channelOf({
    utm: values ?? {},
    clickIds: {},
    referrerHost: referrer === undefined ? undefined : new URL(referrer).hostname,
  })
  return {
    ...(referrer === undefined ? {} : { r: referrer }),
    ...(values === undefined ? {} : { u: values }),
    ...(channel === "direct" ? {} : { ch: channel }),
  }
}

// How the people of the sample data reach the site and move through it.
/** Where sample sessions come from: landing query values and external referrer. */
export interface SampleSource {
  readonly utm: readonly [source: string, medium: string, campaign: string] | undefined
  readonly referrer: string | undefined
}

export const sources: ReadonlyArray<SampleSource> = [
  { utm: undefined, referrer: undefined },
  { utm: undefined, referrer: undefined },
  { utm: undefined, referrer: "https://www.google.com/" },
  { utm: undefined, referrer: "https://duckduckgo.com/" },
  { utm: ["newsletter", "email", "spring-launch"], referrer: undefined },
  { utm: ["google", "cpc", "visitor-identification"], referrer: "https://www.google.com/" },
  { utm: ["linkedin", "paid-social", "ops-leaders"], referrer: "https://www.linkedin.com/" },
  { utm: undefined, referrer: "https://news.ycombinator.com/" },
]

/** Paths through the site. */
export const walks: ReadonlyArray<ReadonlyArray<string>> = [
  ["/", "/product", "/pricing"],
  ["/blog/who-visits-your-site", "/product"],
  ["/", "/pricing", "/book-demo"],
  ["/pricing"],
  ["/blog/suppression-at-scale", "/docs/quickstart", "/docs/webhooks"],
  ["/", "/customers", "/customers/harbor-logistics", "/pricing", "/book-demo"],
  ["/docs/quickstart", "/docs/self-hosting"],
  ["/", "/security"],
  ["/blog/intent-without-cookies", "/", "/product", "/pricing"],
  ["/careers"],
]
