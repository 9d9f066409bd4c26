import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { changedPixel } from "./pixel-changes.ts"

type Pixel = Parameters<typeof changedPixel>[0]

const stored = (paths: Partial<Pick<Pixel, "excludedPaths" | "includedPaths">>) =>
  ({
    name: "Site",
    status: "active",
    pausedReason: null,
    settings: {},
    excludedPaths: null,
    includedPaths: null,
    ...paths,
  }) as Pixel

describe("the path lists of a pixel", () => {
  it("an empty list equals no list, so the other one can be set", () => {
    const pixel = stored({ excludedPaths: ["/app"] })
    const changed = changedPixel(pixel, { excludedPaths: [], includedPaths: ["/blog"] })

    expect(Result.getOrThrow(changed)).toMatchObject({
      excludedPaths: null,
      includedPaths: ["/blog"],
    })
  })

  it("cannot both be set, whichever was set first", () => {
    const changed = changedPixel(stored({ excludedPaths: ["/app"] }), { includedPaths: ["/blog"] })

    expect(Result.isFailure(changed) && changed.failure).toMatchObject({ field: "includedPaths" })
  })
})
