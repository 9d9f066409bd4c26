// Commands without a screen of their own are not silent while they wait: for a rate limit, for a server that does not
// answer, and for one that takes long.

import type { Hooks } from "@footfall/sdk"
import type { Countdown } from "../terminal/countdown.ts"
import { note, type Terminal } from "../terminal/terminal.ts"

/** Units: milliseconds. A server that is busy, with an import for example, takes longer. */
const SAID_SILENCE_MIN = 3_000

/**
 * Says every wait that the SDK makes by itself, and for how long, and when the server does not answer for long, where
 * no screen would be torn by it. On a terminal the seconds of a wait count down; elsewhere one line says them.
 */
export const waitsSaid = (terminal: Terminal): Hooks => {
  // Loaded by the first wait, which is rare.
  let countdown: Promise<Countdown> | undefined
  let silence: NodeJS.Timeout | undefined
  return {
    onRequest: ({ path }) => {
      void countdown?.then((line) => line.sent())
      clearTimeout(silence)
      // An import sends while it waits.
      if (path.includes("/import/")) return
      silence = setTimeout(() => {
        const isFree = terminal.liveScreens.size === 0 && !terminal.pager.isOpen
        if (isFree) note(terminal, "Still waiting for the server …")
      }, SAID_SILENCE_MIN).unref()
    },
    onResponse: () => clearTimeout(silence),
    onWait: (wait) => {
      clearTimeout(silence)
      const beganMs = performance.now()
      countdown ??= import("../terminal/countdown.ts").then((room) => new room.Countdown(terminal))
      void countdown.then((line) => line.sayAttempt(wait, beganMs))
    },
  }
}
