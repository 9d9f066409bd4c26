/**
 * Commands that a page can run on one pixel (spec 6.7).
 *
 * A command may throw on a wrong argument. `api.ts` catches that before it reaches the page.
 */
import { decide, giveConsent } from "./consent.ts"
import { identify } from "./identity.ts"
import { NAME_LENGTH_MAX } from "./limits.ts"
import { recordPage } from "./page-views.ts"
import { flush, record } from "./queue.ts"
import { pickScalars } from "./scalars.ts"
import { clip } from "./text.ts"
import { newUuid } from "./uuid.ts"
import { choice, take, visitorId } from "./visitor.ts"

/** Arguments come from the page and can be anything. */
export type Command = (first?: unknown, second?: unknown) => unknown

export interface Commands {
  readonly [name: string]: Command
}

export const commands: Commands = {
  page: recordPage,
  identify,
  // The server trims the name and rejects an event without one.
  track: (name, props) =>
    record("track", { name: clip(name, NAME_LENGTH_MAX), props: pickScalars(props) }),
  consent: giveConsent,
  optOut: () => decide("out"),
  optIn: () => choice === "out" && decide(""),
  reset: () => {
    // Earlier events belong to the old id.
    flush()
    if (visitorId) take(newUuid())
  },
  getVisitorId: () => visitorId,
  // Runs in a task of its own, so that the browser reports its errors as the page's.
  ready: (callback) => setTimeout(callback as () => void),
}
