// What a change makes of a pixel (spec 2.3, 2.4, 4.6): a pure function from one to the other,
// or the reason why not. A request pauses a pixel for good, also one that is paused with its
// organization already; that one is resumed with its organization and by nothing else.
import { Result, Schema } from "effect"
import type { PixelChange } from "./pixel.ts"
import { changeSettings } from "./settings.ts"
import type { PixelRow } from "./store.ts"

/** Excluded and included paths would both be set. */
export class PathListsExclusive extends Schema.TaggedError<PathListsExclusive>()(
  "PathListsExclusive",
  { field: Schema.Literals(["excludedPaths", "includedPaths"]) },
) {}
/** A request cannot resume what is paused while its organization is not active. */
export class PausedWithOrganization extends Schema.TaggedError<PausedWithOrganization>()(
  "PausedWithOrganization",
  {},
) {}

/** The pixel afterwards. */
export const changedPixel = (
  pixel: PixelRow,
  change: PixelChange,
): Result.Result<PixelRow, PathListsExclusive | PausedWithOrganization> => {
  const excludedPaths = listAfter(pixel.excludedPaths, change.excludedPaths)
  const includedPaths = listAfter(pixel.includedPaths, change.includedPaths)
  if (excludedPaths !== null && includedPaths !== null) {
    const field = change.includedPaths === undefined ? "excludedPaths" : "includedPaths"
    return Result.fail(new PathListsExclusive({ field }))
  }
  if (change.status === "active" && pixel.pausedReason === "organization_inactive") {
    return Result.fail(new PausedWithOrganization())
  }
  return Result.succeed({
    ...pixel,
    name: change.name ?? pixel.name,
    status: change.status ?? pixel.status,
    pausedReason: reasonAfter(pixel, change),
    excludedPaths,
    includedPaths,
    settings: changeSettings(pixel.settings, change.settings ?? {}),
  })
}

/** An empty list says nothing, as none does. */
const listAfter = (
  stored: ReadonlyArray<string> | null,
  sent: ReadonlyArray<string> | null | undefined,
): ReadonlyArray<string> | null => {
  if (sent === undefined) return stored
  return sent === null || sent.length === 0 ? null : sent
}

const reasonAfter = (pixel: PixelRow, { status }: PixelChange): PixelRow["pausedReason"] => {
  if (status === undefined) return pixel.pausedReason
  return status === "paused" ? "manual" : null
}
