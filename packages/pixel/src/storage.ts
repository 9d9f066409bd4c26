/**
 * Stores small texts in this browser: in a first-party cookie and, as a second copy, in local storage (spec 6.6). If
 * storage is missing, blocked or full, nothing is stored.
 */
import { guard } from "./guard.ts"
import { cookieDomain } from "./settings.ts"

/**
 * Reads a text from local storage. Since local storage has no expiry, each text starts with the 13 digits of its expiry
 * time.
 */
export const load = guard(
  // own keys: names that begin with the pixel's id.
  (name: string) => parseInt(localStorage[name]) > Date.now() && (localStorage[name] as string),
)

/** Writes to local storage only. Without a text it removes the entry. */
export const store = guard((name: string, text?: unknown) =>
  // own keys: likewise.
  text ? (localStorage[name] = text) : delete localStorage[name],
)

/** Reads the cookie, else local storage. */
export const kept = (name: string): string | undefined =>
  ((guard(() => document.cookie)() + ";" + load(name)).split(name + "=")[1] || "").split(";")[0]

/** Without a value it removes the entry. */
export const keep = (name: string, value: string | null, lifetimeSeconds: number): void => {
  const pair = name + "=" + (value || "")
  guard(
    () =>
      (document.cookie =
        pair +
        ";path=/;samesite=lax;max-age=" +
        (value ? lifetimeSeconds : 0) +
        (HAS_OPTIONS && cookieDomain ? ";domain=" + cookieDomain : "") +
        (/s:/.test(location.protocol) ? ";secure" : "")),
  )()
  store(name, value && Date.now() + lifetimeSeconds * 1000 + pair)
}
