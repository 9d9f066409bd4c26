// A running pager: another program that shows text until its reader quits.

import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { CliError, ExitCode, ReaderClosed } from "../errors/cli-error.ts"

/** A destination for text. */
export interface Viewer {
  /** Waits while the pager's input is full. Errors: `ReaderClosed`; `PAGER_FAILED`. */
  readonly write: (text: string) => Promise<void>
  /** Closes the pager's input, and waits until the reader quits. Errors: `PAGER_FAILED`. */
  readonly end: () => Promise<void>
}

/**
 * The settings git uses for `less` and `lv`: exit if everything fits, keep colors and do not clear the screen. Also the
 * encoding, which less would take from a locale that containers and jobs rarely have.
 */
const pagerEnvironment = { LESS: "FRX", LESSCHARSET: "utf-8", LV: "-c" }

/** A shell's exit codes for a program that does not exist or cannot be run. */
const notRun: ReadonlySet<number> = new Set([126, 127])

/**
 * Starts the pager. `command` is a shell command line, as in PAGER; null is `less`. If `less` is not installed, the
 * text goes to standard output.
 */
export const openViewer = async (
  command: string | null,
  environment: NodeJS.ProcessEnv,
  stdout: NodeJS.WriteStream,
): Promise<Viewer> => {
  const child = spawn(command ?? "less", {
    env: { ...pagerEnvironment, ...environment },
    stdio: ["pipe", "inherit", "inherit"],
    shell: command !== null,
  })
  try {
    await once(child, "spawn")
  } catch {
    return {
      write: async (text) => void (stdout.write(text) || (await once(stdout, "drain"))),
      end: async () => {},
    }
  }
  return viewerOf(child, command ?? "less")
}

const viewerOf = (child: ChildProcess, command: string): Viewer => {
  const { promise: closed, resolve } = Promise.withResolvers<null>()
  child.on("close", () => resolve(null))
  // A reader who quits closes it.
  child.stdin?.on("error", () => {})
  const isClosed = (): boolean => child.exitCode !== null || child.signalCode !== null
  const requireRun = (): void => {
    if (notRun.has(child.exitCode ?? 0)) throw pagerFailed(command)
  }
  return {
    write: async (text) => {
      if (!isClosed()) {
        const written = new Promise((done) => child.stdin?.write(text, () => done(null)))
        await Promise.race([written, closed])
      }
      if (!isClosed()) return
      requireRun()
      throw new ReaderClosed()
    },
    end: async () => {
      child.stdin?.end()
      await closed
      requireRun()
    },
  }
}

const pagerFailed = (command: string): CliError =>
  new CliError({
    code: "PAGER_FAILED",
    message: `Can't run the pager: ${command}`,
    exitCode: ExitCode.failed,
    nextStep: "Set FOOTFALL_PAGER or PAGER to an installed program, or add --no-pager.",
  })
