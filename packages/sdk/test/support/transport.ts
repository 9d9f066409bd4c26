// A transport like the client's, with the test's clock.

import type { ApiRequest } from "../../src/core/api-request.ts"
import type { Clock } from "../../src/core/clock.ts"
import { Transport } from "../../src/core/transport.ts"
import { resolveOptions, type FootfallOptions } from "../../src/options.ts"
import { apiKey } from "./credentials.ts"

export function testTransport(options: FootfallOptions, clock: Clock): Transport {
  return new Transport(resolveOptions({ apiKey, ...options }, {}), clock)
}

/** A call with a key, by default `GET /v1/data/pixels`. */
export function call(changes: Partial<ApiRequest> = {}): ApiRequest {
  return { method: "GET", path: "/v1/data/pixels", credentials: "apiKey", options: {}, ...changes }
}
