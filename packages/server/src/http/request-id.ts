// Request ids (spec 1.3).
import { randomName } from "./random-name.ts"

/** `req_` and 26 random characters of `0-9a-z`. */
export const makeRequestId = (): string => randomName("req_")
