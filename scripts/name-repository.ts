// Writes the repository's address into every published package: `node scripts/name-repository.ts owner/name`. npm
// checks it against the repository that built the release. It also makes the links in each README absolute, because a
// registry page has no files next to it. `server.json` is the entry of `footfall mcp` in the registry of MCP servers. The
// release runs this before publishing, so that a fork publishes its own
// address.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join, posix } from "node:path"

const repository = process.argv[2] ?? process.env.GITHUB_REPOSITORY ?? ""
if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
  console.error(`Expected a repository as owner/name, got "${repository}".`)
  process.exit(2)
}
const url = `https://github.com/${repository}`
/** In the registry of MCP servers, where the owner's part is proven by signing in to GitHub. */
const mcpName = `io.github.${repository}`
const root = join(import.meta.dirname, "..")
const packages = join(root, "packages")

/** The absolute URL for a link in a README in `directory`. Links to other sites and within the page stay. */
const addressOf = (directory: string, link: string): string => {
  if (/^([a-z]+:|#)/.test(link)) return link
  const [path = "", anchor] = posix.join(directory, link).split("#")
  if (!existsSync(join(root, path))) {
    console.error(`The README of ${directory} links to ${link}, which is not there.`)
    process.exit(1)
  }
  const kind = statSync(join(root, path)).isDirectory() ? "tree" : "blob"
  const address = `${url}/${kind}/main/${path}`
  return anchor === undefined ? address : `${address}#${anchor}`
}

/** Matches a whole fenced block, so that its code stays, or the target of a link. */
const fenceOrLink = /^```[^]*?^```|(?<=\]\()[^)\s]+/gm

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
    ...(folder === "cli" && { mcpName }),
  }
  writeFileSync(path, `${JSON.stringify(named, null, 2)}\n`)
  const readme = join(packages, folder, "README.md")
  const text = readFileSync(readme, "utf8")
  const linked = text.replace(fenceOrLink, (found) =>
    found.startsWith("```") ? found : addressOf(directory, found),
  )
  writeFileSync(readme, linked)
}

const registered = join(root, "server.json")
const entry = JSON.parse(readFileSync(registered, "utf8"))
writeFileSync(registered, `${JSON.stringify({ ...entry, name: mcpName }, null, 2)}\n`)
