// Child processes of the benchmarks: starts, awaits, ends (by pid) and measures them.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

export const serverBin = fileURLToPath(new URL("../bin/footfall-server.js", import.meta.url))
export const cliBin = fileURLToPath(new URL("../../cli/bin/footfall.js", import.meta.url))

/** Starts node with the arguments. Its standard error goes to ours. */
export const start = (
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>>,
): ChildProcess =>
  spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  })

const readyWithinMs = 30_000

/** Waits until the path responds with 200. Returns the milliseconds since `begin`. */
export const ready = async (port: number, begin: number, path = "/healthz"): Promise<number> => {
  const deadline = performance.now() + readyWithinMs
  for (;;) {
    if (performance.now() > deadline) throw new Error(`port ${port} is not ready`)
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`)
      await response.arrayBuffer()
      if (response.status === 200) return performance.now() - begin
    } catch {
      // Not listening yet.
    }
    await sleep(5)
  }
}

export const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill("SIGTERM")
  await once(child, "exit")
}

/** Runs until exit and returns the milliseconds it took. */
export const time = async (
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
): Promise<number> => {
  const begin = performance.now()
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  })
  child.stdout.resume()
  await once(child, "exit")
  return performance.now() - begin
}

/**
 * Memory of a process and its descendants in MiB, as proportional set size, which counts a shared page only once. Linux
 * only.
 */
export const memoryMiB = (pid: number, options?: { readonly alone: true }): number =>
  (options === undefined ? descendants(pid) : [pid]).reduce((sum, each) => sum + pssKiB(each), 0) /
  1024

const descendants = (pid: number): ReadonlyArray<number> => {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8")
        const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
        return [{ pid: Number(name), parent }]
      } catch {
        return []
      }
    })
  const found = [pid]
  for (const each of found) {
    found.push(...parents.filter(({ parent }) => parent === each).map((child) => child.pid))
  }
  return found
}

const pssKiB = (pid: number): number => {
  try {
    return Number(
      /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0,
    )
  } catch {
    return 0
  }
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** A port that is currently free. */
export const freePort = async (): Promise<number> => {
  const { createServer } = await import("node:net")
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
