// The requests that the clients of an installation send all day, at a steady rate whatever the servers do (open loop):
// browsers that send events, backends that list, query and change suppression rules, with undici and with the SDK.
// Nothing is retried. A ledger records what was acknowledged, and is compared with the database afterwards.
import { Footfall } from "@footfall/sdk"
import { Agent, request } from "undici"
import { random } from "../identification/simulation.ts"
import { siteTraffic } from "../crash/site-traffic.ts"
import type { SitePixel } from "../crash/site.ts"

export interface MixedLoadOptions {
  readonly url: string
  readonly apiKey: string
  readonly pixels: ReadonlyArray<SitePixel>
  readonly requestsPerSecond: number
  readonly seed?: number
  /** Default: 200. */
  readonly browsers?: number
}

/** A response other than 2xx, or none. */
export interface Failure {
  readonly name: string
  /** 0: no response. */
  readonly status: number
  readonly detail: string
  /** Milliseconds since the load began. */
  readonly sentAt: number
  readonly failedAt: number
  /** A 503 in the envelope that says when to retry. */
  readonly isGuided: boolean
}

interface Answered {
  readonly status: number
  readonly body: string
  readonly retryAfter: string | undefined
}

const tickMs = 10
/** Concurrent requests. Those that are due beyond this number are counted as unsent. */
const underWayMax = 1_000
const requestTimeoutMs = 60_000

