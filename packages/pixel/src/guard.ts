/**
 * Shields the page from errors in this script. A guarded function catches its errors and logs them with `console.debug`
 * if the tag has `data-debug` (spec 6.1, Failure). For errors during startup, the build wraps the whole script in a
 * catch.
 */
import { isDebug } from "./tag.ts"

export const guard =
  <First, Second, Result>(run: (first: First, second: Second) => Result) =>
  (first?: First, second?: Second): Result | undefined => {
    try {
      // The page or the browser calls guarded functions. Arguments they leave out are undefined.
      return run(first as First, second as Second)
    } catch (reason) {
      if (isDebug) console.debug("footfall:", reason)
    }
  }

/** Listens in the capture phase, before the page can stop the event. */
export const on = <Handled extends Event>(type: string, run: (event: Handled) => unknown): void =>
  // A listener gets an event of its type.
  addEventListener(type, guard(run) as (event: Event) => void, true)
