// Turns color off for NO_COLOR (https://no-color.org) and --no-color, even if FORCE_COLOR is set. Otherwise the color
// library of Ink decides.

/**
 * Guarantee: screens drawn after this call have no colour if the person asked for none.
 * It must run before a screen is imported, because the library looks once, when it is loaded.
 */
export const setColor = (environment: NodeJS.ProcessEnv, isColorWanted: boolean): void => {
  const isRefused = environment["NO_COLOR"] !== undefined && environment["NO_COLOR"] !== ""
  if (isRefused || !isColorWanted) environment["FORCE_COLOR"] = "0"
}
