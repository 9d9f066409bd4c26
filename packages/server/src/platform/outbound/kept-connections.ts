// Keep-alive connections for webhooks: an undici pool per origin and set of vetted addresses, so an attempt only uses a
// kept connection if it vetted the same addresses again (spec 1.9). Connections and pools are bounded; unused ones
// close within a minute.
import type * as Undici from "undici"
import { guardedConnector } from "./connector.ts"
import { headerBytesMax } from "./exchange.ts"
import type { ResolvedAddress } from "./vetted-addresses.ts"

/**
 * Per origin. Further requests wait for a connection within their own time limit. All deliveries of a process may go to
 * one host that many customers share, five concurrent requests each, in addition to webhooks.
 */
export const connectionsMax = 512
/** Pools kept between requests. A new one replaces the one that was used longest ago. */
export const poolsMax = 512
/** Equals the time limit of a request (spec 10.3), so no request waits longer for a connection. */
const dialTimeoutMs = 30_000
/**
 * Without a Keep-Alive header from the receiver: shorter than servers usually wait, so they don't close a connection we
 * are writing to.
 */
const keepAliveMs = 4_000
/** With a Keep-Alive header. sweep() closes unused pools earlier. */
export const keepAliveMaxMs = 60_000

interface Kept {
  readonly pool: Undici.Pool
  /** Ends dialing, which destroying the pool would otherwise wait for. */
  readonly dialing: AbortController
  /** Whether it was used since the last sweep. */
  isFresh: boolean
}

/** undici's exports, which are loaded on first use. */
type UndiciParts = Pick<typeof Undici, "buildConnector" | "Pool">

export class KeptConnections {
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>()
  /** No longer used for new requests; they close when their requests have ended. */
  readonly #closing = new Set<Kept>()
  readonly #undici: UndiciParts
  #isClosed = false

  constructor(undici: UndiciParts) {
    this.#undici = undici
  }

  /** The connections to an origin. `addresses`: vetted for this attempt. */
  pool(origin: string, addresses: ReadonlyArray<ResolvedAddress>): Undici.Pool {
    const key = `${origin} ${addressList(addresses)}`
    const kept = this.#kept.get(key) ?? this.#open(origin, addresses)
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    kept.isFresh = true
    return kept.pool
  }

  /** Closes what was not used since the previous call: called every 30 s, it limits idle time to 60 s. */
  sweep(): void {
    for (const [key, kept] of this.#kept) {
      if (!kept.isFresh && kept.pool.stats.size === 0) this.#retire(key, kept)
      kept.isFresh = false
    }
  }

  /** Aborts everything in progress; requests that wait fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    const all = [...this.#kept.values(), ...this.#closing]
    this.#kept.clear()
    await Promise.all(all.map(destroy))
  }

  #open(origin: string, addresses: ReadonlyArray<ResolvedAddress>): Kept {
    if (this.#kept.size >= poolsMax) this.#retire(...this.#kept.entries().next().value!)
    const { buildConnector, Pool } = this.#undici
    const dialing = new AbortController()
    const { signal } = dialing
    const pool = new Pool(origin, {
      connect: guardedConnector(buildConnector, { addresses, signal, timeoutMs: dialTimeoutMs }),
      connections: connectionsMax,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMaxMs,
      maxHeaderSize: headerBytesMax,
      // The sender enforces the time limit of each request.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
    })
    const kept = { pool, dialing, isFresh: true }
    if (this.#isClosed) void destroy(kept)
    return kept
  }

  #retire(key: string, kept: Kept): void {
    this.#kept.delete(key)
    this.#closing.add(kept)
    void kept.pool.close().then(() => this.#closing.delete(kept))
  }
}

const destroy = ({ dialing, pool }: Kept): Promise<void> => {
  dialing.abort()
  return pool.destroy()
}

/** Sorted, so that the order of the addresses does not matter. */
const addressList = (addresses: ReadonlyArray<ResolvedAddress>): string =>
  addresses
    .map(({ address }) => address)
    .sort()
    .join()
