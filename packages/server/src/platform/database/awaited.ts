// Limits how long a caller waits for an effect, even for one that can't be interrupted. The effect runs in its own
// fiber. At the deadline the caller fails, and the fiber is interrupted in the background. Uses the system clock,
// because a network does not follow a test clock.
import { Effect, Fiber } from "effect"

/** After a stall, lets the process read responses that arrived in the meantime before it reports a timeout. */
const readingMs = 250

export class Deadline<E> {
  readonly #expire: (error: E) => void
  #timer: NodeJS.Timeout | undefined

  constructor(expire: (error: E) => void) {
    this.#expire = expire
  }

  /** Starts now; a later call replaces this one. Infinity means no limit. */
  set(ms: number, error: () => E): void {
    this.clear()
    if (ms === Number.POSITIVE_INFINITY) return
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(() => this.#expire(error()), readingMs)
    }, ms)
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}

/** `endsFirst`: an interrupted caller waits until the effect has ended, but not at a deadline. */
export const awaited = <A, E, R = never>(
  make: (deadline: Deadline<E>) => Effect.Effect<A, E, R>,
  {
    endsFirst = false,
    onFiber,
  }: {
    readonly endsFirst?: boolean
    readonly onFiber?: (fiber: Fiber.Fiber<A, E>) => void
  } = {},
): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Effect.callback<A, E>((resume) => {
      const deadline = new Deadline<E>((error) => {
        resume(Effect.fail(error))
        fiber.interruptUnsafe()
      })
      const fiber = Effect.runForkWith(context)(Effect.suspend(() => make(deadline)))
      onFiber?.(fiber)
      fiber.addObserver((exit) => {
        deadline.clear()
        resume(exit)
      })
      return Effect.suspend(() => {
        deadline.clear()
        if (endsFirst) return Fiber.interrupt(fiber)
        fiber.interruptUnsafe()
        return Effect.void
      })
    }),
  )
