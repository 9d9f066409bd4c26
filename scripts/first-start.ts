// Tests the first steps of a new user: runs `npm start` until the server is ready, opens its pages, and presses Ctrl-C.
// It fails and prints the server's output if the server isn't ready in time, a page is missing, or it doesn't exit
// cleanly. The clone keeps the `.footfall` folder, as a new user's does.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../packages/sdk/test/support/free-port.ts"

const readyMaxMs = 300_000
const endMaxMs = 60_000
const postmasterFile = ".footfall/postgres/postmaster.pid"

const port = await freePort()
const url = `http://127.0.0.1:${port}`
const child = spawn("npm", ["start"], {
  env: { ...process.env, PORT: String(port) },
  stdio: ["ignore", "pipe", "pipe"],
})
let output = ""
for (const stream of [child.stdout, child.stderr])
  stream.on("data", (chunk: Buffer) => (output += String(chunk)))
const ended = once(child, "exit")

const fail = (reason: string): never => {
  child.kill("SIGKILL")
  console.error(`${output}\nnpm start: ${reason}`)
  process.exit(1)
}

const isReady = async (): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`)).ok
  } catch {
    return false
  }
}

const deadline = Date.now() + readyMaxMs
while (!(await isReady())) {
  if (child.exitCode !== null) fail(`exited with ${child.exitCode} before it was ready`)
  if (Date.now() > deadline) fail(`not ready after ${readyMaxMs / 1000} s`)
  await sleep(250)
}
while (!output.includes(`${url}/demo`)) {
  if (Date.now() > deadline) fail("did not print the address of the demo")
  await sleep(250)
}
for (const path of ["/demo", "/docs"]) {
  const { status } = await fetch(url + path)
  if (status !== 200) fail(`${path} answered ${status}`)
}

// npm exits on the signal immediately. Its server exits when its work is done.
child.kill("SIGTERM")
const endDeadline = Date.now() + endMaxMs
while (existsSync(postmasterFile) || (await isReady())) {
  if (Date.now() > endDeadline) fail(`still running ${endMaxMs / 1000} s after SIGTERM`)
  await sleep(250)
}
await ended
console.log("npm start: ready, and stopped cleanly")
