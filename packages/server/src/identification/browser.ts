// One browser of an organization while a batch of its events is worked off, in order of arrival: its
// sessions near the events, and whose it was. An event joins the session it falls into, or the nearest
// one less than 30 minutes away, if both are the same person's; else it begins a session. That is
// why the open session ends when a second person is identified: the identify event and all that
// follows would otherwise stand in the first person's session, and either person would be shown what
// the other did. Sessions are never merged, also when a late event closes the gap between two.
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

  /** Notes who was identified. To be called before the event itself is added. */
  identify(at: number, visitorId: string): void {
    this.#identifications = identified(this.#identifications, at, visitorId)
  }

  /** Adds an event; the id is used when it begins a session. Returns the id of its session. */
  add(event: BrowserEvent, newSessionId: () => string): string {
    const joined = this.#sessionOf(event)
    const session = joined === undefined ? begin(newSessionId(), event) : fold(joined, event)
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

  #sessionOf({ occurredAt: at, pixelId }: BrowserEvent): Session | undefined {
    const owner = ownerAt(this.#identifications, at)
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
    return ownerAt(this.#identifications, session.startedAt)
  }
}
