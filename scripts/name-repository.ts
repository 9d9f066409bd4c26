// Writes where the source is into every package that is published: `node scripts/name-repository.ts owner/name`.
// npm checks it against where the release was built, and resolves the links of a README by it. The release does
// this before it publishes, so that a fork publishes its own address.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const repository = process.argv[2] ?? process.env.GITHUB_REPOSITORY ?? ""
if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
  console.error(`Expected a repository as owner/name, got "${repository}".`)
  process.exit(2)
}
const url = `https://github.com/${repository}`
const packages = join(import.meta.dirname, "../packages")
for (const folder of readdirSync(packages)) {
  const path = join(packages, folder, "package.json")
  const manifest = JSON.parse(readFileSync(path, "utf8"))
  if (manifest.private === true) continue
  const directory = `packages/${folder}`
  const named = {
    ...manifest,
    repository: { type: "git", url: `git+${url}.git`, directory },
    homepage: `${url}/tree/main/${directory}#readme`,
    bugs: `${url}/issues`,
  }
  writeFileSync(path, `${JSON.stringify(named, null, 2)}\n`)
}
