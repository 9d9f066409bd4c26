// Translates between the wire and the Accounts service; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../http/contract.ts"
import { Caller } from "../../access/caller.ts"
import { success } from "../../http/envelope.ts"
import { notFound, refuse } from "../../http/errors.ts"
import {
  accountUnhealthyRefused,
  integrationUnavailableRefused,
  providerErrorRefused,
} from "../account-refusals.ts"
import { urlRefused } from "../../outbound/url-refused.ts"
import { accountOf } from "./account-of.ts"
import { Accounts, type BaseUrlRefused, type TooManyAccounts } from "./accounts.ts"
import { IntegrationsApi } from "./api.ts"

export const IntegrationsHandlers = HttpApiBuilder.group(
  footfall.add(IntegrationsApi),
  "integrations",
  Effect.fn(function* (handlers) {
    const accounts = yield* Accounts

    return handlers.handleAll({
      lists: Effect.fnUntraced(
        function* ({ query }) {
          const { organizationId } = yield* Caller
          return yield* success({
            lists: yield* accounts.lists(organizationId, query.connectedAccountId),
          })
        },
        Effect.catchTags({
          AccountNotFound: () => notFound,
          AccountUnhealthy: accountUnhealthyRefused,
          IntegrationUnavailable: () => integrationUnavailableRefused,
          ProviderError: providerErrorRefused,
        }),
      ),
      accounts: Effect.fnUntraced(function* () {
        const { organizationId } = yield* Caller
        const rows = yield* accounts.list(organizationId)
        return yield* success({ accounts: rows.map(accountOf) })
      }),
      connect: Effect.fnUntraced(
        function* ({ payload }) {
          const account = yield* accounts.connect(yield* Caller, payload)
          return yield* success({ account: accountOf(account) })
        },
        Effect.catchTags({
          BaseUrlRefused: baseUrlRefused,
          CredentialsNotAccepted: () => credentialsNotAccepted,
          IntegrationUnavailable: () => integrationUnavailableRefused,
          ProviderError: providerErrorRefused,
          TooManyAccounts: tooManyAccounts,
        }),
      ),
      check: Effect.fnUntraced(
        function* ({ params }) {
          const account = yield* accounts.check(yield* Caller, params.id)
          return yield* success({ account: accountOf(account) })
        },
        Effect.catchTags({
          AccountNotFound: () => notFound,
          IntegrationUnavailable: () => integrationUnavailableRefused,
        }),
      ),
      disconnect: Effect.fnUntraced(
        function* ({ params }) {
          yield* accounts.remove(yield* Caller, params.id)
          return yield* success({ deleted: true as const })
        },
        Effect.catchTag("AccountNotFound", () => notFound),
      ),
    })
  }),
)

const baseUrlRefused = ({ reason }: BaseUrlRefused) =>
  urlRefused(reason, "/body/credentials/baseUrl")

const credentialsNotAccepted = refuse({
  code: "VALIDATION_ERROR",
  message: "The provider refuses these credentials.",
  details: {
    issues: [
      {
        path: "/body/credentials/apiKey",
        code: "format",
        message: "Expected a key that the provider accepts.",
      },
    ],
  },
})

const tooManyAccounts = ({ limit }: TooManyAccounts) =>
  refuse({
    code: "CONFLICT",
    message: `Expected less than ${limit} connected accounts; remove one first.`,
    details: { limit },
  })
