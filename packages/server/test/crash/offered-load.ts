// Browsers that send at a steady rate whatever the server does, and a ledger of acknowledged events. A batch without a
// response, or with a 503, is sent again, byte for byte, until it is acknowledged, and never after that. Any other
// response fails the test.
import { setTimeout as wait } from "node:timers/promises"

/** A browser's request. */
export interface Batch {
  readonly url: string
  readonly eventIds: ReadonlyArray<string>
  readonly body: string
}

const tickMs = 20
const retryMs = 50
/** Concurrent requests. The rest waits in line. */
const connections = 32
const headers = {
  "content-type": "text/plain",
  "user-agent": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/145.0",
}

export class OfferedLoad {
  /** Ids of acknowledged events, in the order of the answers. */
  readonly acknowledged: Array<string> = []
  readonly #next: () => Batch
  readonly #waiting: Array<Batch> = []
  #offered = 0
  #sending = 0
  #timer: NodeJS.Timeout | undefined
  #failure: Error | undefined
  readonly #watchers = new Set<() => void>()

  constructor(next: () => Batch) {
    this.#next = next
  }

  /** Sends this many events per second from now on. */
  start(eventsPerSecond: number): void {
    const startedAt = performance.now()
    this.#timer = setInterval(() => {
      const due = ((performance.now() - startedAt) * eventsPerSecond) / 1_000
      while (this.#offered < due) {
        const batch = this.#next()
        this.#offered += batch.eventIds.length
        this.#waiting.push(batch)
      }
      this.#send()
    }, tickMs)
  }

  /** Resolves once this many more events are acknowledged. */
  acknowledgedMore(events: number): Promise<void> {
    const count = this.acknowledged.length + events
    return this.#until(() => this.acknowledged.length >= count)
  }

  /** Stops sending. Resolves once every event is acknowledged. */
  finish(): Promise<void> {
    clearInterval(this.#timer)
    return this.#until(() => this.#waiting.length === 0 && this.#sending === 0)
  }

  #send(): void {
    while (this.#sending < connections && this.#waiting.length > 0) {
      this.#sending++
      void this.#deliver(this.#waiting.shift()!).then(() => {
        this.#sending--
        this.#send()
        for (const look of this.#watchers) look()
      })
    }
  }

  async #deliver(batch: Batch): Promise<void> {
    const { body, eventIds, url } = batch
    const status = await fetch(url, { method: "POST", headers, body }).then(
      (answer) => answer.status,
      () => undefined,
    )
    if (status === 204) return void this.acknowledged.push(...eventIds)
    if (status !== undefined && status !== 503) {
      this.#failure ??= new Error(`The collect route answered ${status}`)
      return
    }
    await wait(retryMs)
    this.#waiting.unshift(batch)
  }

  #until(isReached: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.#failure === undefined && !isReached()) return
        this.#watchers.delete(look)
        if (this.#failure === undefined) resolve()
        else reject(this.#failure)
      }
      this.#watchers.add(look)
      look()
    })
  }
}
