// One line on the terminal that shows how much longer a wait lasts. It disappears when the wait ends. If the output
// cannot erase a line, it prints one line when the wait starts; if something else is being drawn, it prints nothing.

import type { AttemptWait } from "@footfall/sdk"
import { type RunningWait, type Wait, waitText } from "../retry/retry.ts"
import { note, type Terminal } from "./terminal.ts"

/** Often enough for a countdown in seconds. Units: milliseconds. */
const REDRAW_INTERVAL = 250

/** A shorter wait of the SDK does not count as silence. Units: milliseconds. */
const SHOWN_WAIT_MIN_MS = 1_000

/**
 * A request sent this shortly before a wait ends counts as the one that was waiting. Units:
 * milliseconds.
 */
const EARLY_MAX = 100

const emptyLine = "\r\u001B[2K"

/** Shows the longest of several concurrent waits. */
export class Countdown {
  readonly #terminal: Terminal
  #waits: Array<RunningWait> = []
  #clock: NodeJS.Timeout | undefined
  #shown = ""
  readonly #interrupted = (): void => this.#stop()

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** Shows a wait of the SDK itself, if it is long enough to notice. */
  showAttempt({ delayMs, error }: AttemptWait, sinceMs: number): void {
    if (delayMs < SHOWN_WAIT_MIN_MS) return
    const isRateLimit =
      error === null || (error instanceof Error && "status" in error && error.status === 429)
    this.show(
      { reason: isRateLimit ? "rate_limit" : "unreachable", seconds: delayMs / 1000 },
      sinceMs,
    )
  }

  /** `sinceMs`: when the wait began. Default: now. */
  show(wait: Wait, sinceMs = performance.now()): void {
    const { atInterrupt, environment, isQuiet, liveScreens, pager, stderr } = this.#terminal
    const isFree = liveScreens.size === 0 || liveScreens.has(this)
    if (!isFree || pager.isOpen) return
    if (isQuiet || !stderr.isTTY || environment["TERM"] === "dumb") {
      note(this.#terminal, waitText({ ...wait, sinceMs }, sinceMs))
      return
    }
    this.#waits.push({ ...wait, sinceMs })
    if (this.#clock === undefined) {
      liveScreens.add(this)
      atInterrupt.add(this.#interrupted)
      this.#clock = setInterval(() => this.#draw(performance.now()), REDRAW_INTERVAL).unref()
    }
    this.#draw(performance.now())
  }

  /** Call this when a request is sent: its wait is over. */
  sent(): void {
    if (this.#clock !== undefined) this.#draw(performance.now() + EARLY_MAX)
  }

  #draw(nowMs: number): void {
    this.#waits = this.#waits.filter((wait) => endMs(wait) > nowMs)
    const [longest] = this.#waits.toSorted((one, other) => endMs(other) - endMs(one))
    if (longest === undefined) return this.#stop()
    const text = waitText(longest, nowMs)
    if (text === this.#shown) return
    this.#shown = text
    this.#terminal.stderr.write(emptyLine + text)
  }

  #stop(): void {
    clearInterval(this.#clock)
    this.#clock = undefined
    this.#waits = []
    if (this.#shown !== "") this.#terminal.stderr.write(emptyLine)
    this.#shown = ""
    this.#terminal.liveScreens.delete(this)
    this.#terminal.atInterrupt.delete(this.#interrupted)
  }
}

const endMs = ({ seconds, sinceMs }: RunningWait): number => sinceMs + seconds * 1000
