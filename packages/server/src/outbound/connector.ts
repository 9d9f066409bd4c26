// The guard itself: undici's connector with vetted addresses in place of a host. It is a connector and
// not a look-up hook, because a hook is never asked about literal addresses. The
// name goes on as SNI and Host, and its certificate is what is checked. Fits a client of one request
// and a pool of many alike.
import type { LookupFunction } from "node:net"
import type { buildConnector } from "undici"
import { ConnectionRefused, TlsFailed, UrlNotAllowed } from "./outbound-error.ts"
import { passOverContinue } from "./interim-answers.ts"
import { literalAddress } from "./outbound-url.ts"
import { isSameAddress } from "./public-address.ts"
import type { ResolvedAddress } from "./name-lookup.ts"

/** How long one of several addresses is waited for before the next is tried beside it. */
const addressAttemptTimeoutMs = 1000

export interface Dialling {
  /** The only ones that are dialled: what vettedAddresses gave for the host. */
  readonly addresses: ReadonlyArray<ResolvedAddress>
  /** For TCP and TLS together; 0 is without a limit, where the signal is the limit. */
  readonly timeoutMs: number
  /** Ends what is being dialled and what was opened. */
  readonly signal?: AbortSignal
}

/**
 * Gives its caller an open connection to one of the addresses or an error; opens no other one.
 *
 * `build`: undici's `buildConnector`.
 * *Errors*: ConnectionRefused, TlsFailed, UrlNotAllowed, and what the system says.
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
    // An environment variable of Node would switch this off.
    rejectUnauthorized: true,
    maxCachedSessions: 0,
  })
  return (options, callback) => {
    connect({ ...options, servername: serverName(options.hostname) }, (error, socket) => {
      if (error !== null) return callback(diallingError(error, options.protocol), null)
      // The look-up above is what sees to it; this would notice if anything went round it.
      const { remoteAddress = "" } = socket
      if (addresses.some(({ address }) => isSameAddress(address, remoteAddress))) {
        return callback(null, passOverContinue(socket))
      }
      socket.destroy()
      callback(new UrlNotAllowed({ reason: "address" }), null)
    })
  }
}

/** Gives what was vetted, whatever is asked. A literal host is dialled without asking. */
const pinned =
  (addresses: ReadonlyArray<ResolvedAddress>): LookupFunction =>
  (_name, { all }, callback) => {
    // The last overload of the callback is the one without `all`; the other takes the whole list.
    if (all === true) callback(null, [...addresses])
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }

/** None for an address; and a certificate names a host without the dot that ends an absolute name. */
const serverName = (host: string): string =>
  literalAddress(host) === undefined ? host.replace(/\.$/, "") : ""

/** Errors of the connection itself while TLS was being spoken on it. */
const brokenOff: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "ABORT_ERR"])

/** Distinguishes a failed connection from failed TLS; anything else is the system's own error. */
const diallingError = (error: Error & { code?: unknown; syscall?: unknown }, protocol: string) => {
  const code = typeof error.code === "string" ? error.code : "UNKNOWN"
  if (error.name === "AggregateError" || error.syscall === "connect") {
    return new ConnectionRefused({ code })
  }
  if (code === "UND_ERR_CONNECT_TIMEOUT") return new ConnectionRefused({ code: "ETIMEDOUT" })
  return protocol === "https:" && !brokenOff.has(code) ? new TlsFailed({ code }) : error
}
