/** The last page view that was recorded: with the first one the visit has begun. */
import type { PixelEvent } from "./event.ts"

export let lastPage: PixelEvent | 0 | undefined

/** `0`: the page is to be recorded anew. */
export const setLastPage = (event: PixelEvent | 0): void => {
  lastPage = event
}
