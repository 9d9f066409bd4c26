// Builds what is stale, quietly: one line while it works, everything there is to say when it fails.
// turbo knows what is stale; its telemetry is off, because no one was asked.
import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"

// A package of the workspace that came with a pull is linked here, as `npm install` would.
const root = join(import.meta.dirname, "..")
for (const folder of readdirSync(join(root, "packages"))) {
  const { name } = JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"))
  const link = join(root, "node_modules", name)
  if (!existsSync(link)) symlinkSync(join("..", "..", "packages", folder), link)
}

const turbo = createRequire(import.meta.url).resolve("turbo/bin/turbo")
const child = spawn(process.execPath, [turbo, "run", "build", "--output-logs=errors-only"], {
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
  stdio: ["ignore", "pipe", "pipe"],
})
const output: Array<Buffer> = []
child.stdout.on("data", (chunk: Buffer) => output.push(chunk))
child.stderr.on("data", (chunk: Buffer) => output.push(chunk))

const notice = setTimeout(() => console.error("Building what is stale …"), 1000)
child.on("exit", (code) => {
  clearTimeout(notice)
  if (code !== 0) process.stderr.write(Buffer.concat(output))
  process.exitCode = code ?? 1
})
