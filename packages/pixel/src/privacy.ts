/**
 * Whether the browser asks not to be known: Global Privacy Control, and Do Not Track where the pixel
 * or the tag respects it (decisions.md 6.6). The page is then counted without an id, nothing is
 * stored and nobody is identified.
 */
import { respectsDnt } from "./settings.ts"

/** Whether someone may see the page: not in the background, and not prerendered. */
export const isShown = (): boolean => !document.hidden

export const hasGpc = (): boolean =>
  // Not yet in the DOM types of TypeScript.
  !!(navigator as { globalPrivacyControl?: unknown }).globalPrivacyControl

export const hasDnt = (): boolean => navigator.doNotTrack === "1"

export const isAnonymous = (): boolean => hasGpc() || (respectsDnt && hasDnt())
