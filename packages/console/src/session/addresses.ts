// URLs of the console and its server. The server writes its path prefix into the document.

/** With a trailing slash. */
export const consoleUrl = new URL("./", document.baseURI).href

/** Base path for the router. */
export const consolePath = new URL(consoleUrl).pathname

/** Without a trailing slash. */
export const serverUrl = consoleUrl.replace(/\/console\/$/, "")

// The external issuer, where users can sign in instead of using a password. The server writes its name into the
// document. The tab leaves the console to sign in, then returns to the URL it was at.

/** Undefined if no issuer is configured. */
export const issuerName = document.querySelector<HTMLMetaElement>(
  'meta[name="footfall-issuer"]',
)?.content

/** A page URL: the server redirects to the issuer. */
export const issuerUrl = `${serverUrl}/v1/auth/external`

const key = "footfall.return"

export const returnPath = {
  keep: (): void =>
    sessionStorage.setItem(key, location.pathname + location.search + location.hash),

  /** Undefined if the user opened this tab to sign in for another tab. */
  take: (): string | undefined => {
    const path = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return path?.startsWith(consolePath) === true ? path : undefined
  },
}
