// The guard itself: undici's connector, which gets vetted addresses instead of a hostname. It is a connector rather
// than a lookup hook because undici never calls the hook for literal addresses. The hostname is still sent as SNI and
// Host, and its certificate is verified. Works for a client that sends one request and for a pool.
import type { LookupFunction } from "node:net"
import type { buildConnector } from "undici"
import { ConnectionRefused, TlsFailed, UrlNotAllowed } from "./outbound-error.ts"
import { passOverContinue } from "./interim-answers.ts"
import { literalAddress } from "./outbound-url.ts"
import { isSameAddress } from "./public-address.ts"
import type { ResolvedAddress } from "./vetted-addresses.ts"

/** How long to wait for one address before trying the next one in parallel. */
const addressAttemptTimeoutMs = 1000

export interface Dialling {
  /** The only addresses it dials: the result of vettedAddresses. */
  readonly addresses: ReadonlyArray<ResolvedAddress>
  /** For TCP and TLS together. 0 means no limit here; the signal sets it. */
  readonly timeoutMs: number
  /** Aborts dialing and closes what was opened. */
  readonly signal?: AbortSignal
}

/**
 * Calls back with an open connection to one of the addresses, or an error. Opens no other connection.
 *
 * `build`: undici's `buildConnector`. *Errors*: ConnectionRefused, TlsFailed, UrlNotAllowed, and system errors.
 */
export const guardedConnector = (
  build: typeof buildConnector,
  { addresses, signal, timeoutMs }: Dialling,
): buildConnector.connector => {
  const connect = build({
    timeout: timeoutMs,
    ...(signal === undefined ? {} : { signal }),
    lookup: pinned(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressAttemptTimeoutMs,
    allowH2: false,
    // NODE_TLS_REJECT_UNAUTHORIZED would switch this off.
    rejectUnauthorized: true,
    maxCachedSessions: 0,
  })
  return (options, callback) => {
    connect({ ...options, servername: serverName(options.hostname) }, (error, socket) => {
      if (error !== null) return callback(diallingError(error, options.protocol), null)
      // The lookup above enforces this; the check would catch a bypass.
      const { remoteAddress = "" } = socket
      if (addresses.some(({ address }) => isSameAddress(address, remoteAddress))) {
        return callback(null, passOverContinue(socket))
      }
      socket.destroy()
      callback(new UrlNotAllowed({ reason: "address" }), null)
    })
  }
}

/** A lookup that always returns the vetted addresses. Literal hosts are dialed without a lookup. */
const pinned =
  (addresses: ReadonlyArray<ResolvedAddress>): LookupFunction =>
  (_name, { all }, callback) => {
    // With `all` the callback takes the whole list; its last overload, without `all`, takes one address.
    if (all === true) callback(null, [...addresses])
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }

/** Empty for an IP address. Certificates name hosts without the trailing dot of an absolute name. */
const serverName = (host: string): string =>
  literalAddress(host) === undefined ? host.replace(/\.$/, "") : ""

/** Connection errors during the TLS handshake. */
const brokenOff: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "ABORT_ERR"])

/** Distinguishes a failed connection from a failed TLS handshake; anything else stays a system error. */
const diallingError = (error: Error & { code?: unknown; syscall?: unknown }, protocol: string) => {
  const code = typeof error.code === "string" ? error.code : "UNKNOWN"
  if (error.name === "AggregateError" || error.syscall === "connect") {
    return new ConnectionRefused({ code })
  }
  if (code === "UND_ERR_CONNECT_TIMEOUT") return new ConnectionRefused({ code: "ETIMEDOUT" })
  return protocol === "https:" && !brokenOff.has(code) ? new TlsFailed({ code }) : error
}
