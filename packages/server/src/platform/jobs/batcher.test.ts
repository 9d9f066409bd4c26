// Batches form while a commit runs. They are bounded, shared fairly, and drained on close.
import { assert, describe, it } from "@effect/vitest"
import { CommitQueue, type QueueLimits } from "./batcher.ts"

const limits: QueueLimits = {
  itemsMax: 100,
  bytesMax: 1_000,
  rowsPerCommitMax: 10,
  bytesPerCommitMax: 500,
  commitsInFlightMax: 2,
}

/** A queue whose commits end when the test ends them. */
const controlled = (change: Partial<QueueLimits> = {}) => {
  const commits: Array<{ items: ReadonlyArray<number>; end: () => void; fail: () => void }> = []
  const queue = new CommitQueue<number, string>({
    limits: { ...limits, ...change },
    commit: (items) =>
      new Promise((resolve, reject) =>
        commits.push({
          items,
          end: () => resolve(items.map((item) => `kept ${item}`)),
          fail: () => reject(new Error("gone")),
        }),
      ),
  })
  return {
    queue,
    commits,
    items: () => commits.map((commit) => commit.items),
    offer: (item: number, bytes: number, { rows = 1, party = "one" } = {}) =>
      queue.offer({ item, party, bytes, rows }),
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe("commit queue", () => {
  it("commits items offered in one turn together, and returns each its own outcome", async () => {
    const { commits, items, offer } = controlled()

    const outcomes = [1, 2, 3].map((item) => offer(item, 1))
    await turn()
    commits[0]?.end()

    assert.deepStrictEqual(items(), [[1, 2, 3]])
    assert.deepStrictEqual(await Promise.all(outcomes), ["kept 1", "kept 2", "kept 3"])
  })

  it("keeps at most two commits in flight and gathers the rest", async () => {
    const { commits, items, offer } = controlled()
    for (const item of [1, 2, 3, 4]) {
      void offer(item, 1)
      await turn()
    }

    assert.deepStrictEqual(items(), [[1], [2]])
    commits[0]?.end()
    await turn()
    await turn()
    assert.deepStrictEqual(items(), [[1], [2], [3, 4]])
  })

  it("bounds a commit by rows and by bytes", async () => {
    const { items, offer } = controlled({ rowsPerCommitMax: 6, bytesPerCommitMax: 20 })
    for (const bytes of [15, 15, 1, 1, 1, 1]) void offer(bytes, bytes, { rows: 2 })
    await turn()
    await turn()

    assert.deepStrictEqual(items(), [
      [15, 15],
      [1, 1, 1],
    ])
  })

  it("commits an item with more rows than a commit alone, and one such item at a time", async () => {
    const { commits, items, offer } = controlled()
    for (const rows of [11, 12, 1, 2]) void offer(rows, 1, { rows, party: `${rows}` })
    await turn()
    await turn()

    assert.deepStrictEqual(items(), [[11], [1, 2]])
    commits[1]?.end()
    await turn()
    await turn()
    assert.deepStrictEqual(items(), [[11], [1, 2]])
    commits[0]?.end()
    await turn()
    await turn()
    assert.deepStrictEqual(items(), [[11], [1, 2], [12]])
  })

  it("takes the next item of the party with the fewest rows in running commits", async () => {
    const { commits, items, offer } = controlled()
    for (const item of [1, 2, 3, 4, 5]) void offer(item, 1, { rows: 5, party: "flood" })
    await turn()
    await turn()
    void offer(6, 1, { party: "small" })
    void offer(7, 1, { party: "small" })

    commits[0]?.end()
    await turn()
    await turn()

    assert.deepStrictEqual(items(), [
      [1, 2],
      [3, 4],
      [6, 7, 5],
    ])
  })

  it("of parties without rows in running commits, takes the one served longest ago", async () => {
    const { commits, items, offer } = controlled({ commitsInFlightMax: 1, rowsPerCommitMax: 1 })
    for (const item of [1, 2, 3]) void offer(item, 1, { party: "flood" })
    await turn()
    void offer(4, 1, { party: "small" })
    void offer(5, 1, { party: "another" })

    for (let ended = 0; ended < 4; ended++) {
      commits[ended]?.end()
      await turn()
      await turn()
    }

    assert.deepStrictEqual(items(), [[1], [2], [4], [5], [3]])
  })

  it("a party alone has half of the waiting items, and more are rejected immediately", async () => {
    const { commits, offer } = controlled({ itemsMax: 4 })

    const outcomes = [1, 2, 3].map((item) => offer(item, 1))
    await turn()
    commits[0]?.end()

    assert.deepStrictEqual(await Promise.all(outcomes), ["kept 1", "kept 2", undefined])
  })

  it("a party alone has half of the bytes, including bytes in flight", async () => {
    const { commits, offer } = controlled({ bytesMax: 20 })
    const first = offer(1, 6)
    await turn()

    assert.isUndefined(await offer(2, 5))
    const third = offer(3, 4)
    await turn()
    commits.forEach(({ end }) => end())
    assert.deepStrictEqual([await first, await third], ["kept 1", "kept 3"])
    void offer(4, 10)
    await turn()
    assert.deepStrictEqual(commits[2]?.items, [4])
  })

  it("each further party has half of what the others leave, and together they never exceed the limit", async () => {
    const { offer } = controlled({ bytesMax: 80 })
    const offered = ["a", "b", "c", "d"].map((party) => {
      const answers = Array.from({ length: 50 }, () => offer(0, 1, { party }))
      return Promise.all(
        answers.map((answer) => Promise.race([answer, turn().then(() => "taken")])),
      )
    })

    const taken = await Promise.all(offered)

    assert.deepStrictEqual(
      taken.map((outcomes) => outcomes.filter((outcome) => outcome !== undefined).length),
      [40, 20, 10, 5],
    )
  })

  it("a failing commit fails only its own items", async () => {
    const { commits, offer } = controlled()
    const first = offer(1, 1)
    await turn()
    const second = offer(2, 1)
    await turn()

    commits[0]?.fail()
    commits[1]?.end()

    assert.deepStrictEqual([await first, await second], [undefined, "kept 2"])
  })

  it("close waits for accepted items and accepts no more", async () => {
    const { commits, offer, queue } = controlled({ commitsInFlightMax: 1 })
    const taken = [offer(1, 1)]
    await turn()
    taken.push(offer(2, 1))
    let isClosed = false

    const closing = queue.close().then(() => (isClosed = true))
    const refused = await offer(3, 1)
    commits[0]?.end()
    await turn()
    await turn()
    assert.isFalse(isClosed)
    commits[1]?.end()
    await closing

    assert.isUndefined(refused)
    assert.deepStrictEqual(await Promise.all(taken), ["kept 1", "kept 2"])
    await queue.close()
  })
})
