// Keep-alive connections for webhooks: one pool per origin and set of vetted addresses, so an attempt only uses a kept
// connection if it vetted the same addresses again (spec 1.9). Connections and pools are bounded; unused ones close
// within a minute.
import { setMaxListeners } from "node:events"
import type * as Undici from "undici"
import { guardedConnector } from "./connector.ts"
import { headerBytesMax } from "./exchange.ts"
import type { ResolvedAddress } from "./vetted-addresses.ts"

/**
 * Per origin. Further requests wait for a connection within their own time limit. All deliveries of a process may go to
 * one host that many customers share, five concurrent requests each, in addition to webhooks.
 */
export const connectionsMax = 512
/** Pools kept between requests. A new one replaces the oldest that is not in use. */
const poolsMax = 512
/** Equals the time limit of a request (spec 10.3), so no request waits longer for a connection. */
const dialTimeoutMs = 30_000
/**
 * Without a Keep-Alive header from the receiver: shorter than servers usually wait, so they don't close a connection we
 * are writing to.
 */
const keepAliveMs = 4_000
/** With a Keep-Alive header. sweep() closes idle connections earlier. */
export const keepAliveMaxMs = 60_000

/** A pool in use. Release it exactly once. */
export interface Lease {
  readonly pool: Undici.Pool
  /** `isSpent`: the pool had no connection in time, so the next request uses a new pool. */
  release(isSpent: boolean): void
}

interface Kept {
  readonly pool: Undici.Pool
  /** Aborts dialing, which destroying the pool would otherwise wait for. */
  readonly dialling: AbortController
  leases: number
  /** Whether it was used since the last sweep. */
  isFresh: boolean
  isRetired: boolean
}

/** undici's exports, which are loaded on first use. */
type UndiciParts = Pick<typeof Undici, "buildConnector" | "Pool">

export class KeptConnections {
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>()
  readonly #undici: UndiciParts

  constructor(undici: UndiciParts) {
    this.#undici = undici
  }

  /** `addresses`: vetted for this attempt. */
  lease(url: URL, addresses: ReadonlyArray<ResolvedAddress>): Lease {
    const key = `${url.origin} ${addressList(addresses)}`
    const kept = this.#kept.get(key) ?? this.#make(url.origin, addresses)
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    kept.leases += 1
    kept.isFresh = true
    return {
      pool: kept.pool,
      release: (isSpent) => {
        kept.leases -= 1
        if (isSpent && !kept.isRetired) this.#retire(key, kept)
        else if (kept.isRetired) endUnused(kept)
      },
    }
  }

  /** Closes what was not used since the previous call: called every 30 s, it limits idle time to 60 s. */
  sweep(): void {
    for (const [key, kept] of this.#kept) {
      if (!kept.isFresh && kept.leases === 0) this.#retire(key, kept)
      kept.isFresh = false
    }
  }

  /** Aborts everything in progress. */
  async close(): Promise<void> {
    const all = [...this.#kept.values()]
    this.#kept.clear()
    await Promise.all(all.map(end))
  }

  #make(origin: string, addresses: ReadonlyArray<ResolvedAddress>): Kept {
    if (this.#kept.size >= poolsMax) {
      const [key, oldest] = this.#kept.entries().next().value!
      this.#retire(key, oldest)
    }
    const { buildConnector, Pool } = this.#undici
    const dialling = new AbortController()
    const { signal } = dialling
    // One listener per connection is not a leak.
    setMaxListeners(0, signal)
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
    return { pool, dialling, leases: 0, isFresh: true, isRetired: false }
  }

  #retire(key: string, kept: Kept): void {
    this.#kept.delete(key)
    kept.isRetired = true
    endUnused(kept)
  }
}

const endUnused = (kept: Kept): void => {
  if (kept.leases === 0) void end(kept)
}

const end = ({ dialling, pool }: Kept): Promise<void> => {
  dialling.abort()
  return pool.destroy()
}

/** Sorted, so that the order of the addresses does not matter. */
const addressList = (addresses: ReadonlyArray<ResolvedAddress>): string =>
  addresses.length === 1
    ? addresses[0]!.address
    : addresses
        .map(({ address }) => address)
        .sort()
        .join()
