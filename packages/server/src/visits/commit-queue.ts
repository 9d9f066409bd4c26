// Batches without a timer: items that arrive while a commit is running go into the next one. At most two commits run at
// a time. The queue is bounded by count and by bytes, and rejects anything beyond at once, so memory does not grow with
// the load. Uses plain promises, because a fiber per request would cost more than the request.

export interface QueueLimits {
  /** Items waiting, not counting running commits. */
  readonly itemsMax: number
  /** Bytes waiting and in running commits. */
  readonly bytesMax: number
  readonly itemsPerCommitMax: number
  /** A commit takes no further item once it reaches this size. */
  readonly bytesPerCommitMax: number
  readonly commitsInFlightMax: number
}

export interface QueueOptions<Item, Outcome> {
  readonly limits: QueueLimits
  /** Commits the items and returns one outcome for each, in order. A rejection fails them all. */
  commit(items: ReadonlyArray<Item>): Promise<ReadonlyArray<Outcome>>
}

interface Waiting<Item, Outcome> {
  readonly item: Item
  readonly bytes: number
  readonly settle: (outcome: Outcome | undefined) => void
}

export class CommitQueue<Item, Outcome> {
  readonly #options: QueueOptions<Item, Outcome>
  #waiting: Array<Waiting<Item, Outcome>> = []
  #bytes = 0
  #inFlight = 0
  #isScheduled = false
  #isClosed = false
  #whenIdle: Array<() => void> = []

  constructor(options: QueueOptions<Item, Outcome>) {
    this.#options = options
  }

  /** The outcome after the commit; undefined when the commit failed, or at once when the queue is full. */
  offer(item: Item, bytes: number): Promise<Outcome | undefined> {
    const { itemsMax, bytesMax } = this.#options.limits
    const isFull = this.#waiting.length >= itemsMax || this.#bytes + bytes > bytesMax
    if (isFull || this.#isClosed) return Promise.resolve(undefined)
    this.#bytes += bytes
    return new Promise((settle) => {
      this.#waiting.push({ item, bytes, settle })
      this.#schedule()
    })
  }

  /** Rejects further offers and waits for accepted ones to settle. */
  close(): Promise<void> {
    this.#isClosed = true
    if (this.#isIdle()) return Promise.resolve()
    return new Promise((resolve) => this.#whenIdle.push(resolve))
  }

  // Waits one turn of the event loop, so that requests read in the same turn share a commit.
  #schedule(): void {
    if (this.#isScheduled || this.#inFlight >= this.#options.limits.commitsInFlightMax) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      void this.#commitNext()
    })
  }

  async #commitNext(): Promise<void> {
    const batch = this.#waiting.splice(0, this.#commitSize())
    if (batch.length === 0) return
    this.#inFlight++
    if (this.#waiting.length > 0) this.#schedule()
    const outcomes = await this.#options.commit(batch.map(({ item }) => item)).catch(() => [])
    this.#inFlight--
    batch.forEach(({ bytes, settle }, place) => {
      this.#bytes -= bytes
      settle(outcomes[place])
    })
    if (this.#waiting.length > 0) this.#schedule()
    else if (this.#isIdle()) this.#whenIdle.splice(0).forEach((resolve) => resolve())
  }

  #commitSize(): number {
    const { bytesPerCommitMax, itemsPerCommitMax } = this.#options.limits
    let bytes = 0
    const end = this.#waiting.findIndex((waiting, place) => {
      const isOver = place === itemsPerCommitMax || bytes >= bytesPerCommitMax
      bytes += waiting.bytes
      return isOver
    })
    return end === -1 ? this.#waiting.length : end
  }

  #isIdle(): boolean {
    return this.#inFlight === 0 && this.#waiting.length === 0
  }
}
