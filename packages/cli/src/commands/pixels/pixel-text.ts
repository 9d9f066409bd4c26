// One pixel for people, after it was made or asked for.

import type { PixelWithCode } from "@footfall/sdk"
import type { PeopleText } from "../../output/print-result.ts"
import type { Terminal } from "../../terminal/terminal.ts"

/** Lines are not broken to the width of the screen, because a tag is copied. */
const COLUMNS_UNBROKEN = 1_000

/** The view of a pixel. */
export const pixelText =
  (terminal: Terminal, pixel: PixelWithCode): PeopleText =>
  async () => {
    const [{ drawn }, { PixelView }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/PixelView.tsx"),
    ])
    return drawn(PixelView, { pixel, now: terminal.now }, COLUMNS_UNBROKEN)
  }
