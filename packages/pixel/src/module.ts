/**
 * The function of the npm package. The script inside it is that of the served files, whole; the build
 * makes it a function too, so it has a state of its own at each call. See `index.ts` and
 * `tsup.config.ts`.
 */
import { load } from "./script-function.ts"
import type { Commands } from "./commands.ts"
import type { Footfall, FootfallOptions } from "./index.ts"

/** As far as it is this pixel's: see `start.ts`. */
declare const window: { readonly [loaded: string]: Commands | undefined } | undefined

/** None on a server, and none where the options are wrong: calls then do nothing. */
const commandsOf = (options: FootfallOptions): Commands | undefined => {
  try {
    return load(options)
  } catch {
    // Those of an earlier call, where the pixel is on the page already.
    // own keys: a name of this script's.
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
    // The command answers with an id or null.
    getVisitorId: () => (run("getVisitorId", []) as string | null | undefined) ?? null,
  }
}
