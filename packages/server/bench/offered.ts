// Sends batches at a steady rate whatever the server does (open loop), over many connections, and records the
// acknowledged ids. Runs as its own process: node offered.ts <JSON of OfferedOptions>, prints JSON of OfferedResult. An
// id is `<run>-0000-4000-8000-<event number>`.
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

export interface OfferedOptions {
  readonly port: number
  readonly path: string
  readonly host: string
  readonly connections: number
  readonly eventsPerSecond: number
  /** At most 20. */
  readonly eventsPerBatch: number
  readonly seconds: number
  /** Acknowledged event ids, one per line. */
  readonly idsFile: string
}

export interface OfferedResult {
  /** Events sent, not counting events that found no free connection. */
  readonly offered: number
  /** Events by response status; 0 means no response. */
  readonly statuses: Readonly<Record<string, number>>
  /** Rejections without Retry-After. */
  readonly unguided: number
  readonly p99Ms: number
}

/** Runs it in its own process. */
export const offer = async (options: OfferedOptions): Promise<OfferedResult> => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    fileURLToPath(import.meta.url),
    JSON.stringify(options),
  ])
  return JSON.parse(stdout) as OfferedResult
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0")

const run = async (options: OfferedOptions): Promise<OfferedResult> => {
  const { connections, eventsPerBatch, eventsPerSecond, host, idsFile, path, port, seconds } =
    options
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const runId = hex(Math.floor(Math.random() * 2 ** 32), 8)
  const acknowledged: Array<string> = []
  const statuses: Record<string, number> = {}
  const latencies: Array<number> = []
  let [offered, sending, unguided, number] = [0, 0, 0, 0]

  const send = (): Promise<void> =>
    new Promise((resolve) => {
      const time = new Date().toISOString()
      const ids = Array.from(
        { length: eventsPerBatch },
        () => `${runId}-0000-4000-8000-${hex(number++, 12)}`,
      )
      const events = ids.map((id) => ({ id, type: "page", time, url: `https://${host}/pricing` }))
      const anonymousId = `${runId}-0000-4000-9000-${hex(number % 5_000, 12)}`
      const body = JSON.stringify({ v: 1, sentAt: time, anonymousId, consent: "granted", events })
      const sentAt = performance.now()
      sending++
      offered += ids.length
      const done = (status: number, isGuided: boolean) => {
        sending--
        latencies.push(performance.now() - sentAt)
        statuses[status] = (statuses[status] ?? 0) + ids.length
        if (status === 204) acknowledged.push(...ids)
        else if (!isGuided) unguided++
        resolve()
      }
      const headers = {
        "content-type": "text/plain",
        "content-length": Buffer.byteLength(body),
        "user-agent": "Mozilla/5.0 (X11; Linux) Chrome/140",
      }
      request({ agent, port, path, method: "POST", headers }, (answer) => {
        answer.resume()
        answer.on("end", () => done(answer.statusCode ?? 0, "retry-after" in answer.headers))
      })
        .on("error", () => done(0, true))
        .end(body)
    })

  const begin = performance.now()
  const under: Array<Promise<void>> = []
  for (;;) {
    const elapsed = performance.now() - begin
    if (elapsed >= seconds * 1000) break
    const due = (elapsed / 1000) * eventsPerSecond
    const batches = Math.min(Math.ceil((due - offered) / eventsPerBatch), connections - sending)
    for (let batch = 0; batch < batches; batch++) under.push(send())
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await Promise.all(under)
  agent.destroy()
  writeFileSync(idsFile, acknowledged.map((id) => `${id}\n`).join(""))
  latencies.sort((a, b) => a - b)
  return { offered, statuses, unguided, p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0 }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? "{}") as OfferedOptions)))
}
