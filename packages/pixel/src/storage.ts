/**
 * Small texts kept in this browser: in a first-party cookie and, as a second copy, in local
 * storage (spec 6.6). Storage may be missing, blocked or full; then nothing is kept.
 */
import { guard } from "./guard.ts"
import { cookieDomain } from "./settings.ts"

/**
 * What local storage holds, with the 13 digits of the moment at which it is void in front of it:
 * local storage has no expiry of its own.
 */
export const load = guard(
  // own keys: names that begin with the pixel's id.
  (name: string) => parseInt(localStorage[name]) > Date.now() && (localStorage[name] as string),
)

/** In local storage alone; without a text it removes what is there. */
export const store = guard((name: string, text?: unknown) =>
  // own keys: likewise.
  text ? (localStorage[name] = text) : delete localStorage[name],
)

/** Of the cookie, else of local storage. */
export const kept = (name: string): string | undefined =>
  ((guard(() => document.cookie)() + ";" + load(name)).split(name + "=")[1] || "").split(";")[0]

/** Without a value it removes what is kept. */
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
