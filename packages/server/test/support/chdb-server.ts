// Chdb's engine as a server in a process of its own, for tests and benchmarks.
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { cp } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

/** Downloads half a gigabyte into this folder. Returns it. */
export const installChdb = async (folder: string): Promise<string> => {
  await cp(fileURLToPath(new URL("./chdb", import.meta.url)), folder, { recursive: true })
  const args = ["install", "--no-audit", "--no-fund", "--no-package-lock"]
  await promisify(execFile)("npm", args, { cwd: folder })
  return folder
}

/** Ends with this process at the latest, because it reads its pipe. `directory` holds its data. */
export const startChdb = async (
  installed: string,
  directory: string,
): Promise<{ readonly url: string; close(): Promise<void> }> => {
  const child = spawn(process.execPath, [join(installed, "server.mjs"), directory], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  child.unref()
  for await (const line of createInterface(child.stdout)) {
    if (!/^\d+$/.test(line)) continue
    return {
      url: `http://127.0.0.1:${line}`,
      close: async () => {
        const ended = once(child, "exit")
        child.stdin.end()
        await ended
      },
    }
  }
  throw new Error("chdb did not start")
}
