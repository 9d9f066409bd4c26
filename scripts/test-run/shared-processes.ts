// The pool of every project. A process runs many test files one after another, so that it imports Effect and the server
// once. Some files get their own process: those that change shared state (modules, the working directory, signals),
// those that measure the process, and those that import modules after setting what the modules read. The source of the
// file and of the test helpers it imports shows which ones. Files may change the environment with `vi.stubEnv`, which
// each-file.ts resets.
import { existsSync, readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import {
  BaseSequencer,
  ForksPoolWorker,
  type PoolOptions,
  type PoolTask,
  type TestSpecification,
  type Vite,
  type WorkerRequest,
} from "vitest/node"

/** Limits memory growth, because what each file leaves in the memory of its process stays there. */
const filesMax = 40

const changesItsProcess =
  /\bvi\.(mock|doMock|hoisted|resetModules|stubGlobal)\(|\bprocess\s*\.(chdir|on|memoryUsage|getActiveResourcesInfo)\(|\bprocess\.env\[[^\]]+\] = |\bheapUsed\b|^(const .*)?await import\(/m

const imported = /\bfrom "(\.[^"]+)"/g

const known = new Map<string, boolean>()

/** Whether the file, or a test file it imports, changes or measures its process. */
const needsOwnProcess = (path: string): boolean => {
  const before = known.get(path)
  if (before !== undefined) return before
  known.set(path, false) // Stops recursion if its imports lead back here.
  const text = existsSync(path) ? readFileSync(path, "utf8") : ""
  const needs =
    changesItsProcess.test(text) ||
    [...text.matchAll(imported)]
      .map(([, relative = ""]) => resolve(dirname(path), relative))
      .filter((file) => /\/packages\/[^/]+\/(test|bench)\//.test(file))
      .some(needsOwnProcess)
  known.set(path, needs)
  return needs
}

class SharedProcess extends ForksPoolWorker {
  override name = "shared-processes"
  #files = 0
  #isOwn = false

  override send(message: WorkerRequest): void {
    if (message.type === "run" || message.type === "collect") {
      const paths = message.context.files.map(({ filepath }) => filepath)
      this.#files += paths.length
      this.#isOwn ||= paths.some(needsOwnProcess)
    }
    super.send(message)
  }

  canReuse({ context }: PoolTask): boolean {
    return (
      !this.#isOwn &&
      this.#files < filesMax &&
      !context.files.some(({ filepath }) => needsOwnProcess(filepath))
    )
  }
}

const pool = {
  name: "shared-processes",
  createPoolWorker: (options: PoolOptions) => new SharedProcess(options),
}

/**
 * For the `test` section of a project's configuration. Runs four files at a time, because tests spend much time waiting
 * for servers and databases.
 */
export const sharedProcesses = { pool, isolate: false, maxWorkers: 4 }

/**
 * For the `plugins` of a project. In a run with one process at a time each file gets its own process. Otherwise vitest
 * would run all files in one.
 */
export const ownProcessesOfOneWorker: Vite.Plugin = {
  name: "own-processes-of-one-worker",
  configureVitest: ({ project }) => {
    if (project.config.maxWorkers === 1) project.config.isolate = true
  },
}

/**
 * The slowest files, each half a minute or more on an idle machine. If one started last, it would run alone at the end.
 * Paths below `packages`, slowest first.
 */
const longest = [
  "server/test/docs/guides.test.ts",
  "server/test/packaging/installed.test.ts",
  "pixel/test/browser/firefox.test.ts",
  "pixel/test/browser/chromium.test.ts",
  "console/test/screens.test.ts",
  "server/test/people/slow-imports.test.ts",
  "server/test/commands/commands.test.ts",
  "server/test/e2e/browser-to-terminal.test.ts",
  "server/test/commands/access.test.ts",
  "server/test/crash/collect.test.ts",
  "server/test/commands/demo.test.ts",
  "server/test/examples/frameworks.test.ts",
  "server/test/commands/secrets.test.ts",
  "server/test/crash/demo.test.ts",
  "server/test/webhooks/sending.test.ts",
  "server/test/e2e/suppression-cli.test.ts",
]

/** Position among the slowest files. All other files share one rank. */
const rank = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((path) => moduleId.endsWith(`/packages/${path}`))
  return place === -1 ? longest.length : place
}

/**
 * Runs the slowest files first. In each project, files with their own process follow. Between two other files, one of
 * these would end their shared process.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects
      .flatMap((project) => {
        const its = sorted.filter((file) => file.project === project)
        const needs = Map.groupBy(its, ({ moduleId }) => needsOwnProcess(moduleId))
        return [...(needs.get(true) ?? []), ...(needs.get(false) ?? [])]
      })
      .toSorted((one, other) => rank(one) - rank(other))
  }
}
