// Audiences on the command line.

import { uuid } from "../uuid.ts"

/** A parser of the ids of audiences. Errors: InvalidArgumentError. */
export const audienceId = uuid("an audience", "footfall audiences list")
