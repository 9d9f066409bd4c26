// The pool of every project. A process runs many test files one after another, so that it imports Effect and the server
// once. Some files get their own process: those that change shared state (modules, the working directory, signals),
// those that measure the process, and those that import modules after setting what the modules read. The source of the
// file and of the test helpers it imports shows which ones. Files may change the environment with `vi.stubEnv`, which
// each-file.ts resets.
import { relative } from "node:path"
import {
  BaseSequencer,
  ForksPoolWorker,
  type PoolOptions,
  type PoolTask,
  type TestSpecification,
  type Vite,
  type WorkerRequest,
} from "vitest/node"
import { reaches } from "./imports.ts"
import { testFilesOf, tierOf, tiersOfRun } from "./tiers.ts"

/** Limits memory growth, because what each file leaves in the memory of its process stays there. */
const filesMax = 40

/** Whether the file, or a test file it imports, changes or measures its process. */
const needsOwnProcess = reaches(
  /\bvi\.(mock|doMock|hoisted|resetModules|stubGlobal)\(|\bprocess\s*\.(chdir|on|memoryUsage|getActiveResourcesInfo)\(|\bprocess\.env\[[^\]]+\] = |\bheapUsed\b|^(const .*)?await import\(/m,
)

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
 * For the `plugins` of a project. Leaves out files of tiers that the run doesn't have. In a run with one process at a
 * time each file gets its own process. Otherwise vitest would run all files in one.
 */
export const partOfRun: Vite.Plugin = {
  name: "part-of-run",
  configureVitest: ({ project: { config } }) => {
    const tiers = tiersOfRun()
    const others = testFilesOf(config.root).filter((path) => !tiers.includes(tierOf(path)))
    // A new list, because the projects share the default one.
    config.exclude = [...config.exclude, ...others.map((path) => relative(config.root, path))]
    if (config.maxWorkers === 1) config.isolate = true
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
  /** Deals out the files, the slowest first, so that no shard gets all the slow ones. */
  override async shard(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const { count = 1, index = 1 } = this.ctx.config.shard ?? {}
    return files
      .toSorted((one, other) => rank(one) - rank(other) || (one.moduleId < other.moduleId ? -1 : 1))
      .filter((_, place) => place % count === index - 1)
  }

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
