// One browser of an organization while a batch of its events is worked off, in order of arrival. An
// event joins the session it falls into, or the nearest one less than 30 minutes away, if both are the
// same person's; else it begins one. So a second person's identification ends the open session. A
// session in which someone was identified stays theirs, so no one identified is without one; any
// other belongs to the person who had the browser when it began. Sessions are never merged, also when a late event
// closes the gap between two. ADR 10.
import { type Identifications, identified, ownerAt, type Tenure, tenures } from "./ownership.ts"
import {
  begin,
  type BrowserEvent,
  distanceMs,
  fold,
  inactivityMs,
  type Session,
} from "./session.ts"

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
   * Adds an event and notes who is identified in it; undefined: no one, null: someone who was erased,
   * so that from then on the browser is no one's. The new id is used when the event begins a session.
   * Returns the id of its session.
   */
  add(
    event: BrowserEvent,
    identifiedId: string | null | undefined,
    newSessionId: () => string,
  ): string {
    const { occurredAt: at } = event
    // Of an erased person in a browser of no one else's nothing needs to be remembered.
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

  /** The sessions that got events, with the person each belongs to now. */
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

  /** Whose the browser was, when that changed: other sessions of it may have to change hands. */
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
