// A session is what one browser did on one pixel without a pause of 30 minutes, by the events' times (spec 2.2). It is
// folded event by event as they arrive, so any split into batches gives the same session. Two sessions stay apart if an
// event between them arrives later (ADR 10). UTM values are those of its first touch that is not direct.
import type { Utm } from "../../collect/visits/attribution.ts"
import type { Channel } from "../../collect/visits/channel.ts"
import { type CollectedEvent, demoBit, pricingBit } from "../../collect/visits/collected-event.ts"
import type { DeviceType } from "../../collect/visits/device.ts"
import { plainHost } from "../../collect/visits/host.ts"
import { lineOf } from "../visitors/query/lines.ts"
import { emptyTrail, type PageTrail, viewed } from "./page-trail.ts"
import { type TimedValues, withValues } from "./timed-values.ts"
import { customEventsMax, noneTracked, type Tracked, tracked } from "./tracked.ts"

/** An event with an anonymous id. */
export type BrowserEvent = CollectedEvent & {
  readonly anonymousId: string
  /** A suppression rule names the company of its network, which is not in the payload then. */
  readonly isNetworkSuppressed?: boolean
}

/** All times are epoch milliseconds. */
export interface Session {
  readonly id: string
  readonly organizationId: string
  readonly pixelId: string
  readonly anonymousId: string
  /** Null while no one has been identified in the browser. */
  readonly visitorId: string | null
  readonly startedAt: number
  readonly endedAt: number
  /** Null without heartbeats. */
  readonly activeSeconds: number | null
  readonly pageviews: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
  readonly trail: PageTrail
  readonly entry: Seen | null
  readonly exit: Seen | null
  readonly referrer: Seen | null
  readonly touch: SessionTouch | null
  readonly clickIds: TimedValues
  readonly attribution: TimedValues
  readonly deviceType: DeviceType
  readonly country: string | null
  /** Registrable domain of the network's company; the first one reported. */
  readonly networkDomain: string | null
  /** Has no company because a suppression rule names that of its network. */
  readonly isNetworkSuppressed: boolean
  /** Contains an identify or email-capture event. */
  readonly converted: boolean
  /** Someone was identified in it, by any means. For older sessions `converted` says so. */
  readonly isIdentified: boolean
  /** Number of email-capture events. */
  readonly formSubmissions: number
  /** Distinct names sent with `track()`, in the form that rules compare. */
  readonly customEvents: ReadonlyArray<string>
  /** How often each was sent, and with which properties. */
  readonly tracked: Tracked
}

/** An address and when it was seen. */
interface Seen {
  readonly url: string
  readonly at: number
}

interface SessionTouch {
  readonly at: number
  readonly channel: Channel
  readonly utm: Utm
}

/** Adds an event to its session; which session that is, is decided elsewhere. */
export const fold = (session: Session, event: BrowserEvent): Session => {
  const { occurredAt: at, payload } = event
  const networkDomain = session.networkDomain ?? payload.co?.domain ?? null
  return {
    ...session,
    startedAt: Math.min(session.startedAt, at),
    endedAt: Math.max(session.endedAt, at),
    activeSeconds:
      payload.s === undefined ? session.activeSeconds : (session.activeSeconds ?? 0) + payload.s,
    attribution: withValues(withValues(session.attribution, payload.a, at), payload.p?.custom, at),
    country: session.country ?? payload.g ?? null,
    networkDomain,
    isNetworkSuppressed:
      networkDomain === null && (session.isNetworkSuppressed || event.isNetworkSuppressed === true),
    converted: session.converted || event.type === "identify" || event.type === "capture",
    isIdentified: session.isIdentified || payload.e !== undefined || payload.h !== undefined,
    formSubmissions: session.formSubmissions + (event.type === "capture" ? 1 : 0),
    customEvents: withName(session.customEvents, payload.n),
    tracked:
      payload.n === undefined
        ? session.tracked
        : tracked(session.tracked, payload.n, payload.o ?? {}),
    ...(event.type === "page" ? foldPage(session, event) : {}),
  }
}

/** The session that starts with the event. */
export const begin = (id: string, event: BrowserEvent): Session =>
  fold(
    {
      id,
      organizationId: event.organizationId,
      pixelId: event.pixelId,
      anonymousId: event.anonymousId,
      visitorId: null,
      startedAt: event.occurredAt,
      endedAt: event.occurredAt,
      activeSeconds: null,
      pageviews: 0,
      pricingPageViews: 0,
      demoPageViews: 0,
      trail: emptyTrail,
      entry: null,
      exit: null,
      referrer: null,
      touch: null,
      clickIds: {},
      attribution: {},
      deviceType: event.payload.d,
      country: null,
      networkDomain: null,
      isNetworkSuppressed: false,
      converted: false,
      isIdentified: false,
      formSubmissions: 0,
      customEvents: [],
      tracked: noneTracked,
    },
    event,
  )

/** Milliseconds between the event and the session; 0 if it falls inside. */
export const distanceMs = (session: Session, at: number): number =>
  Math.max(0, session.startedAt - at, at - session.endedAt)

/** The referrer's host without `www.`. */
export const referrerDomain = ({ referrer }: Session): string | null =>
  referrer === null ? null : plainHost(URL.parse(referrer.url)?.hostname ?? "")

const foldPage = (session: Session, event: BrowserEvent): Partial<Session> => {
  const { occurredAt: at, payload, url } = event
  const kind = payload.q ?? 0
  const seen = { url, at }
  return {
    pageviews: session.pageviews + 1,
    pricingPageViews: session.pricingPageViews + (kind & pricingBit ? 1 : 0),
    demoPageViews: session.demoPageViews + (kind & demoBit ? 1 : 0),
    trail: viewed(session.trail, { url, viewedAt: at }),
    entry: earlier(session.entry, seen),
    exit: session.exit !== null && session.exit.at > at ? session.exit : seen,
    referrer:
      payload.r === undefined
        ? session.referrer
        : earlier(session.referrer, { url: payload.r, at }),
    touch:
      payload.ch === undefined
        ? session.touch
        : earlier(session.touch, { at, channel: payload.ch, utm: payload.u ?? {} }),
    clickIds: withValues(session.clickIds, payload.c, at),
  }
}

const withName = (
  names: ReadonlyArray<string>,
  name: string | undefined,
): ReadonlyArray<string> => {
  if (name === undefined || names.length >= customEventsMax) return names
  const line = lineOf(name)
  return names.includes(line) ? names : [...names, line]
}

// Of two in the same millisecond, the one reported first is earlier.
const earlier = <Value extends { readonly at: number }>(known: Value | null, next: Value): Value =>
  known !== null && known.at <= next.at ? known : next
