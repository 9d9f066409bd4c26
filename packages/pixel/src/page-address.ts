/**
 * The address of the page as it may travel (decisions.md 6.5): of its query only what the server
 * reads, campaign and click ids, and of those nothing that holds an e-mail address or a secret. All
 * other parameters stay in the browser, so no password, key or token of a site's own can leave.
 *
 * Promises that the fragment stays too, except in `hash` mode where it is the path.
 */
import { ADDRESS_LENGTH_MAX } from "./limits.ts"
import { keepParameters } from "./query.ts"
import { isSecret } from "./secrets.ts"
import { spa } from "./settings.ts"
import { clip } from "./text.ts"

/** UTM values, and click ids by the form of their names: `gclid`, `msclkid`, `rdt_cid`, … */
const SENT = /^(utm_\w+|\w+c[kl]*id|[gw]braid|li_fat_id|epik)$/

export const isHashMode = (): boolean => spa === "hash"

/** What must change for a page view: the path, in `hash` mode the one inside the fragment. */
export const pagePath = (): string =>
  HAS_HASH && isHashMode() ? (/^#!?\/[^?]*/.exec(location.hash) || [""])[0] : location.pathname

/** Origin and path alone. */
const withoutQuery = (address: string) => address.replace(/[?#].*/, "")

/** Of an address that leads here. */
export const referrerAddress = (address: string): string | null =>
  clip(withoutQuery(address), ADDRESS_LENGTH_MAX) || null

export const pageAddress = (): string =>
  clip(
    withoutQuery(location.href) +
      keepParameters(
        location.search,
        (key, value) => SENT.test(key) && !/@|%40/.test(value) && !isSecret(key, value),
      ) +
      (HAS_HASH && isHashMode() ? pagePath() : ""),
    ADDRESS_LENGTH_MAX,
  )

/** Takes the token of a mail link (decisions.md 6.7) out of the address bar. No page view comes of it. */
export const takeLinkToken = (): string | undefined => {
  let token: string | undefined
  const query = keepParameters(
    location.search,
    (key, value) => key !== "_vid" || ((token = value), false),
  )
  if (token) history.replaceState(history.state, "", location.pathname + query + location.hash)
  return token
}
