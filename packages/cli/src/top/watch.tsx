// Reads and draws repeatedly until the screen is closed. After the first screen, a failure does not end it: the screen
// stays and shows the error. Loads Ink: import it only to draw.

import { render } from "ink"
import { setTimeout as wait } from "node:timers/promises"
import { errorReport } from "../errors/error-report.ts"
import type { Terminal } from "../terminal/terminal.ts"
import type { SnapshotReader, Snapshot } from "./snapshot.ts"
import { TopScreen, type TopScreenProps } from "./views.tsx"

/** What to watch, and how often. */
export interface Watch {
  readonly reader: SnapshotReader
  readonly server: string
  readonly intervalSeconds: number
}

/** Clears the screen and moves to its upper left corner. */
const CLEAR = "\u001B[2J\u001B[H"

/** Errors: those of the first read. */
export const watch = async (terminal: Terminal, watched: Watch): Promise<void> => {
  const { reader, server, intervalSeconds } = watched
  const end = new AbortController()
  const footer = `every ${intervalSeconds} s · q quits`
  let snapshot: Snapshot | null = null
  const props = (warning: string | null): TopScreenProps => ({ snapshot, server, footer, warning })
  const screen = render(<TopScreen {...props(null)} />, {
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    stderr: terminal.stderr,
    alternateScreen: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  // The terminal has rewrapped the lines, so they are not where Ink expects them. Ink draws the next screen on the same
  // event, and it differs at every size.
  const onResize = (): void => void terminal.stdout.write(CLEAR)
  terminal.stdout.prependListener("resize", onResize)
  const closed = screen.waitUntilExit().finally(() => end.abort())
  try {
    while (!end.signal.aborted) {
      let seconds = intervalSeconds
      let warning: string | null = null
      try {
        snapshot = await reader.read(() => new Date(), end.signal)
      } catch (error) {
        if (end.signal.aborted) break
        if (snapshot === null) throw error
        seconds = Math.max(seconds, retryAfterSeconds(error))
        warning = `${errorReport(error, ["top"], "").message} Trying again in ${seconds} s.`
      }
      screen.rerender(<TopScreen {...props(warning)} />)
      await wait(seconds * 1000, undefined, { signal: end.signal }).catch(() => {})
    }
  } finally {
    end.abort()
    terminal.stdout.off("resize", onResize)
    screen.unmount()
    await closed
  }
}

/** The wait that a rate limit asks for. */
const retryAfterSeconds = (error: unknown): number =>
  error instanceof Error && "retryAfterSeconds" in error ? Number(error.retryAfterSeconds ?? 0) : 0
