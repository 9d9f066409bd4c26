// Maps requests and responses to the Passwords service, and counts attempts. The current password could be guessed here
// too, so failures count per user. Resets count per account address, existing or not: many requests from one place are
// stopped, and many places together can't fill anyone's inbox.
import { Effect, Option, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../../platform/http/contract.ts"
import { success } from "../../../platform/http/envelope.ts"
import { refuse } from "../../../platform/http/errors.ts"
import { addressSubject, RateLimits } from "../../../platform/http/rate-limit.ts"
import { RequestContext } from "../../../platform/http/request-context.ts"
import { DataKeys } from "../../../platform/secrets/data-keys.ts"
import { Caller } from "../../caller.ts"
import { busy } from "../handlers.ts"
import { makeSessionCookie } from "../auth-cookie.ts"
import { PasswordsApi } from "./api.ts"
import { Passwords } from "./passwords.ts"
import { typedEmail } from "../../user-email.ts"

/** Wrong current passwords per user. */
const perUser = { name: "auth-password", limit: 5 }
/** Mails to one account, requested by one address and by all addresses together. */
const resetsHere = { name: "auth-reset", limit: 3, windowSeconds: 900 }
const resetsEverywhere = { name: "auth-reset-everywhere", limit: 10, windowSeconds: 3600 }

export const PasswordsHandlers = HttpApiBuilder.group(
  footfall.add(PasswordsApi),
  "passwords",
  Effect.fn(function* (handlers) {
    const passwords = yield* Passwords
    const limits = yield* RateLimits
    const dataKeys = yield* DataKeys
    const cookie = yield* makeSessionCookie
    const here = Effect.map(RequestContext, ({ clientAddress }) =>
      addressSubject(dataKeys, clientAddress),
    )

    return handlers.handleAll({
      change: Effect.fnUntraced(function* ({ payload }) {
        const { actor } = yield* Caller
        const held = Option.getOrUndefined(yield* cookie.read)
        const refreshToken =
          payload.refreshToken === undefined ? held : Redacted.make(payload.refreshToken)
        yield* limits.count(perUser, actor.id)
        const takeBack = limits.giveBack(perUser, actor.id)
        yield* passwords
          .change({
            userId: actor.id,
            current: Redacted.make(payload.currentPassword),
            next: Redacted.make(payload.newPassword),
            refreshToken,
            addressHash: yield* here,
          })
          .pipe(
            Effect.catchTags({
              PasswordWrong: () => wrongPassword,
              SignInBusy: () => Effect.andThen(takeBack, busy),
            }),
          )
        yield* takeBack
        return yield* success({ changed: true as const })
      }),

      requestReset: Effect.fnUntraced(function* ({ payload }) {
        if (!passwords.isMailConfigured) return yield* noMail
        const email = typedEmail(payload.email)
        const account = dataKeys.sign("account", email).toString("base64url")
        yield* limits.count(resetsHere, `${account}.${yield* here}`)
        yield* limits.count(resetsEverywhere, account)
        yield* passwords.requestReset(email)
        return yield* success({ requested: true as const })
      }),

      reset: Effect.fnUntraced(function* ({ payload }) {
        const { invitationsSent } = yield* passwords
          .reset({
            token: Redacted.make(payload.token),
            password: Redacted.make(payload.newPassword),
            addressHash: yield* here,
          })
          .pipe(
            Effect.catchTags({
              ResetRefused: () =>
                refuse({
                  code: "AUTHENTICATION_ERROR",
                  message: "This link is invalid, expired or already used. Request a new one.",
                }),
              SignInBusy: () => busy,
            }),
          )
        return yield* success({ changed: true as const, invitationsSent })
      }),
    })
  }),
)

const wrongPassword = refuse({
  code: "VALIDATION_ERROR",
  message: "The current password is incorrect.",
  details: { reason: "wrong_password" },
})

const noMail = refuse({
  code: "FORBIDDEN",
  message:
    "This server does not send email. Ask its operator to run: footfall-server members reset <email>",
  details: { reason: "mail_not_configured" },
})
