// Builds what is stale, quietly: one line while it works, everything there is to say when it fails.
// turbo knows what is stale; its telemetry is off, because nobody was asked.
import { spawn } from "node:child_process"
import { createRequire } from "node:module"

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
