/**
 * The wall between this script and the page: what goes wrong inside a guarded function ends there,
 * and is logged with `console.debug` if the tag has `data-debug` (spec 6.1, Failure). What goes
 * wrong while the script starts, the build catches around all of it.
 */
import { isDebug } from "./tag.ts"

export const guard =
  <First, Second, Result>(run: (first: First, second: Second) => Result) =>
  (first?: First, second?: Second): Result | undefined => {
    try {
      // A guarded function is called by the page or the browser; what they leave out is undefined.
      return run(first as First, second as Second)
    } catch (reason) {
      if (isDebug) console.debug("footfall:", reason)
    }
  }

/** Heard on the way down, before the page does, which may stop an event. */
export const on = <Heard extends Event>(type: string, run: (event: Heard) => unknown): void =>
  // A listener is given the event of its type.
  addEventListener(type, guard(run) as (event: Event) => void, true)
