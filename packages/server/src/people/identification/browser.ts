// One browser of an organization while a batch of its events is processed in order of arrival (ADR 10). An event joins
// the nearest session of the same person less than 30 minutes away, or starts one. A session in which someone was
// identified stays theirs; any other belongs to whoever had the browser when it began.
import { inactivityMs } from "../../collect/visits/collected-event.ts"
import { type Identifications, identified, ownerAt, type Tenure, tenures } from "./ownership.ts"
import { begin, type BrowserEvent, distanceMs, fold, type Session } from "./session.ts"

export class Browser {
  readonly #known: Identifications
  #identifications: Identifications
  #sessions: Array<Session>
  readonly #touched = new Set<string>()

  constructor(identifications: Identifications, sessions: ReadonlyArray<Session>) {
    this.#known = identifications
    this.#identifications = identifications
    this.#sessions = [...sessions]
  }

  /**
   * Adds an event and records who is identified in it. Undefined: no one. Null: an erased person, so the browser
   * belongs to no one from then on. Uses the new id if the event starts a session. Returns the session's id.
   */
  add(
    event: BrowserEvent,
    identifiedId: string | null | undefined,
    newSessionId: () => string,
  ): string {
    const { occurredAt: at } = event
    // A browser without an owner does not change when an erased person is identified in it.
    const isNoted = identifiedId !== null || this.#identifications.length > 0
    if (identifiedId !== undefined && isNoted) {
      this.#identifications = identified(this.#identifications, at, identifiedId)
    }
    const owner = identifiedId ?? ownerAt(this.#identifications, at)
    const joined = this.#sessionOf(event, owner)
    const session = {
      ...(joined === undefined ? begin(newSessionId(), event) : fold(joined, event)),
      visitorId: owner,
    }
    this.#sessions = [...this.#sessions.filter(({ id }) => id !== session.id), session]
    this.#touched.add(session.id)
    return session.id
  }

  /** The sessions that received events, with their current owners. */
  get touched(): ReadonlyArray<Session> {
    return this.#sessions
      .filter(({ id }) => this.#touched.has(id))
      .map((session) => ({ ...session, visitorId: this.#ownerOf(session) }))
  }

  get identifications(): Identifications {
    return this.#identifications
  }

  get isChanged(): boolean {
    return this.#identifications !== this.#known
  }

  /** Changes in who had the browser, which may move its other sessions to another person. */
  get changedTenures(): ReadonlyArray<Tenure> {
    const before = tenures(this.#known)
    const after = tenures(this.#identifications)
    return JSON.stringify(before) === JSON.stringify(after) ? [] : after
  }

  #sessionOf({ occurredAt: at, pixelId }: BrowserEvent, owner: string | null): Session | undefined {
    return this.#sessions
      .filter(
        (session) =>
          session.pixelId === pixelId &&
          distanceMs(session, at) < inactivityMs &&
          this.#ownerOf(session) === owner,
      )
      .toSorted((a, b) => distanceMs(a, at) - distanceMs(b, at) || b.startedAt - a.startedAt)[0]
  }

  #ownerOf(session: Session): string | null {
    return (session.isIdentified || session.converted) && session.visitorId !== null
      ? session.visitorId
      : ownerAt(this.#identifications, session.startedAt)
  }
}
