// API keys on the command line.

import { uuid } from "../uuid.ts"

/** A parser of the ids of keys. Errors: InvalidArgumentError. */
export const keyId = uuid("a key", "footfall keys list")
