// A load generator light enough to share two cores with the server under test. It uses raw
// keep-alive sockets with one request in flight on each, and counts responses by their
// Content-Length. Runs as its own process: node load.ts, reads JSON of LoadOptions and prints JSON of
// LoadResult.
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { fileURLToPath } from "node:url"
import { execFile } from "node:child_process"
import { promisify } from "node:util"

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** Counting starts after this time, when code is warm and caches are full. */
  readonly warmUpSeconds: number
  readonly method: "GET" | "POST"
  /** If there are several paths, they are requested in turn. */
  readonly path: string | ReadonlyArray<string>
  /** `{{address}}` in a value becomes an IPv4 address that changes every `requestsPerAddress` requests. */
  readonly headers: Readonly<Record<string, string>>
  /** Default: 1. */
  readonly requestsPerAddress?: number
  /** Placeholders in the body that get a new UUID in every request: `{{id}}`, `{{browser}}`. */
  readonly body: string
}

export interface LoadResult {
  readonly answers: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
}

/** Runs the generator in its own process. */
export const load = async (options: LoadOptions): Promise<LoadResult> => {
  const generator = promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url)])
  generator.child.stdin?.end(JSON.stringify(options))
  const { stdout } = await generator
  return JSON.parse(stdout) as LoadResult
}

let counter = 0
const uuid = (): string => {
  const hex = (++counter).toString(16).padStart(8, "0")
  const noise = Math.floor(Math.random() * 2 ** 48)
    .toString(16)
    .padStart(12, "0")
  return `${hex}-${process.pid.toString(16).padStart(4, "0").slice(-4)}-4000-8000-${noise}`
}

const someAddress = (): string =>
  [0, 0, 0].reduce((text) => `${text}.${Math.floor(Math.random() * 256)}`, "20")

let requests = 0
let address = someAddress()

const request = (options: LoadOptions): string => {
  if (requests % (options.requestsPerAddress ?? 1) === 0) address = someAddress()
  const body = options.body.replaceAll(/\{\{\w+\}\}/g, uuid)
  const headers = Object.entries({
    host: "127.0.0.1",
    ...options.headers,
    ...(options.method === "POST" ? { "content-length": Buffer.byteLength(body) } : {}),
  }).map(([name, value]) => `${name}: ${String(value).replace("{{address}}", address)}\r\n`)
  const paths = [options.path].flat()
  const path = paths[requests % paths.length]
  requests++
  return `${options.method} ${path} HTTP/1.1\r\n${headers.join("")}\r\n${body}`
}

/** Sends and counts until the time is over. */
const run = (options: LoadOptions): Promise<LoadResult> => {
  const begin = performance.now() + options.warmUpSeconds * 1000
  const end = begin + options.seconds * 1000
  const latencies: Array<number> = []
  const statuses: Record<string, number> = {}
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(options.port, "127.0.0.1").setNoDelay()
      let sentAt = 0
      let buffered = Buffer.alloc(0)
      const send = () => {
        sentAt = performance.now()
        if (sentAt >= end) return void socket.destroy()
        socket.write(request(options))
      }
      socket.on("connect", send)
      socket.on("error", reject)
      socket.on("close", () => resolve())
      socket.on("data", (chunk) => {
        buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
        const headEnd = buffered.indexOf("\r\n\r\n")
        if (headEnd < 0) return
        const head = buffered.subarray(0, headEnd).toString("latin1")
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        if (buffered.length < headEnd + 4 + length) return
        buffered = Buffer.alloc(0)
        const now = performance.now()
        if (sentAt >= begin && now < end) {
          latencies.push(now - sentAt)
          const status = head.slice(9, 12)
          statuses[status] = (statuses[status] ?? 0) + 1
        }
        send()
      })
    })
  return Promise.all(Array.from({ length: options.connections }, one)).then(() => {
    latencies.sort((a, b) => a - b)
    const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
    return {
      answers: latencies.length,
      perSecond: latencies.length / options.seconds,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      statuses,
    }
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await run(JSON.parse(readFileSync(0, "utf8")) as LoadOptions)))
}
