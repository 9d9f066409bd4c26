// One batch of the identification pass, without the database: takes the waiting events in order of arrival and what is
// known about their browsers and people, and returns every changed row. Pure except for the ids it is given, so the
// same rows give the same rows.
import type { AddressKey } from "../person/tombstones/tombstones.ts"
import type { CollectedEvent } from "../../collect/visits/collected-event.ts"
import { emailHashOf } from "../../collect/visits/email-address.ts"
import { Browser } from "./browser.ts"
import { Directory } from "./directory.ts"
import type { Alias } from "./merging/alias-graph.ts"
import type { Identifications, Tenure } from "./ownership.ts"
import type { Person } from "./profile.ts"
import type { BrowserEvent, Session } from "./session.ts"
import type { KnownVisitor, StoredVisitor } from "./visitor.ts"

/** A waiting event with its position in the order of arrival. */
export interface WaitingEvent extends CollectedEvent {
  readonly sequence: bigint
  /** True if the event was counted before; it is only removed. */
  readonly isDuplicate: boolean
  /** A suppression rule names the company of its network, which is not in the payload then. */
  readonly isNetworkSuppressed?: boolean
}

/** What is known about the events' browsers and people. */
export interface Known {
  readonly browsers: ReadonlyArray<BrowserRow>
  readonly sessions: ReadonlyArray<Session>
  readonly visitors: ReadonlyArray<StoredVisitor>
  readonly people: ReadonlyArray<Person>
  readonly aliases: ReadonlyArray<Alias>
  readonly erased: ReadonlyArray<AddressKey>
  /** Whether the operator excludes a domain from companies; absent means none. */
  readonly isExcludedDomain?: (domain: string) => boolean
}

export interface BrowserRow {
  readonly organizationId: string
  readonly anonymousId: string
  readonly identifications: Identifications
}

export interface BrowserTenure extends Tenure {
  readonly organizationId: string
  readonly anonymousId: string
}

/** When a pixel was last heard from, and first from its own host, in epoch milliseconds. */
export interface PixelSeen {
  readonly organizationId: string
  readonly pixelId: string
  readonly lastEventAt: number
  readonly verifiedAt: number | null
}

export interface Changes {
  /** Where each event goes: its session, or null for an event without a browser. */
  readonly moves: ReadonlyArray<{ readonly sequence: bigint; readonly sessionId: string | null }>
  /** Sequence numbers of events that were counted before. */
  readonly duplicates: ReadonlyArray<bigint>
  readonly sessions: ReadonlyArray<Session>
  readonly browsers: ReadonlyArray<BrowserRow>
  readonly tenures: ReadonlyArray<BrowserTenure>
  readonly visitors: ReadonlyArray<KnownVisitor>
  readonly pixels: ReadonlyArray<PixelSeen>
}

/** The hash of the address an event identifies someone by; undefined if it names no one. */
export const introducedHash = ({ payload }: CollectedEvent): string | undefined =>
  payload.e === undefined ? payload.h : emailHashOf(payload.e)

/** Whether an event named someone who was erased. */
const namesErased = ({ payload }: CollectedEvent): boolean => payload.x === 1

export const processBatch = (
  events: ReadonlyArray<WaitingEvent>,
  known: Known,
  newId: () => string,
): Changes => {
  const directory = new Directory(known, newId)
  const browsers = new BrowserMap(known)
  const pixels = new Map<string, PixelSeen>()
  const moves: Array<{ sequence: bigint; sessionId: string | null }> = []
  for (const event of events) {
    if (event.isDuplicate) continue
    recordSeen(pixels, event)
    const sessionId = hasBrowser(event)
      ? browsers.of(event).add(event, introduced(event), newId)
      : null
    moves.push({ sequence: event.sequence, sessionId })
  }

  function introduced(event: BrowserEvent): string | null | undefined {
    const { e: email, p: traits, v: vendor } = event.payload
    const emailHash = introducedHash(event)
    if (emailHash === undefined) return namesErased(event) ? null : undefined
    return directory.introduce({
      organizationId: event.organizationId,
      emailHash,
      email: email ?? null,
      traits: traits ?? {},
      vendor,
      at: event.occurredAt,
    })
  }

  return {
    moves,
    duplicates: events.filter(({ isDuplicate }) => isDuplicate).map(({ sequence }) => sequence),
    sessions: browsers.all.flatMap(({ browser }) => browser.touched),
    browsers: browsers.all
      .filter(({ browser }) => browser.isChanged)
      .map(({ browser, ...key }) => ({ ...key, identifications: browser.identifications })),
    tenures: browsers.all.flatMap(({ browser, ...key }) =>
      browser.changedTenures.map((tenure) => ({ ...key, ...tenure })),
    ),
    visitors: directory.changed,
    pixels: [...pixels.values()],
  }
}

interface BrowserKey {
  readonly organizationId: string
  readonly anonymousId: string
}

class BrowserMap {
  readonly #browsers = new Map<string, BrowserKey & { readonly browser: Browser }>()
  readonly #rows: Map<string, BrowserRow>
  readonly #sessions: Map<string, Array<Session>>

  constructor({ browsers, sessions }: Known) {
    this.#rows = new Map(browsers.map((row) => [keyOf(row), row]))
    this.#sessions = Map.groupBy(sessions, keyOf)
  }

  of({ organizationId, anonymousId }: BrowserKey): Browser {
    const key = keyOf({ organizationId, anonymousId })
    const known = this.#browsers.get(key)
    if (known !== undefined) return known.browser
    const browser = new Browser(
      this.#rows.get(key)?.identifications ?? [],
      this.#sessions.get(key) ?? [],
    )
    this.#browsers.set(key, { organizationId, anonymousId, browser })
    return browser
  }

  get all() {
    return [...this.#browsers.values()]
  }
}

const keyOf = ({ organizationId, anonymousId }: BrowserKey): string =>
  `${organizationId} ${anonymousId}`

const hasBrowser = (event: WaitingEvent): event is WaitingEvent & BrowserEvent =>
  event.anonymousId !== null

// Verification uses the time of receipt, which a browser's clock can't influence.
const recordSeen = (pixels: Map<string, PixelSeen>, event: WaitingEvent): void => {
  const { organizationId, pixelId, occurredAt, receivedAt, payload } = event
  const known = pixels.get(pixelId)
  // What a vendor sends says nothing about the script.
  const verifiedAt = payload.l === 1 || payload.v !== undefined ? null : receivedAt
  pixels.set(pixelId, {
    organizationId,
    pixelId,
    lastEventAt: Math.max(known?.lastEventAt ?? occurredAt, occurredAt),
    verifiedAt: known?.verifiedAt ?? verifiedAt,
  })
}
