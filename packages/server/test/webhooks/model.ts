// What webhooks must receive, computed the slow way from spec 8.5: the model keeps every page and event, and caches
// nothing. Shares no code with the server. Times are in seconds since the start.

export const people = ["ann", "bob", "cid"] as const
export type Person = (typeof people)[number]

export interface ModelWebhook {
  readonly trigger: "every_update" | "first_match"
  /**
   * Whether it only sends buyers: people who saw the pricing page on the webhook's pixels, or have the seniority vp.
   */
  readonly isForBuyers: boolean
  readonly pixel: 0 | 1 | null
}

export interface Visit {
  readonly person: Person
  readonly browser: 0 | 1
  readonly pixel: 0 | 1
  readonly isIdentified: boolean
  readonly isPricing: boolean
  readonly isNamed: boolean
}

export type Step =
  | { readonly visits: ReadonlyArray<Visit> }
  | { readonly suppress: Person; readonly isSuppressed: boolean }
  | { readonly promote: Person }
  | { readonly merge: readonly [Person, Person] }
  | { readonly pass: number }

/** One event for one webhook. */
export interface QueuedEvent {
  readonly webhook: number
  readonly person: Person
  readonly event: "visitor.identified" | "visitor.updated"
  readonly pixel: number
  readonly due: number
  readonly isSkipped: boolean
}

interface Session {
  readonly browser: string
  readonly pixel: number
  owner: Person | null
  last: number
  /** Index of its last page among all pages. */
  place: number
  isPricing: boolean
  isWatched: boolean
}

interface Occasion {
  readonly person: Person
  readonly pixel: number
  readonly kind: "activity" | "end" | "import" | "news"
}

export class Model {
  readonly #webhooks: ReadonlyArray<ModelWebhook>
  /** In the order in which they began. */
  readonly #sessions: Array<Session> = []
  readonly #owners = new Map<string, Person>()
  readonly #visitors = new Set<Person>()
  readonly #named = new Set<Person>()
  readonly #vps = new Set<Person>()
  readonly #suppressed = new Set<Person>()
  /** The person that each merged person now belongs to. */
  readonly #survivors = new Map<Person, Person>()
  #queued: Array<QueuedEvent> = []
  #now = 0
  #pages = 0

  constructor(webhooks: ReadonlyArray<ModelWebhook>) {
    this.#webhooks = webhooks
  }

  get queued(): ReadonlyArray<QueuedEvent> {
    return this.#queued
  }

  get now(): number {
    return this.#now
  }

  isVisitor(person: Person): boolean {
    return this.#visitors.has(this.whoIs(person))
  }

  whoIs(person: Person): Person {
    return this.#survivors.get(person) ?? person
  }

  /** All merged persons of one person. */
  kinOf(person: Person): ReadonlyArray<Person> {
    return people.filter((other) => this.whoIs(other) === this.whoIs(person))
  }

