// The pool of every project: a process runs many test files one after another, so that they import Effect and the
// server once. A file that changes what others in its process would see (modules, the working directory, signals),
// that measures the process, or that imports modules after it has set what they read has one of its own; what it says
// itself or by a helper of tests that it imports tells which. The environment may be changed by `vi.stubEnv`, which
// each-file.ts takes back.
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

/** What each file leaves in the memory of its process stays there. */
const filesMax = 40

const changesItsProcess =
  /\bvi\.(mock|doMock|hoisted|resetModules|stubGlobal)\(|\bprocess\s*\.(chdir|on|memoryUsage|getActiveResourcesInfo)\(|\bprocess\.env\[[^\]]+\] = |\bheapUsed\b|^(const .*)?await import\(/m

const imported = /\bfrom "(\.[^"]+)"/g

const known = new Map<string, boolean>()

/** Whether the file, or a file of tests that it imports, changes or measures its process. */
const needsOwnProcess = (path: string): boolean => {
  const before = known.get(path)
  if (before !== undefined) return before
  known.set(path, false) // While its imports are read, which may lead back here.
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

/** For the `test` of a project's configuration. Four files at a time: much of a test is waiting for servers and databases. */
export const sharedProcesses = { pool, isolate: false, maxWorkers: 4 }

/**
 * Instead, for tests that share one server and one browser. They run after the others and fewer at a time: between two
 * files of another project, each would end the process that those share.
 */
export const afterTheOthers = {
  ...sharedProcesses,
  maxWorkers: 3,
  sequence: { groupOrder: 1 },
}

/** For the `plugins` of a project: a run of one process at a time gives each file its own, or vitest would run all in one. */
export const ownProcessesOfOneWorker: Vite.Plugin = {
  name: "own-processes-of-one-worker",
  configureVitest: ({ project }) => {
    if (project.config.maxWorkers === 1) project.config.isolate = true
  },
}

/**
 * What takes longest, each for a minute or more on an idle machine: begun last, one of them would run alone at the
 * end. Below `packages`, longest first.
 */
const longest = [
  "server/test/docs/guides.test.ts",
  "console/test/screens.test.ts",
  "server/test/commands/secrets.test.ts",
  "server/test/e2e/suppression-cli.test.ts",
  "server/test/people/slow-imports.test.ts",
  "server/test/commands/commands.test.ts",
]

/** Place among the longest; the same for all that are none of them. */
const rank = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((path) => moduleId.endsWith(`/packages/${path}`))
  return place === -1 ? longest.length : place
}

/**
 * The longest files first. In each project then those with a process of their own: between two others one would end
 * the process that those share.
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
