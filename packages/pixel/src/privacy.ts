/**
 * Whether the browser asks not to be known: Global Privacy Control (decisions.md 6.6). The page is
 * then counted without an id, nothing is stored and nobody is identified.
 */
export const hasPrivacySignal = (): boolean =>
  // Not yet in the DOM types of TypeScript.
  !!(navigator as { globalPrivacyControl?: unknown }).globalPrivacyControl
