// Segments on the command line.

import { uuid } from "../uuid.ts"

/** A parser of the ids of segments. Errors: InvalidArgumentError. */
export const segmentId = uuid("a segment", "footfall segments list")
