// Runs after `changeset version` (npm run version): writes the new version where the programs read it, and puts what
// changed into the changelog of the repository, once for all packages. `node scripts/write-versions.ts [folder]`.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const root = process.argv[2] ?? join(import.meta.dirname, "..")
const read = (path: string) => readFileSync(join(root, path), "utf8")

const { version } = JSON.parse(read("packages/server/package.json")) as { readonly version: string }
/** Where the version stands, besides the manifests of the packages. */
const places = [
  { path: "packages/cli/src/version.ts", line: /(?<=^export const version = ").*(?="$)/m },
  { path: "packages/sdk/src/version.ts", line: /(?<=^export const version = ").*(?="$)/m },
  { path: "ops/kubernetes/kustomization.yaml", line: /(?<=^ +newTag: ).*$/gm },
  { path: "server.json", line: /(?<=^ +"version": ").*(?=",$)/gm },
]
for (const { line, path } of places) {
  const text = read(path)
  if (text.search(line) === -1) throw new Error(`${path} has no line with the version.`)
  writeFileSync(join(root, path), text.replace(line, version))
}

/** The changes of this version in a package's changelog, without the ids of commits and the lists of own dependencies. */
const changesOf = (name: string): ReadonlyArray<string> => {
  const path = `packages/${name}/CHANGELOG.md`
  if (!existsSync(join(root, path))) return []
  const section = read(path)
    .split(/^## /m)
    .find((each) => each.startsWith(`${version}\n`))
  return (section ?? "")
    .split(/^(?=- )/m)
    .filter((entry) => entry.startsWith("- ") && !entry.startsWith("- Updated dependencies"))
    .map((entry) =>
      entry
        .replace(/\n#[^]*/, "")
        .replace(/^- [0-9a-f]{7,40}: /, "- ")
        .trimEnd(),
    )
    .filter((entry) => !entry.startsWith("- @footfall/"))
}

const changes = [...new Set(["server", "sdk", "cli", "pixel"].flatMap(changesOf))]
const changelog = read("CHANGELOG.md")
if (changes.length > 0 && !changelog.includes(`\n## ${version} `)) {
  const today = new Date().toISOString().slice(0, 10)
  const entry = `## ${version} (${today})\n\n${changes.join("\n")}\n\n`
  writeFileSync(
    join(root, "CHANGELOG.md"),
    changelog.replace(/^(?=## )/m, () => entry),
  )
}
