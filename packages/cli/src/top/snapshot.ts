// Reads the state of a server repeatedly: visitors, queues and running work. One read takes about ten requests (the
// first about 30), so reading every few seconds stays below the rate limits.
import type { Audience, Company, Delivery, Footfall, Run, Visitor } from "@footfall/sdk"
import { request } from "../connection/http-request.ts"

// The number of visitors in each of the last minutes. The list of visitors says when each was last seen, so repeated
// reads complete it. Pure.

/** A visitor and when they were last seen. */
interface Seen {
  readonly visitorId: string
  readonly at: string
}

const MINUTE_MS = 60_000

/** Number of minutes counted. */
const minutesMax = 60

/** Visitors per minute. Drops data older than an hour. */
export class Visits {
  /** By minute since 1970. */
  readonly #visitors = new Map<number, Set<string>>()

  /** A visitor counts once per minute, however often they are reported. */
  add(seen: ReadonlyArray<Seen>): void {
    for (const { visitorId, at } of seen) {
      const minute = Math.floor(Date.parse(at) / MINUTE_MS)
      const visitorIds = this.#visitors.get(minute) ?? new Set()
      this.#visitors.set(minute, visitorIds.add(visitorId))
    }
  }

  /** Visitors in each of the last 60 minutes, the current minute last. */
  perMinute(now: Date): ReadonlyArray<number> {
    const last = Math.floor(now.getTime() / MINUTE_MS)
    for (const minute of this.#visitors.keys()) {
      if (minute <= last - minutesMax) this.#visitors.delete(minute)
    }
    return Array.from(
      { length: minutesMax },
      (_, index) => this.#visitors.get(last - minutesMax + 1 + index)?.size ?? 0,
    )
  }
}

/** Queued or running work. */
export type Work =
  | { readonly kind: "run"; readonly audience: string; readonly run: Run }
  | { readonly kind: "delivery"; readonly audience: string; readonly delivery: Delivery }

/** The result of a read. */
export interface Snapshot {
  readonly at: Date
  /** Visitors in each of the last 60 minutes, the current minute last. */
  readonly perMinute: ReadonlyArray<number>
  /** Most recent activity first. */
  readonly latest: ReadonlyArray<Visitor>
  /** Companies of the last 24 hours, most recent activity first; empty if the server does not have companies. */
  readonly companies: ReadonlyArray<Company>
  /** Null if the server does not show its queues to this address. */
  readonly queues: ReadonlyArray<QueueDepth> | null
  /** Null if the credentials have no access. */
  readonly runs: ReadonlyArray<Work> | null
  readonly deliveries: ReadonlyArray<Work> | null
}

/** The server and how to access it. */
export interface Place {
  readonly client: Footfall
  readonly baseUrl: string
  /** Deliveries need a session. */
  readonly hasLogin: boolean
}

/** Pages of visitors on the first read; later reads need one. */
const FIRST_PAGES_MAX = 4
/** Number of companies shown. */
const COMPANIES_MAX = 8
/** Audiences checked per read, in turns. The first read checks more. */
const AUDIENCES_PER_READ = 4
const FIRST_AUDIENCES_MAX = 12
/** Number of reads after which the audiences are listed again. */
const AUDIENCES_EVERY = 12
const METRICS_TIMEOUT_MS = 3_000

/** Reads a server repeatedly. */
export class SnapshotReader {
  readonly #place: Place
  readonly #visits = new Visits()
  readonly #works = new Map<string, ReadonlyArray<Work>>()
  #audiences: ReadonlyArray<Audience> = []
  #reads = 0

  #hasLogin: boolean

  constructor(place: Place) {
    this.#place = place
    this.#hasLogin = place.hasLogin
  }

  /** Errors: those of the SDK; a missing session or missing metrics is not an error. */
  async read(now: () => Date, signal: AbortSignal): Promise<Snapshot> {
    const [latest, companies, queues, works] = await Promise.all([
      this.#latest(now(), signal),
      this.#companies(signal),
      this.#queues(signal),
      this.#activeWork(signal),
    ])
    this.#reads += 1
    const at = now()
    return {
      at,
      perMinute: this.#visits.perMinute(at),
      latest,
      companies,
      queues,
      runs: works?.filter(({ kind }) => kind === "run") ?? null,
      deliveries: this.#hasLogin
        ? (works?.filter(({ kind }) => kind === "delivery") ?? null)
        : null,
    }
  }