export class MixedLoad {
  readonly failures: Array<Failure> = []
  /** Ids of events whose batch was answered with 204. */
  readonly events: Array<string> = []
  /** Whether each rule that only this load writes must exist. Undefined: unknown. */
  readonly rules = new Map<string, boolean | undefined>()
  /** In milliseconds, for every response. */
  readonly latencies: Array<number> = []
  answered = 0
  unsent = 0
  readonly #options: MixedLoadOptions
  readonly #agent = new Agent({ connections: 256, keepAliveTimeout: 20_000, pipelining: 1 })
  readonly #sdk: Footfall
  readonly #below: (limit: number) => number
  readonly #batch: ReturnType<typeof siteTraffic>
  readonly #hashes: Array<string> = []
  readonly #writing = new Set<string>()
  readonly #underWay = new Set<Promise<void>>()
  readonly #beganAt = performance.now()
  #rule = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: MixedLoadOptions) {
    const { apiKey, browsers = 200, pixels, seed = 1, url } = options
    this.#options = options
    this.#sdk = new Footfall({
      baseUrl: url,
      apiKey,
      maxRetries: 0,
      timeoutMs: requestTimeoutMs,
      dispatcher: this.#agent,
    })
    this.#below = random(seed)
    this.#batch = siteTraffic({ seed, url, pixels, browsers })
  }

  start(): void {
    const startedAt = performance.now()
    let sent = 0
    this.#timer = setInterval(() => {
      const due = ((performance.now() - startedAt) * this.#options.requestsPerSecond) / 1_000
      for (; sent < due; sent++) this.#send()
    }, tickMs)
  }

  /** Stops sending. Resolves once all requests are answered. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#underWay)
    await this.#agent.close()
  }

  /** Milliseconds since the load began, for failures. */
  get now(): number {
    return performance.now() - this.#beganAt
  }

  /** Of the responses so far, in milliseconds. */
  percentile(share: number): number {
    const sorted = this.latencies.toSorted((a, b) => a - b)
    return Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
  }

  /** Failures by name and status. */
  get summary(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const { detail, name, status } of this.failures) {
      const key = `${name} ${status} ${detail}`.slice(0, 120)
      counts[key] = (counts[key] ?? 0) + 1
    }
    return counts
  }

  #send(): void {
    if (this.#underWay.size >= underWayMax) return void this.unsent++
    const running: Promise<void> = this.#one().finally(() => this.#underWay.delete(running))
    this.#underWay.add(running)
  }

  #one(): Promise<void> {
    const draw = this.#below(100)
    if (draw < 50) return this.#collect()
    if (draw < 65) return this.#list()
    if (draw < 69) return this.#query()
    if (draw < 76) return this.#sessions()
    if (draw < 86) return this.#write()
    if (draw < 90) return this.#get("rules", "/v1/data/suppression-rules?limit=100")
    if (draw < 94) return this.#get("pixels", "/v1/data/pixels")
    if (draw < 97) return this.#get("account", "/v1/data/account")
    return this.#get("script", `/p/${this.#options.pixels[0]!.id}.js`)
  }

  async #collect(): Promise<void> {
    const { body, eventIds, url } = this.#batch()
    const headers = {
      "content-type": "text/plain",
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/145.0",
    }
    const answer = await this.#ask("collect", url, { method: "POST", headers, body })
    if (answer?.status === 204) this.events.push(...eventIds)
  }

  async #list(): Promise<void> {
    const timeframe = (["24h", "7d", "30d", "all"] as const)[this.#below(4)]!
    if (this.#below(3) === 0) {
      const list = async () => void (await this.#sdk.visitors.list({ timeframe }))
      return void (await this.#bySdk("sdk list", list))
    }
    const page = 1 + this.#below(3)
    const path = `/v1/data?timeframe=${timeframe}&page=${page}`
    const answer = await this.#ask("list", this.#options.url + path, {})
    if (answer === undefined || this.#hashes.length > 200) return
    for (const [, hash] of answer.body.matchAll(/"emailHash":"([0-9a-f]{64})"/g)) {
      this.#hashes.push(hash!)
    }
  }

  async #query(): Promise<void> {
    const rule = {
      all: [
        { field: "behavior.pricing_page_views", op: "gte", value: 1 + this.#below(3) },
        { field: "behavior.pageviews", op: "lte", value: 1_000_000 },
      ],
    }
    const body = JSON.stringify({ ruleAst: { version: 1, window: "30d", rule } })
    const headers = { "content-type": "application/json" }
    await this.#ask("query", `${this.#options.url}/v1/data/query`, {
      method: "POST",
      headers,
      body,
    })
  }

  async #sessions(): Promise<void> {
    const hash = this.#hashes[this.#below(Math.max(1, this.#hashes.length))]
    if (hash === undefined) return this.#list()
    await this.#get("sessions", `/v1/data/visitors/${hash}/sessions`)
  }

  /** Adds a rule, or removes one that was added. Each value has one write at a time. */
  async #write(): Promise<void> {
    const present = this.#below(3) === 0 ? this.#anyPresent() : undefined
    const value = present ?? `load-${this.#options.seed ?? 1}-${this.#rule++}.example`
    const isAdded = present === undefined
    this.#writing.add(value)
    this.rules.set(value, undefined)
    const rules = [{ type: "domain", value }] as const
    const done = await this.#bySdk(isAdded ? "sdk add rule" : "sdk remove rule", async () => {
      if (isAdded) await this.#sdk.suppression.add(rules)
      else await this.#sdk.suppression.remove({ rules })
    })
    if (done) this.rules.set(value, isAdded)
    this.#writing.delete(value)
  }

  #anyPresent(): string | undefined {
    const skip = this.#below(50)
    let seen = 0
    for (const [value, isPresent] of this.rules) {
      if (isPresent === true && !this.#writing.has(value) && seen++ >= skip) return value
    }
    return undefined
  }

  async #get(name: string, path: string): Promise<void> {
    await this.#ask(name, this.#options.url + path, {})
  }

  async #ask(
    name: string,
    url: string,
    options: { readonly method?: "POST"; readonly headers?: {}; readonly body?: string },
  ): Promise<Answered | undefined> {
    const sentAt = performance.now()
    try {
      const answer = await request(url, {
        ...options,
        method: options.method ?? "GET",
        headers: { "x-api-key": this.#options.apiKey, ...options.headers },
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(requestTimeoutMs),
      })
      const body = await answer.body.text()
      const retryAfter = answer.headers["retry-after"]?.toString()
      const read = { status: answer.statusCode, body, retryAfter }
      if (read.status < 300) {
        this.#done(sentAt)
        return read
      }
      this.#fail(name, sentAt, read)
    } catch (error) {
      this.#fail(name, sentAt, { status: 0, body: wordsOf(error), retryAfter: undefined })
    }
    return undefined
  }

  async #bySdk(name: string, call: () => Promise<void>): Promise<boolean> {
    const sentAt = performance.now()
    try {
      await call()
      this.#done(sentAt)
      return true
    } catch (error) {
      const { code, retryAfterSeconds, status } = error as {
        readonly status?: number
        readonly code?: string
        readonly retryAfterSeconds?: number
      }
      this.#fail(name, sentAt, {
        status: status ?? 0,
        body: JSON.stringify({ error: { code: code ?? wordsOf(error) } }),
        retryAfter: retryAfterSeconds?.toString(),
      })
      return false
    }
  }

  #done(sentAt: number): void {
    this.answered++
    this.latencies.push(performance.now() - sentAt)
  }

  #fail(name: string, sentAt: number, { body, retryAfter, status }: Answered): void {
    this.failures.push({
      name,
      status,
      detail: body.slice(0, 200),
      sentAt: sentAt - this.#beganAt,
      failedAt: this.now,
      isGuided: status === 503 && retryAfter !== undefined && body.includes('"code"'),
    })
  }
}

const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ""
  return `${error.name}: ${error.message}${cause}`
}
