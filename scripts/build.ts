// Builds whatever is stale, as turbo decides. Prints one line while it works, and the full output
// on failure. turbo's telemetry is off, because users haven't agreed to it.
import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"

// Links new workspace packages after a pull, as `npm install` would.
const root = join(import.meta.dirname, "..")
for (const folder of readdirSync(join(root, "packages"))) {
  const { name } = JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"))
  const link = join(root, "node_modules", name)
  if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, "packages", folder)), link)
}

const turbo = createRequire(import.meta.url).resolve("turbo/bin/turbo")
const child = spawn(process.execPath, [turbo, "run", "build", "--output-logs=errors-only"], {
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
  stdio: ["ignore", "pipe", "pipe"],
})
const output: Array<Buffer> = []
child.stdout.on("data", (chunk: Buffer) => output.push(chunk))
child.stderr.on("data", (chunk: Buffer) => output.push(chunk))

const notice = setTimeout(
  () => console.error("Building what has changed. The first build takes a minute …"),
  1000,
)
child.on("exit", (code) => {
  clearTimeout(notice)
  if (code !== 0) process.stderr.write(Buffer.concat(output))
  else
    for (const folder of readdirSync(join(root, "packages")))
      removeOldChunks(join(root, "packages", folder, "dist"))
  process.exitCode = code ?? 1
})

/**
 * Chunk names contain a content hash. Neither a build nor turbo's cache deletes chunks of an earlier build, so they
 * would be published. This removes chunks that no other file mentions.
 */
function removeOldChunks(dist: string) {
  if (!existsSync(dist)) return
  const names = readdirSync(dist).filter((name) => name.endsWith(".js"))
  const texts = new Map(names.map((name) => [name, readFileSync(join(dist, name), "utf8")]))
  const isOld = (chunk: string) =>
    /-[A-Z0-9]{8}\.js$/.test(chunk) &&
    ![...texts].some(([name, text]) => name !== chunk && text.includes(chunk))
  for (let old = names.filter(isOld); old.length > 0; old = [...texts.keys()].filter(isOld)) {
    for (const chunk of old) {
      texts.delete(chunk)
      rmSync(join(dist, chunk))
      rmSync(join(dist, `${chunk}.map`), { force: true })
    }
  }
}
