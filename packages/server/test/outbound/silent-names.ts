// Sends webhooks while most name servers never respond, in a separate network with its own files: the system queries
// this script's name server. name-lookup.test.ts runs it with `unshare`. Prints one JSON document.
import { lookup } from "node:dns/promises"
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { startNameServer } from "./name-server.ts"
import { withOutbound } from "./outbound-layer.ts"

const addresses: Readonly<Record<string, ReadonlyArray<string>>> = {
  "quick.example": ["127.0.0.1"],
  // `receiver.team` with the search domain.
  "receiver.team.inside.example": ["127.0.0.1"],
}

/** The requested names. */
const asked = new Set<string>()
await startNameServer((name) => {
  asked.add(name)
  return name.includes("slow.example") ? undefined : { addresses: addresses[name] ?? [] }
}, 53)

const server = createServer((_, response) => response.end("ok"))
server.listen(0, "::")
await once(server, "listening")
// A socket that listens on TCP has an address of this form.
const { port } = server.address() as AddressInfo

const slowNames = Array.from({ length: 20 }, (_, place) => `a${place}.slow.example`)

await withOutbound({ isPrivateAllowed: true }, async (send) => {
  const outcome = async (host: string) => {
    const result = await send(`http://${host}:${port}/`, { timeoutMs: 60_000 })
    return "_tag" in result ? result._tag : String(result.status)
  }
  let slowEnded = 0
  for (const name of slowNames) void outcome(name).then(() => slowEnded++)
  while (!slowNames.some((name) => asked.has(name))) await new Promise(setImmediate)
  const others: Record<string, string> = {}
  for (const host of ["quick.example", "localhost", "hosts.example", "receiver.team"]) {
    others[host] = await outcome(host)
  }
  // The way the Postgres driver and the mail client look up their hosts.
  const { address } = await lookup("localhost", { family: 4 })
  const report = { others, systemLookup: address, slowEndedBefore: slowEnded }
  // The exit would wait for the others.
  process.stdout.write(JSON.stringify(report), () => process.exit())
  await new Promise(() => undefined)
})
