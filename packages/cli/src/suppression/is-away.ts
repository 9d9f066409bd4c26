// Whether it was the server or the network that went away: what was begun can be gone on with later.

import { AbortedError, ApiError, ConnectionError, TimeoutError } from "@footfall/sdk"

/** A refusal that has to do with the request is none of these. */
export const isAway = (error: unknown): error is Error =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  error instanceof AbortedError ||
  (error instanceof ApiError && (error.status >= 500 || [408, 429].includes(error.status)))
