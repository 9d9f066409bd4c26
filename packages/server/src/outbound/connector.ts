// The guard itself: undici's connector with a vetted address in place of a host. It is a connector and
// not a look-up hook, because a hook is never asked about literal addresses (reliability.md T1). The
// name goes on as SNI and Host, and its certificate is what is checked. Fits a client of one request
// and a pool of many alike.
import type { LookupFunction } from "node:net"
import type { buildConnector } from "undici"
import { UrlNotAllowed } from "./outbound-error.ts"
import { literalAddress } from "./outbound-url.ts"
import { isSameAddress } from "./public-address.ts"
import { type Guard, type ResolvedAddress, vettedAddresses } from "./vetted-addresses.ts"

/** How long one of several addresses is waited for before the next is tried beside it. */
const addressAttemptTimeoutMs = 1000

/**
 * Gives its caller an open connection to a vetted address or an error; opens no other one.
 *
 * `build`: undici's `buildConnector`. `signal`: ends what is being dialled and what was opened.
 * *Errors*: NameNotResolved, UrlNotAllowed, and what the system and TLS say.
 */
export const guardedConnector =
  (
    build: typeof buildConnector,
    guard: Guard & { readonly signal: AbortSignal },
  ): buildConnector.connector =>
  (options, callback) => {
    const { hostname } = options
    const dial = (addresses: ReadonlyArray<ResolvedAddress>) => {
      guard.signal.throwIfAborted()
      const connect = build({
        // The budget of the whole request is the limit; it comes by the signal.
        timeout: 0,
        signal: guard.signal,
        lookup: pinned(addresses),
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: addressAttemptTimeoutMs,
        allowH2: false,
        // An environment variable of Node would switch this off.
        rejectUnauthorized: true,
        maxCachedSessions: 0,
      })
      connect({ ...options, servername: serverName(hostname) }, (error, socket) => {
        if (error !== null) return callback(error, null)
        // The look-up above is what sees to it; this would notice if anything went round it.
        const { remoteAddress = "" } = socket
        if (addresses.some(({ address }) => isSameAddress(address, remoteAddress))) {
          return callback(null, socket)
        }
        socket.destroy()
        callback(new UrlNotAllowed({ reason: "address" }), null)
      })
    }
    vettedAddresses(hostname, guard)
      .then(dial)
      .catch((error: Error) => callback(error, null))
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
