// Limits how long callers wait for an effect, even if it can't be interrupted: it runs in its own fiber, and at the
// deadline the caller fails and the fiber is asked to stop, which it does on its own. Uses the machine's time, because
// a network does not follow a test's clock.
import { Effect, Fiber } from "effect"

/** A stalled process reads responses that arrived meanwhile before it reports a timeout. */
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
