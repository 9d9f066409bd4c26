// Reads and draws again and again until the screen is closed. After the first screen no failure ends it: the screen
// stays and shows the error. Loads Ink: import it only to draw.

import { render } from "ink"
import { setTimeout as wait } from "node:timers/promises"
import { errorReport } from "../errors/error-report.ts"
import type { Terminal } from "../terminal/terminal.ts"
import type { Lookout, Sight } from "./look.ts"
import { TopScreen, type TopScreenProps } from "./views.tsx"

/** What is watched, and how often. */
export interface Watch {
  readonly lookout: Lookout
  readonly server: string
  readonly intervalSeconds: number
}

/** Erases the screen and goes to its upper left corner. */
const CLEAR = "\u001B[2J\u001B[H"

/** Errors: those of the first look. */
export const watch = async (terminal: Terminal, watched: Watch): Promise<void> => {
  const { lookout, server, intervalSeconds } = watched
  const end = new AbortController()
  const footer = `every ${intervalSeconds} s · q quits`
  let sight: Sight | null = null
  const props = (trouble: string | null): TopScreenProps => ({ sight, server, footer, trouble })
  const screen = render(<TopScreen {...props(null)} />, {
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    stderr: terminal.stderr,
    alternateScreen: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  // The terminal has wrapped the lines again, so they are not where Ink expects them. The next screen,
  // which Ink draws on the same event, differs at every size.
  const onResize = (): void => void terminal.stdout.write(CLEAR)
  terminal.stdout.prependListener("resize", onResize)
  const closed = screen.waitUntilExit().finally(() => end.abort())
  try {
    while (!end.signal.aborted) {
      let seconds = intervalSeconds
      let trouble: string | null = null
      try {
        sight = await lookout.look(() => new Date(), end.signal)
      } catch (error) {
        if (end.signal.aborted) break
        if (sight === null) throw error
        seconds = Math.max(seconds, retryAfterSeconds(error))
        trouble = `${errorReport(error, ["top"], "").message} Trying again in ${seconds} s.`
      }
      screen.rerender(<TopScreen {...props(trouble)} />)
      await wait(seconds * 1000, undefined, { signal: end.signal }).catch(() => {})
    }
  } finally {
    end.abort()
    terminal.stdout.off("resize", onResize)
    screen.unmount()
    await closed
  }
}

/** What a rate limit asks for. */
const retryAfterSeconds = (error: unknown): number =>
  error instanceof Error && "retryAfterSeconds" in error ? Number(error.retryAfterSeconds ?? 0) : 0
