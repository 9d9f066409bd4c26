/**
 * What a page can ask one pixel to do (spec 6.7).
 *
 * A command may throw on a wrong argument; `api.ts` stands between it and the page.
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

/** A command takes what the page passes and trusts none of it. */
export type Command = (first?: unknown, second?: unknown) => unknown

export interface Commands {
  readonly [name: string]: Command
}

export const commands: Commands = {
  page: recordPage,
  identify,
  // The server trims the name, and takes no event without one.
  track: (name, props) =>
    record("track", { name: clip(name, NAME_LENGTH_MAX), props: pickScalars(props) }),
  consent: giveConsent,
  optOut: () => decide("out"),
  optIn: () => {
    if (choice === "out") decide("")
  },
  reset: () => {
    // What happened before belongs to the old id.
    flush()
    if (visitorId) take(newUuid())
  },
  // A task of its own, so that an error in it is the page's, reported as such.
  ready: (callback) => setTimeout(callback as () => void),
  getVisitorId: () => visitorId,
}
