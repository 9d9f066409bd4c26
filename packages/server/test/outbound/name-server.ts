// A test's own name server over UDP, whose responses may change with every query and must not be cached (TTL 0), and an
// uncached look-up that queries it for A and AAAA.
import { createSocket } from "node:dgram"
import { Resolver } from "node:dns/promises"
import { once } from "node:events"
import type { NameLookup } from "../../src/platform/outbound/vetted-addresses.ts"
import ipaddr from "ipaddr.js"

export interface Answer {
  /** Names before the addresses, by CNAME. */
  readonly cname?: string
  readonly addresses: ReadonlyArray<string>
}

export interface NameServer {
  readonly lookup: (typeof NameLookup)["Service"]
  /** Counts the look-ups from 0 again. */
  restart(): void
  close(): void
}

const types = { A: 1, CNAME: 5, AAAA: 28 } as const

/**
 * `answer`: for a name and the number of its look-up, from 0. Undefined: never answers. `at`: default any free port of
 * this machine.
 */
export const startNameServer = async (
  answer: (name: string, lookup: number) => Answer | undefined,
  at = 0,
): Promise<NameServer> => {
  const queries = new Map<string, number>()
  const socket = createSocket("udp4")
  socket.on("message", (message, { address, port }) => {
    const { end, name, type } = questionOf(message)
    // A and AAAA of one look-up share a number.
    const count = queries.get(`${name} ${type}`) ?? 0
    queries.set(`${name} ${type}`, count + 1)
    const given = answer(name, count)
    if (given === undefined) return
    socket.send(replyTo(message.subarray(0, end), type, given), port, address)
  })
  socket.bind(at, "127.0.0.1")
  await once(socket, "listening")
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    restart: () => queries.clear(),
    close: () => socket.close(),
    lookup: async (name) => {
      const none = (): ReadonlyArray<string> => []
      const [four, six] = await Promise.all([
        resolver.resolve4(name).catch(none),
        resolver.resolve6(name).catch(none),
      ])
      return [
        ...four.map((address) => ({ address, family: 4 })),
        ...six.map((address) => ({ address, family: 6 })),
      ]
    },
  }
}

const questionOf = (message: Buffer) => {
  const labels: Array<string> = []
  let place = 12
  for (; message[place] !== 0; place += message[place]! + 1) {
    labels.push(message.toString("latin1", place + 1, place + 1 + message[place]!))
  }
  return { name: labels.join("."), type: message.readUInt16BE(place + 1), end: place + 5 }
}

const replyTo = (question: Buffer, type: number, { addresses, cname }: Answer): Buffer => {
  const records = addresses
    .map((address) => Buffer.from(ipaddr.parse(address).toByteArray()))
    .filter((bytes) => type === (bytes.length === 4 ? types.A : types.AAAA))
  const owner = cname === undefined ? Buffer.of(0xc0, 12) : nameOf(cname)
  const all = [
    ...(cname === undefined ? [] : [record(Buffer.of(0xc0, 12), types.CNAME, nameOf(cname))]),
    ...records.map((bytes) => record(owner, type, bytes)),
  ]
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8580, 2)
  head.writeUInt16BE(all.length, 6)
  head.writeUInt16BE(0, 8)
  head.writeUInt16BE(0, 10)
  return Buffer.concat([head, ...all])
}

const record = (owner: Buffer, type: number, data: Buffer): Buffer => {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, fixed, data])
}

const nameOf = (name: string): Buffer =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.of(0),
  ])
