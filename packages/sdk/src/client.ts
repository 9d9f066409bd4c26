// The client: one connection policy, one resource per word of the API. It prints without its
// credentials, and nothing is sent or loaded before the first call.

import { Transport } from "./core/transport.ts"
import { resolveOptions, type FootfallOptions } from "./options.ts"
import { Pixels } from "./resources/pixels.ts"
import { Visitors } from "./resources/visitors.ts"

/** A client of one Footfall server. Make one and share it; it holds no state between calls. */
export class Footfall {
  /** Address of the server, without a trailing slash. */
  readonly baseUrl: string
  readonly visitors: Visitors
  readonly pixels: Pixels

  /** Errors: ConfigurationError for a key, address or bound that cannot be right. */
  constructor(options: FootfallOptions = {}) {
    // A browser has no process; it gets the refusal of keys, not a ReferenceError.
    const settings = resolveOptions(options, globalThis.process?.env ?? {})
    const transport = new Transport(settings)
    this.baseUrl = settings.baseUrl
    this.visitors = new Visitors(transport)
    this.pixels = new Pixels(transport)
  }
}
