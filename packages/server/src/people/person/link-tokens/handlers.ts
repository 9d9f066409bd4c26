// Creates link tokens. Nothing is stored: a token contains all its data, and a repeated request creates the same
// tokens (spec 1.7).
import { DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { createHash } from "node:crypto"
import { footfall } from "../../../platform/http/contract.ts"
import { Caller } from "../../../access/caller.ts"
import { seedOfAnswer } from "../../../access/repeats/repeats.ts"
import { success } from "../../../platform/http/envelope.ts"
import { Secrets } from "../../../platform/secrets/secrets.ts"
import { emailHashOf, normalizeEmail } from "../../../collect/visits/email-address.ts"
import { makeLinkToken, nonceBytes } from "../../../collect/visits/link-token.ts"
import { LinkTokensApi, expiryDefault } from "./api.ts"

export const LinkTokensHandlers = HttpApiBuilder.group(
  footfall.add(LinkTokensApi),
  "linkTokens",
  Effect.fn(function* (handlers) {
    // There is one key per value of the secret. The first one signs.
    const key = (yield* Secrets).keys("link-token")[0]!
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* Caller
        const days = payload.expiresInDays ?? expiryDefault
        const { nowMs, random } = yield* seedOfAnswer
        // Tokens expire at whole seconds.
        const now = DateTime.startOf(DateTime.makeUnsafe(nowMs), "second")
        const end = DateTime.add(now, { days })
        const expiresAt = end.epochMilliseconds / 1_000
        const tokens = payload.people.map((person, place) => {
          const emailHash = hashOf(person)
          const nonce = nonceOf(random, place)
          const token = makeLinkToken({ organizationId, emailHash, expiresAt }, key, nonce)
          return { emailHash, token }
        })
        return yield* success({ tokens, expiresAt: DateTime.formatIso(end) })
      }),
    })
  }),
)

/** As random as the seed, and different for each person of a request. */
const nonceOf = (random: string, place: number): Buffer =>
  createHash("sha256").update(`${random} ${place}`).digest().subarray(0, nonceBytes)

const hashOf = (person: { readonly email: string } | { readonly emailHash: string }): string =>
  // The schema admits only valid addresses.
  "email" in person
    ? emailHashOf(normalizeEmail(person.email)!)
    : person.emailHash.trim().toLowerCase()
