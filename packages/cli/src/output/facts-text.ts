// One thing for people as labels and values, where it needs no view of its own.

import type { Fact } from "../screens/Facts.tsx"
import type { PeopleText } from "./print-result.ts"

/** The facts in their order; what is null has no line. */
export const factsText =
  (facts: ReadonlyArray<Fact>): PeopleText =>
  async (columns) => {
    const [{ drawn }, { Facts }] = await Promise.all([
      import("../screens/drawn.ts"),
      import("../screens/Facts.tsx"),
    ])
    return drawn(Facts, { facts }, columns)
  }
