// Where a user id was used in the last 7 days, and when that shows that strangers share it: an id that is the same for
// all visitors, like an app's version or a team's account, would make one person of all of them (spec 15.2.12).
import { createHash } from "node:crypto"

/** A browser or an address as a number that leads back to neither, and when it was seen, in epoch milliseconds. */
type Sighting = readonly [what: number, at: number]

export interface Use {
  readonly browsers: ReadonlyArray<Sighting>
  readonly addresses: ReadonlyArray<Sighting>
}

export const browsersMax = 20
export const addressesMax = 3
const dayMs = 86_400_000
const windowMs = 7 * dayMs

export const isShared = ({ addresses, browsers }: Use): boolean =>
  browsers.length > browsersMax && addresses.length > addressesMax

/** Returns the same object if nothing changes that matters. */
export const withUse = (
  use: Use,
  userId: string,
  seen: { readonly browser?: string | undefined; readonly address?: string | undefined },
  at: number,
): Use => {
  const browsers = withSighting(use.browsers, userId, seen.browser, at, browsersMax)
  const addresses = withSighting(use.addresses, userId, seen.address, at, addressesMax)
  return browsers === use.browsers && addresses === use.addresses ? use : { browsers, addresses }
}

/** The newest of them in the 7 days before the newest, one more than `max` at most. */
const withSighting = (
  sightings: ReadonlyArray<Sighting>,
  userId: string,
  text: string | undefined,
  at: number,
  max: number,
): ReadonlyArray<Sighting> => {
  if (text === undefined) return sightings
  const what = createHash("sha256").update(`${userId} ${text}`).digest().readUInt32BE()
  const known = sightings.find(([other]) => other === what)
  // A day's precision saves a write for nearly every event.
  if (known !== undefined && at < known[1] + dayMs) return sightings
  const all = [...sightings.filter((one) => one !== known), [what, at] as const]
    .toSorted(([, one], [, other]) => one - other)
    .slice(-max - 1)
  const newest = all.at(-1)![1]
  return all.filter(([, seenAt]) => seenAt > newest - windowMs)
}
