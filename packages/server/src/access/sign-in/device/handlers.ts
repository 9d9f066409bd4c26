// Maps requests and responses to the DeviceLogins service, and counts attempts. User codes are short, so each user may
// try only a few unknown ones. A known terminal code is counted by itself, an unknown one by address.
import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../../platform/http/contract.ts"
import { success } from "../../../platform/http/envelope.ts"
import { refuse } from "../../../platform/http/errors.ts"
import { addressSubject, RateLimits } from "../../../platform/http/rate-limit.ts"
import { RequestContext } from "../../../platform/http/request-context.ts"
import { DataKeys } from "../../../platform/secrets/data-keys.ts"
import { AccessConfig } from "../../access-config.ts"
import { Caller } from "../../caller.ts"
import { perAddress } from "../api.ts"
import { tokensOf } from "../handlers.ts"
import { DeviceLoginsApi } from "./api.ts"
import { type DeviceLoginNotFound, DeviceLogins } from "./device-logins.ts"
import { deviceLoginSeconds, intervalSeconds } from "./store.ts"

/** Unknown codes per user. */
const perUser = { name: "auth-device-user", limit: 5 }
/** Polls per terminal; the requested pace makes 12. */
const perTerminal = { name: "auth-device", limit: 30 }

const messages = {
  authorization_pending: "The sign-in has not been approved in the console yet. Poll again.",
  slow_down: `Polling too fast. Wait at least ${intervalSeconds} seconds between requests, plus 5 seconds from now on.`,
  access_denied: "The sign-in was denied in the console.",
  expired_token: "The sign-in has expired, was already used or does not exist. Start another one.",
} as const

export const DeviceLoginsHandlers = HttpApiBuilder.group(
  footfall.add(DeviceLoginsApi),
  "deviceLogins",
  Effect.fn(function* (handlers) {
    const logins = yield* DeviceLogins
    const limits = yield* RateLimits
    const dataKeys = yield* DataKeys
    const { baseUrl, hasConsole } = yield* AccessConfig
    const verificationUri = `${baseUrl}/console/device`

    /** Counts an unknown code. */
    const guarded = Effect.fnUntraced(function* <A>(found: Effect.Effect<A, DeviceLoginNotFound>) {
      const { actor } = yield* Caller
      yield* limits.count(perUser, actor.id)
      const result = yield* Effect.catchTag(found, "DeviceLoginNotFound", () => unknownCode)
      yield* limits.giveBack(perUser, actor.id)
      return result
    })

    return handlers.handleAll({
      start: Effect.fnUntraced(function* ({ payload }) {
        if (!hasConsole) return yield* consoleOff
        const { clientAddress } = yield* RequestContext
        const { clientName } = payload
        const { deviceCode, userCode } = yield* logins.start({ clientName, clientAddress })
        return yield* success({
          deviceCode: Redacted.value(deviceCode),
          userCode,
          verificationUri,
          // Browsers send nothing after `#` to the server.
          verificationUriComplete: `${verificationUri}#${userCode}`,
          expiresIn: deviceLoginSeconds,
          interval: intervalSeconds,
        })
      }),

      token: Effect.fnUntraced(function* ({ payload }) {
        const deviceCode = Redacted.make(payload.deviceCode)
        if (yield* logins.isKnown(deviceCode)) {
          const subject = dataKeys.sign("account", `terminal ${payload.deviceCode}`)
          yield* limits.count(perTerminal, subject.toString("base64url"))
        } else {
          const { clientAddress } = yield* RequestContext
          yield* limits.count(perAddress, addressSubject(dataKeys, clientAddress))
        }
        return yield* tokensOf(
          yield* Effect.catchTag(logins.poll(deviceCode), "DeviceLoginRefused", ({ reason }) =>
            refuse({ code: "VALIDATION_ERROR", message: messages[reason], details: { reason } }),
          ),
        )
      }),

      get: Effect.fnUntraced(function* ({ query }) {
        return yield* success(yield* guarded(logins.find(query.userCode)))
      }),

      approve: Effect.fnUntraced(function* ({ payload }) {
        const { approve, userCode } = payload
        const state = approve ? "approved" : "denied"
        yield* guarded(logins.decide(userCode, state, yield* Caller))
        return yield* success({ approved: approve })
      }),
    })
  }),
)

const unknownCode = refuse({
  code: "NOT_FOUND",
  message: "No sign-in is waiting with this code. A code works once and expires after 10 minutes.",
})

const consoleOff = refuse({
  code: "FORBIDDEN",
  message:
    "This server has no console where you could approve the sign-in. Sign in with your email and password.",
  details: { reason: "console_off" },
})
