/**
 * The function of the npm package. It contains the complete script of the served files. The build wraps that script in
 * a function too, so each call has its own state. See `index.ts` and `tsup.config.ts`.
 */
import { load } from "./script-function.ts"
import type { Commands } from "./commands.ts"
import type { Footfall, FootfallOptions } from "./index.ts"

/** Only this pixel's names: see `start.ts`. */
declare const window: { readonly [loaded: string]: Commands | undefined } | undefined

/** Undefined on a server or if the options are wrong. Calls then do nothing. */
const commandsOf = (options: FootfallOptions): Commands | undefined => {
  try {
    return load(options)
  } catch {
    // The commands of an earlier call, if the pixel is already on the page. own keys: a name of this script's.
    return typeof window === "undefined" ? undefined : window["footfall_" + options?.pixelId]
  }
}

export const footfall = (options: FootfallOptions): Footfall => {
  const commands = commandsOf(options)
  const run = (name: keyof Footfall, values: readonly unknown[]) => {
    try {
      return commands?.[name]?.(values[0], values[1])
    } catch (reason) {
      if (options.debug) console.debug("footfall:", reason)
    }
  }
  const command =
    (name: keyof Footfall) =>
    (...values: readonly unknown[]): void =>
      void run(name, values)
  return {
    page: command("page"),
    identify: command("identify"),
    track: command("track"),
    consent: command("consent"),
    optOut: command("optOut"),
    optIn: command("optIn"),
    reset: command("reset"),
    ready: command("ready"),
    // The command returns an id or null.
    getVisitorId: () => (run("getVisitorId", []) as string | null | undefined) ?? null,
  }
}
