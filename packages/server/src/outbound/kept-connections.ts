// Connections that are kept between requests of webhooks: a pool for each origin and each set of vetted
// addresses, so that a kept connection is used only by an attempt for which its address was vetted again
// (spec 1.9). Bounded in connections and in pools; what no one uses is closed within a minute.
import { setMaxListeners } from "node:events"
import type * as Undici from "undici"
import { guardedConnector } from "./connector.ts"
import { headerBytesMax } from "./exchange.ts"
import type { ResolvedAddress } from "./name-lookup.ts"

/**
 * Of one origin; more requests wait for one, within their own time. All deliveries of a process may go to one
 * host that many customers share, each five requests at a time, beside the webhooks.
 */
export const connectionsMax = 512
/** Kept between requests. The oldest that is not in use gives way to a new one. */
const poolsMax = 512
/** As long as a request may take (spec 10.3): no one waits for a connection any longer. */
const dialTimeoutMs = 30_000
/** Without a word of the receiver: shorter than servers wait, who would close as we write. */
const keepAliveMs = 4_000
/** With its word. sweep() ends the rest. */
export const keepAliveMaxMs = 60_000

/** A pool as long as it is in use; to be given back once. */
export interface Lease {
  readonly pool: Undici.Pool
  /** `isSpent`: its connections are not to be had in time, so the next request begins again. */
  release(isSpent: boolean): void
}

interface Kept {
  readonly pool: Undici.Pool
  /** Ends what is being dialled, which a pool that is destroyed would wait for. */
  readonly dialling: AbortController
  leases: number
  /** Whether it was used since the last sweep. */
  isFresh: boolean
  isRetired: boolean
}

export class KeptConnections {
  /** In the order of their last use. */
  readonly #kept = new Map<string, Kept>()
  readonly #undici: typeof Undici

  constructor(undici: typeof Undici) {
    this.#undici = undici
  }

  /** `addresses`: vetted for this very attempt. */
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

  /** Closes what was not used since the call before this one: called every 30 s, idle is at most 60 s. */
  sweep(): void {
    for (const [key, kept] of this.#kept) {
      if (!kept.isFresh && kept.leases === 0) this.#retire(key, kept)
      kept.isFresh = false
    }
  }

  /** Ends what is under way. */
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
    // One for each connection: no leak.
    setMaxListeners(0, signal)
    const pool = new Pool(origin, {
      connect: guardedConnector(buildConnector, { addresses, signal, timeoutMs: dialTimeoutMs }),
      connections: connectionsMax,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMaxMs,
      maxHeaderSize: headerBytesMax,
      // The time of each request is seen to where it is sent.
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

/** In one order, whatever order they were given in. */
const addressList = (addresses: ReadonlyArray<ResolvedAddress>): string =>
  addresses.length === 1
    ? addresses[0]!.address
    : addresses
        .map(({ address }) => address)
        .sort()
        .join()
