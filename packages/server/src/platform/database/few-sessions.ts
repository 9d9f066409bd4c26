// Keeps the number of open sessions in a pool low. A session takes 10 MiB in Postgres, and on an idle server several
// workers look for jobs at the same time, every second or so. Background work therefore waits briefly for a session in
// use before it opens another one. Nothing else waits here. Uses the system clock, as `awaited` does.
import { Effect } from "effect"
import { Background } from "./statement-limits.ts"

/** Several times as long as a worker's query takes. */
export const opensAfterMs = 100

export class FewSessions {
  readonly #keptMs: number
  #lent = 0
  /** The most sessions lent at the same time, in this period, and in the one before less one: about as many are open. */
  #most = 0
  #mostBefore = 0
  #periodEndsAt = 0
  /** First come, first served. */
  readonly #waiting = new Set<() => void>()

  /** `keptMs`: how long the pool keeps an unused session. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  /** Call `giveBack` when the session is back in the pool. */
  readonly take: Effect.Effect<void> = Effect.flatMap(Background, (isBackground) => {
    if (!isBackground || this.#lent < Math.max(1, this.#open())) {
      this.#lend()
      return Effect.void
    }
    return Effect.callback<void>((resume) => {
      const go = () => {
        clearTimeout(timer)
        this.#waiting.delete(go)
        this.#lend()
        resume(Effect.void)
      }
      const timer = setTimeout(go, opensAfterMs)
      this.#waiting.add(go)
    })
  })

  giveBack(): void {
    this.#lent--
    const [next] = this.#waiting
    next?.()
  }

  #lend(): void {
    this.#lent++
    this.#open()
    this.#most = Math.max(this.#most, this.#lent)
  }

  #open(): number {
    const now = performance.now()
    if (now >= this.#periodEndsAt) {
      // One less, so that workers that look for jobs at the same moment don't keep sessions open that none of them needs.
      this.#mostBefore =
        now >= this.#periodEndsAt + this.#keptMs ? this.#lent : Math.max(this.#lent, this.#most - 1)
      this.#most = this.#lent
      this.#periodEndsAt = now + this.#keptMs
    }
    return Math.max(this.#most, this.#mostBefore)
  }
}
