// Keep-alive connections for webhooks: one group per origin and set of vetted addresses, so an attempt only uses a kept
// connection if it vetted the same addresses again (spec 1.9). Connections and groups are bounded; unused ones close
// within a minute. undici's own pool gives the next request to another connection than the one that has just become
// free, which takes 8 µs more of each request for its timers.
import type * as Undici from "undici"
import { guardedConnector } from "./connector.ts"
import { headerBytesMax } from "./exchange.ts"
import type { ResolvedAddress } from "./vetted-addresses.ts"

/**
 * Per origin. Further requests wait for a connection within their own time limit. All deliveries of a process may go to
 * one host that many customers share, five concurrent requests each, in addition to webhooks.
 */
export const connectionsMax = 512
/** Groups kept between requests. A new one replaces the one that was used longest ago. */
const groupsMax = 512
/** Equals the time limit of a request (spec 10.3), so no request waits longer for a connection. */
const dialTimeoutMs = 30_000
/**
 * Without a Keep-Alive header from the receiver: shorter than servers usually wait, so they don't close a connection we
 * are writing to.
 */
const keepAliveMs = 4_000
/** With a Keep-Alive header. sweep() closes idle connections earlier. */
export const keepAliveMaxMs = 60_000

/** A connection for one request. Release it exactly once. */
export interface Lease {
  readonly client: Undici.Client
  /** `isWhole`: the response has arrived, so the connection may be used again. Otherwise it closes. */
  release(isWhole: boolean): void
}

/** The connections to an origin at the same addresses. */
interface Group {
  readonly origin: string
  readonly addresses: ReadonlyArray<ResolvedAddress>
  /** All of them, each with what aborts its dialing, which destroying it would otherwise wait for. */
  readonly clients: Map<Undici.Client, AbortController>
  /** Open and not in use; the one used last comes last. */
  readonly free: Array<Undici.Client>
  /** Requests that wait for a connection, in order. */
  readonly waiting: Set<() => void>
  /** Whether it was used since the last sweep. */
  isFresh: boolean
  isRetired: boolean
}

/** undici's exports, which are loaded on first use. */
type UndiciParts = Pick<typeof Undici, "buildConnector" | "Client">

export class KeptConnections {
  /** Least recently used first. */
  readonly #groups = new Map<string, Group>()
  readonly #undici: UndiciParts
  #isClosed = false

  constructor(undici: UndiciParts) {
    this.#undici = undici
  }

  /**
   * Calls `begin` with a connection, at once or when one is free. Returns a function that ends the wait. `addresses`:
   * vetted for this attempt.
   */
  take(
    origin: string,
    addresses: ReadonlyArray<ResolvedAddress>,
    begin: (lease: Lease) => void,
  ): () => void {
    const group = this.#groupOf(origin, addresses)
    group.isFresh = true
    const given = () => begin(this.#lease(group))
    const isFull = group.free.length === 0 && group.clients.size >= connectionsMax
    if (isFull) group.waiting.add(given)
    else given()
    return () => void group.waiting.delete(given)
  }

  /** Closes what was not used since the previous call: called every 30 s, it limits idle time to 60 s. */
  sweep(): void {
    for (const [key, group] of this.#groups) {
      if (!group.isFresh && group.free.length === group.clients.size) this.#retire(key, group)
      group.isFresh = false
    }
  }

  /** Aborts everything in progress; requests that wait fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    const groups = [...this.#groups.values()]
    this.#groups.clear()
    for (const group of groups) {
      const waiting = [...group.waiting]
      group.waiting.clear()
      for (const given of waiting) given()
    }
    const clients = groups.flatMap((group) =>
      [...group.clients.keys()].map((client) => end(group, client)),
    )
    await Promise.all(clients)
  }

  #groupOf(origin: string, addresses: ReadonlyArray<ResolvedAddress>): Group {
    const key = `${origin} ${addressList(addresses)}`
    const group = this.#groups.get(key) ?? this.#make(origin, addresses)
    this.#groups.delete(key)
    this.#groups.set(key, group)
    return group
  }

  #make(origin: string, addresses: ReadonlyArray<ResolvedAddress>): Group {
    if (this.#groups.size >= groupsMax) {
      const [key, oldest] = this.#groups.entries().next().value!
      this.#retire(key, oldest)
    }
    const [clients, free, waiting] = [new Map(), [], new Set<() => void>()]
    return { origin, addresses, clients, free, waiting, isFresh: true, isRetired: false }
  }

  #lease(group: Group): Lease {
    const client = group.free.pop() ?? this.#connect(group)
    return {
      client,
      release: (isWhole) => {
        if (isWhole && !group.isRetired && !client.destroyed) group.free.push(client)
        else void end(group, client)
        const [next] = group.waiting
        if (next === undefined) return
        group.waiting.delete(next)
        next()
      },
    }
  }

  /** Dials with its first request. */
  #connect(group: Group): Undici.Client {
    const { buildConnector, Client } = this.#undici
    const { addresses, clients, free, origin } = group
    const dialling = new AbortController()
    const { signal } = dialling
    const client = new Client(origin, {
      connect: guardedConnector(buildConnector, { addresses, signal, timeoutMs: dialTimeoutMs }),
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMaxMs,
      maxHeaderSize: headerBytesMax,
      // The sender enforces the time limit of each request.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
    })
    clients.set(client, dialling)
    client.on("disconnect", () => {
      const place = free.indexOf(client)
      if (place < 0) return
      free.splice(place, 1)
      void end(group, client)
    })
    if (this.#isClosed) void end(group, client)
    return client
  }

  #retire(key: string, group: Group): void {
    this.#groups.delete(key)
    group.isRetired = true
    for (const client of group.free.splice(0)) void end(group, client)
  }
}

const end = ({ clients }: Group, client: Undici.Client): Promise<void> => {
  clients.get(client)?.abort()
  clients.delete(client)
  return client.destroy()
}

/** Sorted, so that the order of the addresses does not matter. */
const addressList = (addresses: ReadonlyArray<ResolvedAddress>): string =>
  addresses.length === 1
    ? addresses[0]!.address
    : addresses
        .map(({ address }) => address)
        .sort()
        .join()
