/**
 * Small texts kept in this browser: in a first-party cookie, on https alone, and, as a second copy, in
 * local storage (decisions.md 6.6). Storage may be missing, blocked or full; then nothing is kept.
 */
import { guard } from "./guard.ts"
import { cookieDomain } from "./settings.ts"

export const kept = (name: string): string | undefined =>
  (new RegExp(name + "=([\\w-]+)").exec(
    guard(() => document.cookie)() +
      ";" +
      // Local storage has no expiry of its own: the copy begins with its moment in milliseconds.
      guard(() => parseInt(localStorage[name]) > Date.now() && localStorage[name])(),
  ) || [])[1]

/** The empty text removes what is kept. */
export const keep = (name: string, value: string, lifetimeSeconds: number): void => {
  const pair = name + "=" + value
  guard(
    () =>
      (document.cookie =
        pair +
        ";path=/;samesite=lax;secure;max-age=" +
        (value ? lifetimeSeconds : 0) +
        (cookieDomain && ";domain=" + cookieDomain)),
  )()
  guard(() => {
    if (value) localStorage[name] = Date.now() + lifetimeSeconds * 1000 + pair
    else delete localStorage[name]
  })()
}
