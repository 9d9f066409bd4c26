// Batches without a timer: items that arrive while a commit is running go into the next one. The next item is of the
// party with the fewest rows in running commits, so a flood of one delays the others by about one commit. The queue is
// bounded by count and bytes, and rejects anything beyond at once. Plain promises, because fibers would cost more.

export interface QueueLimits {
  /** Items waiting, not counting running commits. A party takes at most half of what the others leave. */
  readonly itemsMax: number
  /** Bytes waiting and in running commits. A party takes at most half of what the others leave. */
  readonly bytesMax: number
  /** A commit has more rows only for a single item, and one such commit runs at a time. */
  readonly rowsPerCommitMax: number
  /** A commit takes no further item once it reaches this size. */
  readonly bytesPerCommitMax: number
  readonly commitsInFlightMax: number
}

export interface QueueOptions<Item, Outcome> {
  readonly limits: QueueLimits
  /** Commits the items and returns one outcome for each, in order. A rejection fails them all. */
  commit(items: ReadonlyArray<Item>): Promise<ReadonlyArray<Outcome>>
}

export interface Offered<Item> {
  readonly item: Item
  /** Who shares the queue with others (jobs/fair-turns.ts). */
  readonly party: string
  readonly bytes: number
  readonly rows: number
}

interface Waiting<Item, Outcome> extends Offered<Item> {
  readonly share: Share<Item, Outcome>
  readonly settle: (outcome: Outcome | undefined) => void
}

interface Share<Item, Outcome> {
  /** First come, first served. */
  readonly waiting: Array<Waiting<Item, Outcome>>
  /** Waiting and in running commits. */
  bytes: number
  /** In running commits and in the one being gathered. */
  rows: number
  /** Its place in line: it goes to the end when it comes to wait, and with each item that is taken. */
  place: number
}

export class CommitQueue<Item, Outcome> {
  readonly #options: QueueOptions<Item, Outcome>
  readonly #shares = new Map<string, Share<Item, Outcome>>()
  #places = 0
  #waiting = 0
  #bytes = 0
  #inFlight = 0
  #isLongInFlight = false
  #isScheduled = false
  #isClosed = false
  #whenIdle: Array<() => void> = []

  constructor(options: QueueOptions<Item, Outcome>) {
    this.#options = options
  }

  /** The outcome after the commit; undefined when the commit failed, or at once when the queue is full. */
  offer(offered: Offered<Item>): Promise<Outcome | undefined> {
    const { bytes, party } = offered
    const share = this.#shares.get(party) ?? { waiting: [], bytes: 0, rows: 0, place: 0 }
    if (this.#isClosed || this.#isFull(share, bytes)) return Promise.resolve(undefined)
    this.#shares.set(party, share)
    if (share.waiting.length === 0) share.place = ++this.#places
    share.bytes += bytes
    this.#bytes += bytes
    this.#waiting++
    return new Promise((settle) => {
      share.waiting.push({ ...offered, share, settle })
      this.#schedule()
    })
  }

  /** Rejects further offers and waits for accepted ones to settle. */
  close(): Promise<void> {
    this.#isClosed = true
    if (this.#isIdle()) return Promise.resolve()
    return new Promise((resolve) => this.#whenIdle.push(resolve))
  }

  /** What is free for a share is what it has and what no one has. It takes half of that. */
  #isFull({ bytes, waiting }: Share<Item, Outcome>, more: number): boolean {
    const { bytesMax, itemsMax } = this.#options.limits
    const itemsFree = itemsMax - (this.#waiting - waiting.length)
    const bytesFree = bytesMax - (this.#bytes - bytes)
    return 2 * (waiting.length + 1) > itemsFree || 2 * (bytes + more) > bytesFree
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
    const batch = this.#gather()
    if (batch.length === 0) return
    const isLong = this.#isLong(batch[0]!)
    this.#inFlight++
    if (isLong) this.#isLongInFlight = true
    if (this.#waiting > 0) this.#schedule()
    const outcomes = await this.#options.commit(batch.map(({ item }) => item)).catch(() => [])
    this.#inFlight--
    if (isLong) this.#isLongInFlight = false
    batch.forEach(({ bytes, rows, settle, share, party }, place) => {
      this.#bytes -= bytes
      share.bytes -= bytes
      share.rows -= rows
      if (share.rows === 0 && share.waiting.length === 0) this.#shares.delete(party)
      settle(outcomes[place])
    })
    if (this.#waiting > 0) this.#schedule()
    else if (this.#isIdle()) this.#whenIdle.splice(0).forEach((resolve) => resolve())
  }

  #gather(): ReadonlyArray<Waiting<Item, Outcome>> {
    const { bytesPerCommitMax, rowsPerCommitMax } = this.#options.limits
    const batch: Array<Waiting<Item, Outcome>> = []
    let bytes = 0
    let rows = 0
    while (bytes < bytesPerCommitMax) {
      const next = this.#next()
      if (next === undefined || (batch.length > 0 && rows + next.rows > rowsPerCommitMax)) break
      next.share.waiting.shift()
      next.share.rows += next.rows
      next.share.place = ++this.#places
      this.#waiting--
      bytes += next.bytes
      rows += next.rows
      batch.push(next)
    }
    return batch
  }

  #next(): Waiting<Item, Outcome> | undefined {
    let next: Waiting<Item, Outcome> | undefined
    for (const { place, rows, waiting } of this.#shares.values()) {
      const first = waiting[0]
      if (first === undefined || (this.#isLongInFlight && this.#isLong(first))) continue
      const isBefore =
        next === undefined ||
        rows < next.share.rows ||
        (rows === next.share.rows && place < next.share.place)
      if (isBefore) next = first
    }
    return next
  }

  #isLong({ rows }: Offered<Item>): boolean {
    return rows > this.#options.limits.rowsPerCommitMax
  }

  #isIdle(): boolean {
    return this.#inFlight === 0 && this.#waiting === 0
  }
}
