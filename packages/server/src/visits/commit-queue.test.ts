// Batches form while a commit runs. They are bounded, and drained on close.
import { assert, describe, it } from "@effect/vitest"
import { CommitQueue, type QueueLimits } from "./commit-queue.ts"

const limits: QueueLimits = {
  itemsMax: 100,
  bytesMax: 1_000,
  itemsPerCommitMax: 10,
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
  return { queue, commits, items: () => commits.map((commit) => commit.items) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe("commit queue", () => {
  it("commits items offered in one turn together, and returns each its own outcome", async () => {
    const { queue, commits, items } = controlled()

    const outcomes = [1, 2, 3].map((item) => queue.offer(item, 1))
    await turn()
    commits[0]?.end()

    assert.deepStrictEqual(items(), [[1, 2, 3]])
    assert.deepStrictEqual(await Promise.all(outcomes), ["kept 1", "kept 2", "kept 3"])
  })

  it("keeps at most two commits in flight and gathers the rest", async () => {
    const { queue, commits, items } = controlled()
    for (const item of [1, 2, 3, 4]) {
      void queue.offer(item, 1)
      await turn()
    }

    assert.deepStrictEqual(items(), [[1], [2]])
    commits[0]?.end()
    await turn()
    await turn()
    assert.deepStrictEqual(items(), [[1], [2], [3, 4]])
  })

  it("bounds a commit by items and by bytes", async () => {
    const { queue, items } = controlled({ itemsPerCommitMax: 3, bytesPerCommitMax: 20 })
    for (const bytes of [15, 15, 1, 1, 1, 1]) void queue.offer(bytes, bytes)
    await turn()
    await turn()

    assert.deepStrictEqual(items(), [
      [15, 15],
      [1, 1, 1],
    ])
  })

  it("rejects items beyond the item limit immediately", async () => {
    const { queue, commits } = controlled({ itemsMax: 2 })

    const outcomes = [1, 2, 3].map((item) => queue.offer(item, 1))
    await turn()
    commits[0]?.end()

    assert.deepStrictEqual(await Promise.all(outcomes), ["kept 1", "kept 2", undefined])
  })

  it("rejects items beyond the byte limit immediately, including bytes in flight", async () => {
    const { queue, commits } = controlled({ bytesMax: 10 })
    const first = queue.offer(1, 6)
    await turn()

    assert.isUndefined(await queue.offer(2, 5))
    const third = queue.offer(3, 4)
    await turn()
    commits.forEach(({ end }) => end())
    assert.deepStrictEqual([await first, await third], ["kept 1", "kept 3"])
    void queue.offer(4, 10)
    await turn()
    assert.deepStrictEqual(commits[2]?.items, [4])
  })

  it("a failing commit fails only its own items", async () => {
    const { queue, commits } = controlled()
    const first = queue.offer(1, 1)
    await turn()
    const second = queue.offer(2, 1)
    await turn()

    commits[0]?.fail()
    commits[1]?.end()

    assert.deepStrictEqual([await first, await second], [undefined, "kept 2"])
  })

  it("close waits for accepted items and accepts no more", async () => {
    const { queue, commits } = controlled({ commitsInFlightMax: 1 })
    const taken = [queue.offer(1, 1)]
    await turn()
    taken.push(queue.offer(2, 1))
    let isClosed = false

    const closing = queue.close().then(() => (isClosed = true))
    const refused = await queue.offer(3, 1)
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
