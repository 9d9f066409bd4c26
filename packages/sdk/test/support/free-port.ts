// A port for a server that must know it before it listens. It is below the range from which systems
// choose ports (Linux from 32768, others from 49152), and each vitest worker has its own part of
// it. So nothing else takes the port before the server listens.
import { once } from "node:events"
import { createServer } from "node:net"

const portMin = 10_000
const portsPerWorker = 1_000
const workersMax = 20

const worker = Number(process.env["VITEST_POOL_ID"] ?? 1) % workersMax
// Random, because other test runs may be on this machine.
let next = Math.floor(Math.random() * portsPerWorker)

/** Returns a port on which nothing listens at the moment. */
export const freePort = async (): Promise<number> => {
  next = (next + 1) % portsPerWorker
  const port = portMin + worker * portsPerWorker + next
  return (await isFree(port)) ? port : freePort()
}

const isFree = async (port: number): Promise<boolean> => {
  const probe = createServer().listen(port, "127.0.0.1")
  try {
    await once(probe, "listening")
    return true
  } catch {
    return false
  } finally {
    probe.close()
  }
}
