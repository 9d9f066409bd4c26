// Builds the Debian package of the server: `npm run deb [folder] [amd64|arm64]`, after `npm run build` and `npm run
// docs`. It has the files of the image and their Node, because Debian's own is too old, and it expects a Postgres.
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import { gzipSync } from "node:zlib"

const root = join(import.meta.dirname, "..")
const server = join(root, "packages/server")
const parts = join(import.meta.dirname, "deb")
const target = resolve(process.argv[2] ?? ".")

const { version } = JSON.parse(readFileSync(join(server, "package.json"), "utf8")) as {
  readonly version: string
}
/** Debian's name of an architecture, and Node's. */
const architectures = new Map([
  ["amd64", "x64"],
  ["arm64", "arm64"],
])
const [own] = [...architectures].find(([, name]) => name === process.arch) ?? []
const architecture = process.argv[3] ?? own ?? ""
const cpu = architectures.get(architecture)
if (cpu === undefined)
  throw new Error(
    `There are packages for ${[...architectures.keys()].join(" and ")}, not for "${architecture}".`,
  )

const folder = mkdtempSync(join(tmpdir(), "footfall-deb-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
chmodSync(folder, 0o755)

/** The folder of Node's npm package for that architecture: the installed one, or one from the registry. */
const nodeFolder = (): string => {
  if (architecture === own) {
    const [path] = globSync(`node_modules/node/node_modules/node-linux-${cpu}`, { cwd: root })
    if (path === undefined) throw new Error("Node's package is not installed. Run: npm ci")
    return join(root, path)
  }
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const to = mkdtempSync(join(tmpdir(), "footfall-node-"))
  process.once("exit", () => rmSync(to, { recursive: true, force: true }))
  const name = `node-linux-${cpu}@${manifest.devDependencies.node}`
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", to, name])
  execFileSync("tar", ["--extract", "--file", join(to, String(packed).trim()), "--directory", to])
  return join(to, "package")
}

const place = (path: string) => {
  const to = join(folder, path)
  mkdirSync(dirname(to), { recursive: true })
  return to
}
const write = (path: string, content: string | Uint8Array, mode = 0o644) => {
  writeFileSync(place(path), content, { mode })
}

// What runs.
for (const name of ["package.json", "bin", "assets"])
  cpSync(join(server, name), place(`usr/lib/footfall/${name}`), { recursive: true })
for (const path of globSync(["dist/main*.js", "dist/*-worker.js"], { cwd: server }))
  copyFileSync(join(server, path), place(`usr/lib/footfall/dist/${basename(path)}`))
const node = nodeFolder()
copyFileSync(join(node, "bin/node"), place("usr/lib/footfall/node"))
chmodSync(join(folder, "usr/lib/footfall/node"), 0o755)
write("usr/bin/footfall-server", readFileSync(join(parts, "footfall-server")), 0o755)

// The service, with the paths of the package.
const unit = readFileSync(join(root, "ops/footfall.service"), "utf8")
const command = "/usr/lib/footfall/node /usr/lib/footfall/bin/footfall-server.js"
write(
  "usr/lib/systemd/system/footfall.service",
  unit
    .replace(/^#.*\n/gm, "")
    .trimStart()
    .replaceAll("/opt/footfall/node_modules/.bin/footfall-server", command)
    .replaceAll("/opt/footfall", "/usr/lib/footfall"),
)
write("usr/share/footfall/footfall.env", readFileSync(join(parts, "footfall.env")))

// What Debian asks of every package.
const licence = (path: string) => readFileSync(path, "utf8").trim()
write(
  "usr/share/doc/footfall-server/copyright",
  `Footfall\n\n${licence(join(root, "LICENSE"))}\n\nusr/lib/footfall/node: Node.js\n\n${licence(join(node, "LICENSE"))}\n`,
)
write(
  "usr/share/doc/footfall-server/changelog.gz",
  gzipSync(readFileSync(join(root, "CHANGELOG.md")), { level: 9 }),
)
execFileSync("chmod", ["--recursive", "u=rwX,go=rX", folder])

for (const name of ["postinst", "prerm", "postrm"])
  write(`DEBIAN/${name}`, readFileSync(join(parts, name)), 0o755)
const kibibytes = globSync("**", { cwd: folder })
  .map((path) => statSync(join(folder, path)))
  .reduce((sum, each) => sum + (each.isFile() ? Math.ceil(each.size / 1024) : 1), 0)
write(
  "DEBIAN/control",
  readFileSync(join(parts, "control"), "utf8")
    .replace("VERSION", version)
    .replace("ARCHITECTURE", architecture)
    .replace("SIZE", String(kibibytes)),
)

mkdirSync(target, { recursive: true })
const file = join(target, `footfall-server_${version}_${architecture}.deb`)
execFileSync("dpkg-deb", ["--root-owner-group", "-Zzstd", "-z9", "--build", folder, file], {
  stdio: ["ignore", "ignore", "inherit"],
})
console.log(file)
