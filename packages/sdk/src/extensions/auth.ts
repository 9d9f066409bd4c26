// Auth: waiting until a user approves a sign-in on another device. spec 5.12

import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import { ApiError, BadRequestError } from "../errors/api-error.ts"
import { ConnectionError, TimeoutError } from "../errors/footfall-error.ts"
import { Auth as Calls, type DeviceLoginStarted, type Tokens } from "../resources/auth.ts"

/**
 * `footfall.auth`. Needs no credentials, except for `me`, `join`, `logout`, the calls about sessions,
 * `changePassword`, `getDeviceLogin` and `decideDeviceLogin`, which need an access token.
 */
export class Auth extends Calls {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /**
   * Waits until the user approves a device login. Tries again if the server cannot be reached. Errors: BadRequestError
   * if the login was denied (`access_denied`) or has expired (`expired_token`), AbortedError.
   */
  async waitForDeviceLogin(
    login: DeviceLoginStarted,
    options: RequestOptions = {},
  ): Promise<Tokens> {
    const untilMs = this.#transport.nowMs() + login.expiresIn * 1000
    let seconds = login.interval
    for (;;) {
      await this.#transport.sleep(seconds * 1000, "the device sign-in", options.signal)
      try {
        return await this.deviceTokens({ deviceCode: login.deviceCode }, options)
      } catch (error) {
        const reason = error instanceof BadRequestError ? error.deviceLoginReason : null
        const isPending = reason === "authorization_pending" || reason === "slow_down"
        if (!isPending && !(isTemporary(error) && this.#transport.nowMs() < untilMs)) throw error
        if (reason !== "authorization_pending") seconds += SLOW_DOWN_SECONDS
      }
    }
  }
}

/** Seconds to add to the polling interval each time the server responds `slow_down`. Source: RFC 8628, 3.5. */
const SLOW_DOWN_SECONDS = 5

/** The server is restarting, or the network is down. */
const isTemporary = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && (error.status === 429 || error.status >= 500))
