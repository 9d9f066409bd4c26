// The server as its users run it: the built command in a separate process, on a data directory and a port that outlive
// it, so that a test can kill it and start it again. Also runs other commands. They inherit nothing of the user's
// environment. The test run has already built the programs (scripts/test-run/build.ts).
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { createInterface, type Interface } from "node:readline"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { inject } from "vitest"
import { compiledOnce } from "../../../../scripts/test-run/compiled-once.ts"
import { freePort } from "../../../sdk/test/support/free-port.ts"
import type { DemoInstallation } from "../../src/app/demo/demo.ts"
import "./database-setup.ts"

/** The directories, port and environment of a server. */
export interface ServerHome {
  readonly dataDir: string
  /** For the command line's profiles. */
  readonly configDirectory: string
  readonly port: number
  /** Added to the server's environment. */
  readonly environment: Readonly<Record<string, string>>
}

/** The ready line of `start --json`. */
export interface Ready {
  readonly event: "ready"
  readonly url: string
  readonly pixelBaseUrl: string
  readonly database: "embedded" | "postgres"
  readonly demo?: DemoInstallation
}

const packages = fileURLToPath(new URL("../../..", import.meta.url))
const programs = {
  "footfall-server": "server/bin/footfall-server.js",
  footfall: "cli/bin/footfall.js",
} as const

/** A data directory that doesn't exist yet, a configuration directory, a free port. */
export const makeServerHome = async (
  environment: ServerHome["environment"] = {},
): Promise<ServerHome> => {
  const directory = await mkdtemp(join(inject("temporaryDirectory"), "server-"))
  const configDirectory = join(directory, "config")
  await mkdir(configDirectory)
  return { dataDir: join(directory, "data"), configDirectory, port: await freePort(), environment }
}

export class ServerProcess {
  /** Rejects with the server's output if it ends before it is ready. */
  readonly ready: Promise<Ready>
  readonly #child: ChildProcess
  readonly #log: Interface
  readonly #ended: Promise<unknown>

  private constructor(child: ChildProcess) {
    this.#child = child
    this.#ended = once(child, "exit")
    this.#log = createInterface(child.stderr!)
    this.ready = readyLine(child, this.#log)
    // A test that kills a starting server ignores it.
    this.ready.catch(() => undefined)
  }

  /** Runs `start --json` with further options. Does not wait until it is ready. */
  static launch(home: ServerHome, ...options: ReadonlyArray<string>): ServerProcess {
    const port = ["--port", String(home.port)]
    return new ServerProcess(
      launch("footfall-server", ["start", "--json", ...port, ...options], home),
    )
  }

  /** Like `launch`, but waits until it is ready. */
  static async start(home: ServerHome, ...options: ReadonlyArray<string>): Promise<ServerProcess> {
    const server = ServerProcess.launch(home, ...options)
    await server.ready
    return server
  }

  /** kill -9. Resolves when the process has ended. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL")
    await this.#ended
  }

  get processId(): number {
    return this.#child.pid!
  }

  /** Whether its process has ended. */
  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Sends SIGSTOP: it is suspended in the middle of its work until SIGCONT. */
  pause(): void {
    this.#child.kill("SIGSTOP")
  }

  /** SIGCONT. */
  resume(): void {
    this.#child.kill("SIGCONT")
  }

  /** Returns lines of its log from now on that contain these words. */
  linesWith(words: string): ReadonlyArray<string> {
    const lines: Array<string> = []
    this.#log.on("line", (line) => line.includes(words) && lines.push(line))
    return lines
  }

  /** Sends Ctrl-C, or the signal of a process manager. Returns the exit code. */
  async stop(signal: "SIGINT" | "SIGTERM" = "SIGINT"): Promise<number | null> {
    this.#child.kill(signal)
    await this.#ended
    return this.#child.exitCode
  }
}

export interface CommandResult {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
}

/** Runs a command to its end, without a terminal. */
export const runCommand = async (
  home: ServerHome,
  program: keyof typeof programs,
  ...options: ReadonlyArray<string>
): Promise<CommandResult> => {
  const child = launch(program, options, home)
  const [stdout, stderr] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, "exit"),
  ])
  return { stdout, stderr, exitCode: child.exitCode }
}

/** Ends servers that a failed test left running. For `afterAll`. */
export const killLeftServers = (): void => running.forEach((child) => child.kill("SIGKILL"))

/** The Postgres of a running server: its process, and how to connect. */
export const embeddedPostgres = async ({ dataDir }: ServerHome) => {
  const file = await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")
  const [processId, , , port, socketDirectory, host] = file.split("\n")
  return {
    processId: Number(processId),
    connection: {
      host: socketDirectory || host,
      port: Number(port),
      user: "footfall",
      database: "postgres",
    },
  }
}

const running = new Set<ChildProcess>()

const launch = (
  program: keyof typeof programs,
  options: ReadonlyArray<string>,
  home: ServerHome,
): ChildProcess => {
  const child = spawn(process.execPath, [join(packages, programs[program]), ...options], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      ...compiledOnce(),
      TMPDIR: dirname(home.dataDir),
      HOME: home.configDirectory,
      DATA_DIR: home.dataDir,
      FOOTFALL_CONFIG_DIR: home.configDirectory,
      ...home.environment,
    },
  })
  running.add(child)
  child.once("exit", () => running.delete(child))
  return child
}

const saidMax = 50

const readyLine = async (child: ChildProcess, log: Interface): Promise<Ready> => {
  const output: Array<string> = []
  log.on("line", (line) => {
    output.push(line)
    if (output.length > saidMax) output.shift()
  })
  for await (const line of createInterface(child.stdout!)) return JSON.parse(line) as Ready
  throw new Error(`The server ended before it was ready:\n${output.join("\n")}`)
}
