// Commands without a screen still report their waits: for a rate limit, for a server that does not respond, and for one
// that is slow.

import type { Hooks } from "@footfall/sdk"
import type { Countdown } from "../terminal/countdown.ts"
import { note, type Terminal } from "../terminal/terminal.ts"

/** Units: milliseconds. A busy server, for example during an import, takes longer. */
const SAID_SILENCE_MIN = 3_000

/**
 * Reports every wait of the SDK with its length, and a server that does not respond for long, unless a screen would be
 * disturbed. On a terminal the seconds count down; elsewhere it prints one line.
 */
export const waitsSaid = (terminal: Terminal): Hooks => {
  // Loaded by the first wait, which is rare.
  let countdown: Promise<Countdown> | undefined
  let silence: NodeJS.Timeout | undefined
  return {
    onRequest: ({ path }) => {
      void countdown?.then((line) => line.sent())
      clearTimeout(silence)
      // An import keeps sending while it waits.
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
