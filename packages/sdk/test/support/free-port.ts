// A port for a server that must know it before it listens. From below the range in which systems choose ports
// by themselves (Linux from 32768, others from 49152), and each worker of vitest has its own part of it: between
// this and the server's own listening no one else's connection or server gets it.
import { once } from "node:events"
import { createServer } from "node:net"

const portMin = 10_000
const portsPerWorker = 1_000
const workersMax = 20

const worker = Number(process.env["VITEST_POOL_ID"] ?? 1) % workersMax
// Not always the same, as other runs of the tests may be on this machine.
let next = Math.floor(Math.random() * portsPerWorker)

/** Nothing listens on it at the moment. */
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
