// A running pager: another program that shows text until its reader quits.

import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { CliError, ExitCode, ReaderGone } from "../errors/cli-error.ts"

/** Somewhere to send text to. */
export interface Viewer {
  /** Waits while the reader has enough to read. Errors: `ReaderGone`; `PAGER_FAILED`. */
  readonly write: (text: string) => Promise<void>
  /** Says that nothing follows, and waits until the reader leaves. Errors: `PAGER_FAILED`. */
  readonly end: () => Promise<void>
}

/**
 * What git gives `less` and `lv`: end where all fits, leave colours and the screen as they are. And the
 * encoding, which less would take from a locale that a container or a job seldom has.
 */
const pagerEnvironment = { LESS: "FRX", LESSCHARSET: "utf-8", LV: "-c" }

/** The exit codes of a shell for a program that does not exist or cannot be run. */
const notRun: ReadonlySet<number> = new Set([126, 127])

/**
 * Starts the pager. `command` is a line for the shell, as in PAGER; null is `less`, and where that is not
 * installed the text goes to standard output.
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
  // A reader who leaves closes it.
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
      throw new ReaderGone()
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
