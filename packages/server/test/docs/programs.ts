// A reader's editor: the TypeScript of the documentation as files, checked by the compiler and run by Node. The values
// that a page assumes are global here: typed for the compiler, defined for Node.
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { inject, vi } from "vitest"
import { compiledOnce } from "../../../../scripts/test-run/compiled-once.ts"
import { freePort } from "../../../sdk/test/support/free-port.ts"
import "../support/database-setup.ts"
import { repository, type Snippet } from "./snippets.ts"

/** Names that the pages use without defining them: type and value. */
const given: ReadonlyArray<readonly [name: string, type: string, value: string]> = [
  [
    "footfall",
    'import("@footfall/sdk").Footfall',
    "new (await import('@footfall/sdk')).Footfall()",
  ],
  ["apiKey", "string", "process.env.FOOTFALL_API_KEY"],
  ["accessToken", "string", "process.env.FOOTFALL_ACCESS_TOKEN"],
  ["audienceId", "string", "process.env.AUDIENCE"],
  ["destinationId", "string", "process.env.DESTINATION"],
  [
    "rowsOfYourCrm",
    'ReadonlyArray<import("@footfall/sdk").SuppressionRuleInput>',
    "[{ type: 'email', value: 'customer@acme.example' }]",
  ],
]

const compilerOptions = {
  ...{ strict: true, noEmit: true, target: "es2024", lib: ["es2024", "dom", "dom.iterable"] },
  ...{ module: "nodenext", moduleDetection: "force", types: ["node"], skipLibCheck: true },
  ...{ allowImportingTsExtensions: true, noUncheckedIndexedAccess: true },
}

export interface Programs {
  /** The compiler's errors. Empty if there are none. */
  check(): Promise<string>
  /** Runs a snippet until it ends or, if it listens on port 8080, until it answers. */
  run(snippet: Snippet, environment: Readonly<Record<string, string>>): Promise<string>
}

export const makePrograms = async (snippets: ReadonlyArray<Snippet>): Promise<Programs> => {
  const folder = await mkdtemp(join(inject("temporaryDirectory"), "programs-"))
  const write = (name: string, content: string) => writeFile(join(folder, name), content)
  await symlink(join(repository, "node_modules"), join(folder, "node_modules"))
  await write("package.json", '{"type":"module"}')
  await write(
    "given.d.ts",
    given.map(([name, type]) => `declare const ${name}: ${type}\n`).join(""),
  )
  await write(
    "given.mjs",
    given.map(([name, , value]) => `globalThis.${name} = ${value}\n`).join(""),
  )
  for (const snippet of snippets) await write(nameOf(snippet), snippet.code)
  const files = ["given.d.ts", ...snippets.map(nameOf)]
  await write("tsconfig.json", JSON.stringify({ compilerOptions, files }))

  return {
    check: () =>
      new Promise((resolve) => {
        const tsc = join(repository, "node_modules/.bin/tsc")
        execFile(process.execPath, [tsc, "-p", "."], { cwd: folder }, (_error, stdout) =>
          resolve(stdout),
        )
      }),
    run: async (snippet, environment) => {
      const port = await freePort()
      const isServer = snippet.code.includes("8080")
      const name = isServer ? `${port}-${nameOf(snippet)}` : nameOf(snippet)
      if (isServer) await write(name, snippet.code.replaceAll("8080", String(port)))
      const child = spawn(process.execPath, ["--import", "./given.mjs", name], {
        cwd: folder,
        env: {
          PATH: process.env["PATH"],
          TMPDIR: process.env["TMPDIR"],
          ...compiledOnce(),
          ...environment,
        },
        stdio: ["ignore", "pipe", "pipe"],
      })
      const said = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")])
      if (isServer) {
        const ended = said.then(([, errors]) => Promise.reject(new Error(errors)))
        await Promise.race([ended, answers(`http://127.0.0.1:${port}/footfall/readyz`)])
        child.kill("SIGKILL")
        ended.catch(() => undefined)
        return ""
      }
      const [output, errors, [exitCode]] = await said
      if (exitCode !== 0) throw new Error(`${nameOf(snippet)} ended with ${exitCode}:\n${errors}`)
      return output
    },
  }
}

const answers = (url: string): Promise<void> =>
  vi.waitFor(
    async () => {
      const { status } = await fetch(url)
      if (status !== 200) throw new Error(`${url} is ${status}`)
    },
    { timeout: 110_000, interval: 100 },
  )

const nameOf = ({ file, line }: Snippet): string =>
  `${file.replaceAll("/", "-").replace(/\.md$/, "")}-${line}.ts`
