// Makes the tokens that a request asks for. Nothing is stored: a token holds all that it says.
import { DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../http/contract.ts"
import { Caller } from "../../access/caller.ts"
import { success } from "../../http/envelope.ts"
import { Secrets } from "../../secrets/secrets.ts"
import { emailHashOf, normalizeEmail } from "../../visits/email-address.ts"
import { makeLinkToken } from "../../visits/link-token.ts"
import { LinkTokensApi, expiryDefault } from "./api.ts"

export const LinkTokensHandlers = HttpApiBuilder.group(
  footfall.add(LinkTokensApi),
  "linkTokens",
  Effect.fn(function* (handlers) {
    // There is one for each value of the secret, and the first one signs.
    const key = (yield* Secrets).keys("link-token")[0]!
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* Caller
        const days = payload.expiresInDays ?? expiryDefault
        // A token counts seconds.
        const now = DateTime.startOf(yield* DateTime.now, "second")
        const end = DateTime.add(now, { days })
        const expiresAt = end.epochMilliseconds / 1_000
        const tokens = payload.people.map((person) => {
          const emailHash = hashOf(person)
          return { emailHash, token: makeLinkToken({ organizationId, emailHash, expiresAt }, key) }
        })
        return yield* success({ tokens, expiresAt: DateTime.formatIso(end) })
      }),
    })
  }),
)

const hashOf = (person: { readonly email: string } | { readonly emailHash: string }): string =>
  // The schema has let valid addresses through alone.
  "email" in person
    ? emailHashOf(normalizeEmail(person.email)!)
    : person.emailHash.trim().toLowerCase()
