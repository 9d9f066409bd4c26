// The external issuer, where users can sign in instead of with a password. The server writes its name into the document.
// The tab leaves the console to sign in there, and returns to the address where it was.
import { consolePath, serverUrl } from "./addresses.ts"

/** Undefined: none is configured. */
export const issuerName = document.querySelector<HTMLMetaElement>(
  'meta[name="footfall-issuer"]',
)?.content

/** A page address: the server redirects to the issuer. */
export const issuerUrl = `${serverUrl}/v1/auth/external`

const key = "footfall.return"

export const returnPath = {
  keep: (): void =>
    sessionStorage.setItem(key, location.pathname + location.search + location.hash),

  /** Undefined: this tab was opened to sign in for another one. */
  take: (): string | undefined => {
    const path = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return path?.startsWith(consolePath) === true ? path : undefined
  },
}