  async #latest(now: Date, signal: AbortSignal): Promise<ReadonlyArray<Visitor>> {
    const hourAgo = new Date(now.getTime() - minutesMax * 60_000).toISOString()
    const visitors: Array<Visitor> = []
    let pages = this.#reads === 0 ? FIRST_PAGES_MAX : 1
    const list = this.#place.client.visitors.list(
      { timeframe: "24h", suppressed: "exclude" },
      { signal },
    )
    for await (const { data } of list.pages()) {
      visitors.push(...data)
      pages -= 1
      if (pages === 0 || (data.at(-1)?.lastSeenAt ?? "") < hourAgo) break
    }
    this.#visits.add(
      visitors.map(({ emailHash, lastSeenAt }) => ({ visitorId: emailHash, at: lastSeenAt })),
    )
    return visitors.slice(0, 50)
  }

  async #companies(signal: AbortSignal): Promise<ReadonlyArray<Company>> {
    try {
      const params = { timeframe: "24h", limit: COMPANIES_MAX } as const
      return (await this.#place.client.companies.list(params, { signal })).data
    } catch (error) {
      // An older server, or a key without access.
      if (isForbidden(error) || isUnknown(error)) return []
      throw error
    }
  }

  async #queues(signal: AbortSignal): Promise<ReadonlyArray<QueueDepth> | null> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(METRICS_TIMEOUT_MS)])
    try {
      const answer = await request(`${this.#place.baseUrl}/metrics`, {
        method: "GET",
        headers: { accept: "text/plain" },
        body: null,
        signal: limit,
      })
      const text = await answer.body.text()
      return answer.statusCode === 200 ? queueDepths(text) : null
    } catch {
      // The operator may restrict access, and a proxy may not forward it.
      return null
    }
  }

  /** Checks a few active audiences per call, in turns. The work of the others is from their last turn. */
  async #activeWork(signal: AbortSignal): Promise<ReadonlyArray<Work> | null> {
    try {
      if (this.#reads % AUDIENCES_EVERY === 0) await this.#listAudiences(signal)
      await Promise.all(this.#inTurn().map((audience) => this.#readWork(audience, signal)))
    } catch (error) {
      if (isForbidden(error)) return null
      throw error
    }
    return [...this.#works.values()].flat()
  }

  async #listAudiences(signal: AbortSignal): Promise<void> {
    const { data } = await this.#place.client.audiences.list({ status: "active" }, { signal })
    this.#audiences = data
    const ids = new Set(data.map(({ id }) => id))
    for (const id of this.#works.keys()) if (!ids.has(id)) this.#works.delete(id)
  }

  #inTurn(): ReadonlyArray<Audience> {
    const count = this.#audiences.length
    const first = count === 0 ? 0 : (this.#reads * AUDIENCES_PER_READ) % count
    const perRead = this.#reads === 0 ? FIRST_AUDIENCES_MAX : AUDIENCES_PER_READ
    return [...this.#audiences.slice(first), ...this.#audiences.slice(0, first)].slice(0, perRead)
  }

  async #deliveries(id: string, signal: AbortSignal): Promise<ReadonlyArray<Delivery>> {
    if (!this.#hasLogin) return []
    try {
      return (await this.#place.client.deliveries.list(id, { limit: 5 }, { signal })).data
    } catch (error) {
      if (!isSessionOver(error)) throw error
      this.#hasLogin = false
      return []
    }
  }

  async #readWork({ id, name: audience }: Audience, signal: AbortSignal): Promise<void> {
    const [runs, deliveries] = await Promise.all([
      this.#place.client.runs.list(id, { limit: 5 }, { signal }),
      this.#deliveries(id, signal),
    ])
    this.#works.set(id, [
      ...runs.data
        .filter(({ status }) => status === "queued" || status === "running")
        .map((run) => ({ kind: "run", audience, run }) as const),
      ...deliveries
        .filter(({ status }) => status === "queued" || status === "processing")
        .map((delivery) => ({ kind: "delivery", audience, delivery }) as const),
    ])
  }
}

const isUnknown = (error: unknown): boolean =>
  error instanceof Error && "status" in error && error.status === 404

const isForbidden = (error: unknown): boolean =>
  error instanceof Error && "status" in error && error.status === 403

/** The session has expired or is not allowed to do this. */
const isSessionOver = (error: unknown): boolean =>
  isForbidden(error) ||
  (error instanceof Error && "status" in error && error.status === 401) ||
  (error instanceof Error && "code" in error && error.code === "SESSION_ENDED")

// The queues of the server, read from the text of its `/metrics` (OpenMetrics). Pure.

/** A queue: jobs that are due, delayed and in progress, and how long the oldest has been due. */
export interface QueueDepth {
  readonly queue: string
  readonly waiting: number
  readonly delayed: number
  readonly working: number
  readonly lagSeconds: number
}

/** The queues in the order of the text; null if the text has none. */
export const queueDepths = (metrics: string): ReadonlyArray<QueueDepth> | null => {
  const queues = new Map<string, QueueDepth>()
  for (const line of metrics.split("\n")) {
    const [, name, labels = "", value] = sample.exec(line) ?? []
    const queue = /queue="([^"]*)"/.exec(labels)?.[1]
    if (queue === undefined) continue
    const known = queues.get(queue) ?? { queue, waiting: 0, delayed: 0, working: 0, lagSeconds: 0 }
    const member = name === "lag_seconds" ? "lagSeconds" : /state="([a-z]*)"/.exec(labels)?.[1]
    if (member === undefined || !Object.hasOwn(known, member)) continue
    queues.set(queue, { ...known, [member]: Number(value) })
  }
  return queues.size === 0 ? null : [...queues.values()]
}

const sample = /^footfall_queue_(depth|lag_seconds)\{([^}]*)\} ([\d.e+-]+)/
