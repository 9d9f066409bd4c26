// A client that cannot work as it was set up. Thrown before anything is sent.

import { FootfallError } from "./footfall-error.ts"

/** An option or environment variable that is missing or cannot be right. */
export class ConfigurationError extends FootfallError {
  static {
    this.prototype.name = "ConfigurationError"
  }

  /** `CREDENTIALS_MISSING`: the call needs a credential the client does not have. */
  readonly code: "CONFIGURATION_INVALID" | "CREDENTIALS_MISSING"

  constructor(message: string, code: ConfigurationError["code"] = "CONFIGURATION_INVALID") {
    super(message)
    this.code = code
  }
}
