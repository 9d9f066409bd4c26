// Whether to colour: NO_COLOR (https://no-color.org) and --no-color turn it off, also against
// FORCE_COLOR. The colour library under Ink decides the rest by looking at the terminal.

/**
 * Guarantee: screens drawn after this call have no colour if the person asked for none.
 * It must run before a screen is imported, because the library looks once, when it is loaded.
 */
export const respectColorWish = (environment: NodeJS.ProcessEnv, isColorWanted: boolean): void => {
  const isRefused = environment["NO_COLOR"] !== undefined && environment["NO_COLOR"] !== ""
  if (isRefused || !isColorWanted) environment["FORCE_COLOR"] = "0"
}
