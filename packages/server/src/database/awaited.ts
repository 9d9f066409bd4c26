// An effect for which no one waits longer than a deadline, whether or not it can be interrupted where it is asked
// for: it runs in a fiber of its own, and when the time is over the one who waits fails and the fiber is asked to
// end, which it does by itself. The time is that of the machine, because a network does not follow the clock of a test.
import { Effect, Fiber } from "effect"

/** A stalled process reads the answers that came meanwhile before it says there are none. */
const readingMs = 250

export class Deadline<E> {
  readonly #expire: (error: E) => void
  #timer: NodeJS.Timeout | undefined

  constructor(expire: (error: E) => void) {
    this.#expire = expire
  }

  /** From now on; a later call takes the place of this one. Infinity: none. */
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

/** `endsFirst`: who is interrupted waits until the effect has ended. Not so at a deadline. */
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
