// Output for people. On a terminal, text longer than the screen goes to the pager, as with git and gh. Shorter text,
// and all output that does not go to a terminal, is printed directly. JSON, NDJSON and CSV never use the pager.

import { once } from "node:events"
import { stripVTControlCharacters } from "node:util"
import type { Viewer } from "./viewer.ts"

/** What the choice of a pager depends on. */
export interface PagerPlace {
  readonly stdout: NodeJS.WriteStream
  readonly environment: NodeJS.ProcessEnv
  readonly commandLine: ReadonlyArray<string>
}

/** Prints text for people, in order. A process has one. */
export class Pager {
  readonly #stdout: NodeJS.WriteStream
  readonly #environment: NodeJS.ProcessEnv
  /** The pager's command; null is `less`, undefined is none. */
  readonly #command: string | null | undefined
  #held = ""
  #heldRows = 0
  #viewer: Viewer | null = null

  constructor({ stdout, environment, commandLine }: PagerPlace) {
    this.#stdout = stdout
    this.#environment = environment
    this.#command = pagerCommand({ stdout, environment, commandLine })
  }

  /** Whether key presses, including Ctrl-C, belong to the pager now. */
  get isOpen(): boolean {
    return this.#viewer !== null
  }

  /** Holds text back until the next text is printed, or until `end`. */
  add(text: string): void {
    this.#held += text
    this.#heldRows += this.#rowsOf(text)
  }

  /** Prints a complete text. Errors: `ReaderClosed`; that of `end`. */
  async write(text: string): Promise<void> {
    await this.writePart(text)
    await this.#release()
  }

  /** Prints part of a text, at the latest when the screen would be full. Errors: those of `write`. */
  async writePart(text: string): Promise<void> {
    this.add(text)
    if (this.#viewer !== null || this.#command === undefined) return this.#release()
    if (this.#heldRows < this.#stdout.rows) return
    const { openViewer } = await import("./viewer.ts")
    this.#viewer = await openViewer(this.#command, this.#environment, this.#stdout)
    return this.#release()
  }

  /**
   * Prints the rest, and waits until the reader quits the pager. Errors: `PAGER_FAILED` (exit code 1); `ReaderClosed`, if
   * the reader quit before the end.
   */
  async end(): Promise<void> {
    await this.write("")
    await this.#viewer?.end()
    this.#viewer = null
  }

  /** Prints the held text without a pager, when the process is about to end. */
  flush(): void {
    this.#stdout.write(this.#taken())
  }

  async #release(): Promise<void> {
    const text = this.#taken()
    if (text === "") return
    if (this.#viewer !== null) return this.#viewer.write(text)
    if (!this.#stdout.write(text)) await once(this.#stdout, "drain")
  }

  #taken(): string {
    const text = this.#held
    this.#held = ""
    this.#heldRows = 0
    return text
  }

  /** Rows of the screen that a text takes; a long line takes several. */
  #rowsOf(text: string): number {
    if (text === "" || this.#command === undefined) return 0
    const lines = stripVTControlCharacters(text).replace(/\n$/, "").split("\n")
    const rows = (line: string): number =>
      Math.max(1, Math.ceil(line.length / this.#stdout.columns))
    return lines.reduce((sum, line) => sum + rows(line), 0)
  }
}

/** Words on a command line that turn the pager off. */
const wordsAgainst = ["--no-pager", "--json"]

/**
 * The requested pager. A terminal that cannot move its cursor gets none; `cat` and an empty variable mean none, as in
 * git.
 */
const pagerCommand = ({
  stdout,
  environment,
  commandLine,
}: PagerPlace): string | null | undefined => {
  const isUseless = !stdout.isTTY || !(stdout.rows > 0) || environment["TERM"] === "dumb"
  if (isUseless || wordsAgainst.some((word) => commandLine.includes(word))) return undefined
  const command = environment["FOOTFALL_PAGER"] ?? environment["PAGER"] ?? null
  return command !== null && ["", "cat"].includes(command.trim()) ? undefined : command
}
