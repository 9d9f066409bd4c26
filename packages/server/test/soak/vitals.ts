// The vital signs of a running server over time: memory and open files as counted by the kernel, heap and active
// handles from its /metrics. A steady growth is a leak.
import { readdir, readFile } from "node:fs/promises"
import type { ServerHome } from "../support/server-process.ts"

export interface Vitals {
  /** Seconds since the first sample. */
  readonly at: number
  readonly rssMiB: number
  readonly heapMiB: number
  readonly files: number
  readonly threads: number
  readonly timers: number
  /** Including clients' sockets: how many they hold depends on the time of an answer. */
  readonly sockets: number
  readonly filesBesideSockets: number
  /** Database connections of all servers. */
  readonly connections: number
}

export class Watch {
  readonly looks: Array<Vitals> = []
  readonly #home: ServerHome
  readonly #processId: number
  readonly #beganAt = performance.now()

  constructor(home: ServerHome, processId: number) {
    this.#home = home
    this.#processId = processId
  }

  async look(): Promise<void> {
    const process = `/proc/${this.#processId}`
    const [status, files, metrics] = await Promise.all([
      readFile(`${process}/status`, "utf8"),
      readdir(`${process}/fd`),
      fetch(`http://127.0.0.1:${this.#home.port}/metrics`, {
        headers: { connection: "close" },
      }).then((answer) => answer.text()),
    ])
    const ofStatus = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1])
    const ofMetrics = (name: string) =>
      [...metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "gm"))].reduce(
        (sum, [, value]) => sum + Number(value),
        0,
      )
    const active = (type: string) => ofMetrics(`nodejs_active_resources\\{type="${type}"\\}`)
    const sockets = active("TCPSocketWrap") + active("PipeWrap")
    this.looks.push({
      at: (performance.now() - this.#beganAt) / 1_000,
      rssMiB: ofStatus("VmRSS") / 1_024,
      heapMiB: ofMetrics("nodejs_heap_size_used_bytes") / 2 ** 20,
      files: files.length,
      threads: ofStatus("Threads"),
      timers: active("Timeout"),
      sockets,
      filesBesideSockets: files.length - sockets,
      connections: ofMetrics("footfall_database_connections"),
    })
  }

  most(sign: Exclude<keyof Vitals, "at">): number {
    return Math.max(...this.looks.map((look) => look[sign]))
  }

  /** The change per hour and the mean of a sign, after this many seconds: a least-squares line. */
  trend(sign: Exclude<keyof Vitals, "at">, afterSeconds: number) {
    const looks = this.looks.filter(({ at }) => at >= afterSeconds)
    const mean = (values: ReadonlyArray<number>) =>
      values.reduce((sum, value) => sum + value, 0) / values.length
    const [meanAt, meanValue] = [
      mean(looks.map(({ at }) => at)),
      mean(looks.map((one) => one[sign])),
    ]
    const spread = looks.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0)
    const shared = looks.reduce((sum, one) => sum + (one.at - meanAt) * (one[sign] - meanValue), 0)
    return {
      mean: rounded(meanValue),
      perHour: rounded((shared / spread) * 3_600),
      first: rounded(looks[0]![sign]),
      last: rounded(looks.at(-1)![sign]),
    }
  }
}

const rounded = (value: number): number => Math.round(value * 10) / 10
