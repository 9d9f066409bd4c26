// What the people of the sample data do on a page: how long they read it, and the custom events they set off.
import type { CollectedEvent, EventPayload } from "../../collect/visits/collected-event.ts"
import type { SeededRandom } from "./seeded-random.ts"

/** Of every page of the site. */
export const titles: Readonly<Record<string, string>> = {
  "/": "Tidewater: dock planning without spreadsheets",
  "/blog/intent-without-cookies": "Intent without cookies",
  "/blog/suppression-at-scale": "Suppression at scale: a million rules in a minute",
  "/blog/who-visits-your-site": "Who visits your site?",
  "/book-demo": "Book a demo",
  "/careers": "Work at Tidewater",
  "/customers": "Customers",
  "/customers/harbor-logistics": "Harbor Logistics: a third fewer hours at the dock",
  "/docs/quickstart": "Quickstart – Tidewater Docs",
  "/docs/self-hosting": "Self-hosting – Tidewater Docs",
  "/docs/webhooks": "Webhooks – Tidewater Docs",
  "/pricing": "Pricing",
  "/product": "Product tour",
  "/security": "Security and compliance",
}

/** As the pixel reports it. spec 6.3.3. */
const heartbeatMs = 30_000
/** How long the last page of a visit is read. */
const lastPageMsMax = 150_000

/** A custom event of a page, and how many of its views have it. */
interface Action {
  readonly share: number
  readonly name: string
  readonly props: (random: SeededRandom) => NonNullable<EventPayload["o"]>
}

const actions: Readonly<Record<string, Action>> = {
  "/book-demo": {
    share: 0.5,
    name: "Demo requested",
    props: (random) => ({ team: random.pick(["operations", "marketing", "sales"]), remote: true }),
  },
  "/docs/quickstart": {
    share: 0.6,
    name: "Code copied",
    props: (random) => ({ language: random.pick(["html", "javascript", "php"]) }),
  },
  "/pricing": {
    share: 0.5,
    name: "Plan selected",
    props: (random) => ({
      plan: random.pick(["starter", "team", "business"]),
      seats: 2 + random.below(40),
      yearly: random.next() < 0.5,
    }),
  },
  "/product": {
    share: 0.3,
    name: "Video played",
    props: (random) => ({ seconds: 15 + random.below(120) }),
  },
}

/** A page view, and the next one of its visit. */
export interface ReadPage {
  readonly path: string
  readonly at: number
  readonly next: number | undefined
}

/** The heartbeats and custom events of a page view. `event` makes one. */
export const readingOf = (
  { at, next, path }: ReadPage,
  random: SeededRandom,
  event: (
    type: CollectedEvent["type"],
    path: string,
    occurredAt: number,
    payload: Partial<EventPayload>,
  ) => CollectedEvent,
): ReadonlyArray<CollectedEvent> => {
  const end = next ?? at + 5_000 + random.below(lastPageMsMax)
  const beats = Array.from({ length: Math.floor((end - at) / heartbeatMs) }, (_, index) =>
    event("heartbeat", path, at + (index + 1) * heartbeatMs, { s: heartbeatMs / 1_000 }),
  )
  const action = actions[path] // own keys: paths of the sample.
  if (action === undefined || random.next() >= action.share) return beats
  const acted = at + Math.floor((end - at) * (0.3 + 0.6 * random.next()))
  return [...beats, event("track", path, acted, { n: action.name, o: action.props(random) })]
}
