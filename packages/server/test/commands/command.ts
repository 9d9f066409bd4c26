// Runs the built operator's command as a child process, as an operator does. Its environment contains only what the
// test sets.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { inject } from "vitest"
import { compiledOnce } from "../../../../scripts/test-run/compiled-once.ts"
import "../support/database-setup.ts"

const program = fileURLToPath(new URL("../../bin/footfall-server.js", import.meta.url))

export type Environment = Readonly<Record<string, string>>

const spawnCommand = (args: ReadonlyArray<string>, environment: Environment): ChildProcess =>
  spawn(process.execPath, [program, ...args], {
    cwd: inject("temporaryDirectory"),
    env: {
      PATH: process.env["PATH"],
      TMPDIR: process.env["TMPDIR"],
      ...compiledOnce(),
      ...environment,
    },
    stdio: "pipe",
  })

export interface Result {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Resolves once the command has ended. */
export const run = async (
  args: ReadonlyArray<string>,
  environment: Environment,
  input = "",
): Promise<Result> => {
  const child = spawnCommand(args, environment)
  child.stdin?.end(input)
  const [stdout, stderr] = [text(child.stdout!), text(child.stderr!)]
  const [code] = await once(child, "close")
  return { code, stdout: await stdout, stderr: await stderr }
}

export interface Running {
  readonly child: ChildProcess
  /** The output up to and including the ready line. */
  readonly ready: string
  /** Resolves when a line of standard error contains the text. */
  said(part: string): Promise<void>
  /** Its standard error so far. */
  stderr(): string
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>
}

/** Starts a server and waits until it reports on standard output that it is ready. */
export const start = async (
  args: ReadonlyArray<string>,
  environment: Environment,
): Promise<Running> => {
  const child = spawnCommand(["start", ...args], environment)
  let stderr = ""
  child.stderr?.on("data", (chunk) => (stderr += String(chunk)))
  const ended = once(child, "exit").then(([code]) => code as number | null)
  const [first] = await Promise.race([
    once(child.stdout!, "data"),
    ended.then((code) => {
      throw new Error(`ended with ${code}: ${stderr}`)
    }),
  ])
  const said = async (part: string): Promise<void> => {
    while (!stderr.includes(part)) await once(child.stderr!, "data")
  }
  return { child, ready: String(first), said, stderr: () => stderr, ended }
}