  visit(visits: ReadonlyArray<Visit>): void {
    const before = new Map(this.#sessions.map((session) => [session, session.owner]))
    const touched = new Set<Session>()
    const news = new Set<Person>()
    for (const visit of visits) {
      const person = this.whoIs(visit.person)
      const browser = `${visit.person} ${visit.browser}`
      touched.delete(this.#see(browser, visit))
      touched.add(this.#see(browser, visit))
      if (!visit.isIdentified) continue
      this.#owners.set(browser, person)
      for (const one of this.#sessions) if (one.browser === browser) one.owner = person
      if (!this.#visitors.has(person)) news.add(person)
      this.#visitors.add(person)
      if (visit.isNamed && !this.#named.has(person)) {
        this.#named.add(person)
        news.add(person)
      }
    }
    const ofPeople = [...touched].flatMap((session) =>
      session.owner === null ? [] : [{ session, person: session.owner, pixel: session.pixel }],
    )
    for (const { session } of ofPeople) session.isWatched ||= this.#sendsEnd(session)
    this.#queue([
      ...ofPeople.map(({ person, pixel, session }): Occasion => {
        const kind = before.get(session) === person ? "activity" : "news"
        return { person, pixel, kind }
      }),
      ...[...news].map((person): Occasion => {
        const { pixel } = ofPeople.findLast((one) => one.person === person)!
        return { person, pixel, kind: "news" }
      }),
    ])
  }

  suppress(person: Person, isSuppressed: boolean): void {
    for (const one of this.kinOf(person)) {
      if (isSuppressed) this.#suppressed.add(one)
      else this.#suppressed.delete(one)
    }
  }

  /** An import sets the seniority vp. */
  promote(person: Person): void {
    const one = this.whoIs(person)
    if (this.#vps.has(one)) return
    this.#vps.add(one)
    if (this.#visitors.has(one)) this.#imported(one)
  }

  /** An import merges two people. The survivor is the one the server kept. */
  merge(survivor: Person, loser: Person): void {
    for (const one of this.kinOf(loser)) this.#survivors.set(one, survivor)
    for (const session of this.#sessions) if (session.owner === loser) session.owner = survivor
    for (const [browser, owner] of this.#owners) {
      if (owner === loser) this.#owners.set(browser, survivor)
    }
    for (const set of [this.#named, this.#vps]) if (set.has(loser)) set.add(survivor)
    const isKnown = (webhook: number) =>
      this.#of(webhook, survivor).some(({ event }) => event === "visitor.identified")
    this.#queued = this.#queued.map((one) => {
      if (one.person !== loser) return one
      const isTwice = one.event === "visitor.identified" && isKnown(one.webhook)
      return { ...one, person: survivor, isSkipped: one.isSkipped || isTwice }
    })
    this.#imported(survivor)
  }

  pass(seconds: number): void {
    this.#now += seconds
    const ended = this.#sessions.filter(
      ({ isWatched, last }) => isWatched && last + 1_800 <= this.#now,
    )
    for (const session of ended) session.isWatched = false
    this.#queue(
      ended
        .toSorted((one, other) => one.place - other.place)
        .flatMap(({ owner, pixel }): ReadonlyArray<Occasion> =>
          owner === null ? [] : [{ person: owner, pixel, kind: "end" }],
        ),
    )
  }

  #see(browser: string, { isPricing, pixel }: Visit): Session {
    const owner = this.#owners.get(browser) ?? null
    let session = this.#sessions.findLast(
      (one) => one.browser === browser && one.pixel === pixel && one.last + 1_800 > this.#now,
    )
    if (session === undefined) {
      session = { browser, pixel, owner, last: 0, place: 0, isPricing: false, isWatched: false }
      this.#sessions.push(session)
    }
    session.last = this.#now
    session.place = this.#pages++
    session.isPricing ||= isPricing
    return session
  }

  #imported(person: Person): void {
    const last = this.#sessions.findLast(({ owner }) => owner === person)
    if (last !== undefined) this.#queue([{ person, pixel: last.pixel, kind: "import" }])
  }

  #sendsEnd({ pixel }: Session): boolean {
    return this.#webhooks.some(
      (one) => one.trigger === "every_update" && (one.pixel === null || one.pixel === pixel),
    )
  }

  /** The occasions happened at the same time. */
  #queue(occasions: ReadonlyArray<Occasion>): void {
    const now = this.#webhooks.flatMap((webhook, index) =>
      [...new Set(occasions.map(({ person }) => person))].flatMap((person) =>
        this.#eventsOf(
          webhook,
          index,
          occasions.filter((one) => one.person === person),
        ),
      ),
    )
    this.#queued.push(...now)
  }

  #eventsOf(
    webhook: ModelWebhook,
    index: number,
    occasions: ReadonlyArray<Occasion>,
  ): ReadonlyArray<QueuedEvent> {
    const relevant = occasions.filter(
      ({ kind, pixel }) =>
        (webhook.pixel === null || webhook.pixel === pixel) &&
        (webhook.trigger === "every_update"
          ? kind !== "activity"
          : kind !== "import" || webhook.isForBuyers),
    )
    const last = relevant.at(-1)
    if (last === undefined) return []
    const { person, pixel } = last
    if (this.kinOf(person).some((one) => this.#suppressed.has(one))) return []
    if (webhook.isForBuyers && !this.#isBuyer(person, webhook.pixel)) return []
    const before = this.#of(index, person)
    const isIdentified = before.some(({ event }) => event === "visitor.identified")
    const queue = (event: QueuedEvent["event"], due: number): ReadonlyArray<QueuedEvent> => [
      { webhook: index, person, event, pixel, due, isSkipped: false },
    ]
    if (webhook.trigger === "first_match") {
      return isIdentified ? [] : queue("visitor.identified", this.#now)
    }
    const lastDue = Math.max(...before.map(({ due }) => due))
    if (lastDue > this.#now) return []
    const isEnd = relevant.some(({ kind }) => kind === "end")
    const isOver = isEnd || lastDue + 60 <= this.#now
    const isUpdate = isIdentified || relevant.every(({ kind }) => kind === "import")
    return queue(
      isUpdate ? "visitor.updated" : "visitor.identified",
      isOver ? this.#now : lastDue + 60,
    )
  }

  #of(webhook: number, person: Person): ReadonlyArray<QueuedEvent> {
    return this.#queued.filter((one) => one.webhook === webhook && one.person === person)
  }

  #isBuyer(person: Person, pixel: number | null): boolean {
    return (
      this.#vps.has(person) ||
      this.#sessions.some(
        (one) => one.owner === person && one.isPricing && (pixel === null || one.pixel === pixel),
      )
    )
  }
}
