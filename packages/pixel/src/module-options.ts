/** Converts the options of the npm package to the settings that a server would embed. Throws without a pixel. */
import type { FootfallOptions } from "./index.ts"

/** The argument of the function that wraps this bundle: see `tsup.config.ts`. */
declare const __FOOTFALL_OPTIONS__: FootfallOptions

export const settingsOf = (): EmbeddedSettings => {
  const options = __FOOTFALL_OPTIONS__
  const { attribution = {}, baseUrl, pixelId } = options
  if (!pixelId) throw "no pixelId"
  const query = new URLSearchParams(attribution)
  return {
    ...options,
    id: pixelId,
    src: `${baseUrl.replace(/\/+$/, "")}/p/${pixelId}.js?${query}`,
  }
}
