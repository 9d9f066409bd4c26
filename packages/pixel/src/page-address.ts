/**
 * The page URL as it is sent (spec 6.5). Of its query it keeps only what the server reads, campaign and click ids, and
 * drops any of those that contain an email address or a secret. All other parameters stay in the browser, so no
 * password, key or token of the site can leak.
 *
 * So does the rest of the fragment, except in `hash` mode, where it's the path. It parses without `URL`, because a
 * page may have replaced that.
 */
import { guard } from "./guard.ts"
import { ADDRESS_LENGTH_MAX } from "./limits.ts"
import { passesLists } from "./path-filter.ts"
import { isAnonymous, spa } from "./settings.ts"
import { dataset, embedded } from "./tag.ts"
import { clip } from "./text.ts"

/**
 * Everything except UTM values and click ids, recognized by the form of their names: `gclid`, `msclkid`, `rdt_cid`, …
 * The server reads names that a mail tool or a person misspelled: `amp;utm_source`, `UTM_Source`.
 */
const NOT_SENT =
  /[?&](?!(amp;)?(utm_\w+|\w+(c[kl]*|bra|fat_)id|epik)=(?!sk_|eyJ|[^&]*(@|%40)))[^&]*/gi
/** The token of an email link (spec 6.7) and its separators. */
const LINK_TOKEN = /([?&])_vid=([^&#]*)(&?)/

export const isHashMode = (): boolean => HAS_HASH && spa === "hash"

/** The route in the fragment and its path: `#!/demo`, `/demo`. Without a query, and without an anchor of its own. */
const routeInHash = () => /^#!?(\/[^?#]*)/.exec(location.hash) || ["", ""]

/** A page view requires a change of this: the path, or in `hash` mode that of the route. Empty without a route. */
export const routePath = (): string =>
  isHashMode() ? (routeInHash()[1] as string) : location.pathname

/** The path that filters see. */
const pagePath = (): string => routePath() || location.pathname

const listOf = (text: string | undefined) => (text ? text.split(/[\s,]+/) : null)

/** Whether the current page counts. It must pass the lists of both the pixel and the tag. */
export const countsPage = (): boolean =>
  !HAS_PATHS ||
  (passesLists(pagePath(), listOf(dataset["exclude"]), listOf(dataset["include"])) &&
    passesLists(pagePath(), embedded.excludedPaths, embedded.includedPaths))

/**
 * The campaign may be in the fragment too: in a route's query, or instead of one. Test the patterns only if there's a
 * query, because the first use of one takes a browser 0.2 ms.
 */
export const pageAddress = (): string => {
  const query = location.search + location.hash.replace(/^#!?\/[^?]*\?|#/g, "&")
  const address =
    location.origin + location.pathname + (query && query.replace(NOT_SENT, "").replace(/^&/, "?"))
  return clip(isHashMode() ? address + routeInHash()[0] : address, ADDRESS_LENGTH_MAX)
}

/** Removes the token from the address bar and returns it if the page may have an id. This causes no page view. */
export const takeLinkToken = (): string | undefined => {
  let token: string | undefined
  const clean = location.href.replace(LINK_TOKEN, (_, before, found, after) => {
    token = found
    return after && before
  })
  if (token) guard(() => history.replaceState(history.state, "", clean))()
  return isAnonymous ? undefined : token
}
