// Attacks the guard in a separate network, where the kernel counts every connection attempt and every address leads to
// a listener. kernel.test.ts runs it with `unshare`. Prints one JSON document. Its connections stay in that network.
import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import * as tls from "node:tls"
import { ipv4Spellings, ipv6Spellings, refusedIpv4, refusedIpv6, samples } from "./addresses.ts"
import { type Answer, startNameServer } from "./name-server.ts"
import { type Names, withOutbound } from "./outbound-layer.ts"

/** Connection attempts in this network, by the kernel's own count. */
const begun = (): number => {
  const lines = readFileSync("/proc/net/snmp", "utf8").split("\n")
  const [names, values] = lines.filter((line) => line.startsWith("Tcp:"))
  return Number(values!.split(" ")[names!.split(" ").indexOf("ActiveOpens")])
}

const certificate = (name: string) =>
  readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), "utf8")

/** Addresses that received a connection. */
const reached: Array<string> = []
const listen = async (server: Server, port = 0): Promise<number> => {
  server.on("connection", (socket) => reached.push(socket.localAddress ?? ""))
  server.on("tlsClientError", () => undefined)
  server.listen(port, "::")
  await once(server, "listening")
  // A socket that listens on TCP has an address of this form.
  return (server.address() as AddressInfo).port
}

tls.setDefaultCACertificates([certificate("valid")])
const key = certificate("key")
const secure = createSecureServer({ key, cert: certificate("valid") }, (_, response) =>
  response.end("ok"),
)
const plain = createServer((_, response) => response.end("ok"))
const port = await listen(secure)
const plainPort = await listen(plain)

/** The resolver's responses for the name, look-up by look-up. */
const sayings = {
  public: () => ({ addresses: ["8.8.8.8"] }),
  turning: (lookup) => ({ addresses: [lookup % 2 === 0 ? "8.8.8.8" : "127.0.0.1"] }),
  turned: (lookup) => ({ addresses: [lookup === 0 ? "8.8.8.8" : "10.0.0.1"] }),
  mixed: () => ({ addresses: ["8.8.8.8", "::1"] }),
  alias: () => ({ cname: "inside.example", addresses: ["192.168.0.1"] }),
  many: () => ({
    addresses: [...Array.from({ length: 29 }, (_, last) => `8.8.8.${last}`), "169.254.169.254"],
  }),
  mapped: () => ({ addresses: ["::ffff:127.0.0.1"] }),
} satisfies Record<string, (lookup: number) => Answer>

let says: keyof typeof sayings = "public"
const nameServer = await startNameServer((_, lookup) => sayings[says](lookup))

const count = <A extends string>(texts: ReadonlyArray<A>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1
  return counts
}

/** The outcome of each attempt, and the connection attempts meanwhile. */
const attempt = async (tries: ReadonlyArray<string>, names: Names = {}) => {
  const before = begun()
  reached.length = 0
  const outcomes = await withOutbound(names, async (send) => {
    const all: Array<string> = []
    for (const url of tries) {
      const result = await send(url, { timeoutMs: 5000 })
      all.push("_tag" in result ? result._tag : String(result.status))
    }
    return all
  })
  return { outcomes: count(outcomes), begun: begun() - before, reached: count(reached) }
}

const hosts = [
  ...refusedIpv4.flatMap((range) => samples(range).flatMap(ipv4Spellings)),
  ...refusedIpv6.flatMap((range) => samples(range).flatMap(ipv6Spellings)),
]
/** Requests the name this many times, with these responses. */
const ask = (saying: keyof typeof sayings, tries: number) => {
  says = saying
  nameServer.restart()
  const url = `https://tidewater.example:${port}/`
  return attempt(
    Array.from({ length: tries }, () => url),
    { lookup: nameServer.lookup },
  )
}

const report = {
  literals: await attempt(
    hosts.flatMap((host) => [`https://${host}/`, `https://${host}:${port}/`]),
  ),
  allowed: await attempt(
    ipv4Spellings([127, 0, 0, 1])
      .slice(0, 12)
      .map((host) => `http://${host}:${plainPort}/`),
    { isPrivateAllowed: true },
  ),
  public: await ask("public", 10),
  turning: await ask("turning", 1000),
  turned: await ask("turned", 100),
  mixed: await ask("mixed", 1000),
  alias: await ask("alias", 1000),
  many: await ask("many", 1000),
  mapped: await ask("mapped", 100),
}
process.stdout.write(JSON.stringify(report))
nameServer.close()
for (const server of [secure, plain]) {
  server.close()
  server.closeAllConnections()
}
