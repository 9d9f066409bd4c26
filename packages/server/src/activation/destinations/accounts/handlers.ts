// Maps requests and responses to the Accounts service; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../../access/caller.ts"
import { footfall } from "../../../platform/http/contract.ts"
import { hintIfEmpty } from "../../../platform/http/lists.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound, refuse } from "../../../platform/http/errors.ts"
import { urlRefused } from "../../../platform/outbound/url-refused.ts"
import type { AppSlug, ListUse } from "../connectors/connectors.ts"
import { accountOf } from "../destination-wire.ts"
import {
  type AccountInUse,
  Accounts,
  type AccountUnhealthy,
  type BaseUrlRefused,
  type CredentialsInvalid,
  type ProviderError,
  type TooManyAccounts,
} from "./accounts.ts"
import { integrations } from "./account.ts"
import { Certification, type TrialRefused } from "./certification.ts"
import { IntegrationsApi } from "./api.ts"

// The error for an account that can't be used (spec 5.10, 5.11, 9).

export const accountUnhealthyRefused = ({ status }: AccountUnhealthy) =>
  refuse({
    code: "ACCOUNT_UNHEALTHY",
    message: `The connected account is ${status}. Check it, or connect it again.`,
    details: { status },
  })

const providerErrorRefused = ({ status }: ProviderError) =>
  refuse({
    code: "PROVIDER_ERROR",
    message:
      status === null
        ? "The provider did not respond."
        : `The provider responded with status ${status} or with an unreadable body.`,
    details: { status },
  })

export const integrationUnavailableRefused = refuse({
  code: "INTEGRATION_UNAVAILABLE",
  message:
    "No base URL for the provider. Send credentials.baseUrl, or set MAILER_BASE_URL on the server.",
})

export const IntegrationsHandlers = HttpApiBuilder.group(
  footfall.add(IntegrationsApi),
  "integrations",
  Effect.fn(function* (handlers) {
    const accounts = yield* Accounts
    const certification = yield* Certification

    return handlers.handleAll({
      list: () => success({ integrations }),
      lists: (request) => listed(accounts, request, "write"),
      readableLists: (request) => listed(accounts, request, "read"),
      accounts: Effect.fnUntraced(function* () {
        const { organizationId } = yield* Caller
        const rows = yield* accounts.list(organizationId)
        return yield* success({ accounts: rows.map(accountOf) }, hintIfEmpty(rows, "accounts"))
      }),
      connect: Effect.fnUntraced(
        function* ({ payload }) {
          const account = yield* accounts.connect(yield* Caller, payload)
          return yield* success({ account: accountOf(account) })
        },
        Effect.catchTags({
          BaseUrlRefused: baseUrlRefused,
          CredentialsInvalid: credentialsInvalid,
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
      certify: Effect.fnUntraced(
        function* ({ params, payload }) {
          const certificate = yield* certification.certify(yield* Caller, params.id, payload ?? {})
          return yield* success({ certificate })
        },
        Effect.catchTags({
          AccountNotFound: () => notFound,
          AccountUnhealthy: accountUnhealthyRefused,
          IntegrationUnavailable: () => integrationUnavailableRefused,
          ProviderError: providerErrorRefused,
          TrialRefused: trialRefused,
        }),
      ),
      disconnect: Effect.fnUntraced(
        function* ({ params }) {
          yield* accounts.remove(yield* Caller, params.id)
          return yield* success({ deleted: true as const })
        },
        Effect.catchTags({ AccountInUse: accountInUse, AccountNotFound: () => notFound }),
      ),
    })
  }),
)

const listed = Effect.fnUntraced(
  function* (
    accounts: Accounts["Service"],
    {
      params,
      query,
    }: {
      readonly params: { readonly appSlug: AppSlug }
      readonly query: { readonly connectedAccountId: string }
    },
    use: ListUse,
  ) {
    const { organizationId } = yield* Caller
    const { connectedAccountId: accountId } = query
    return yield* success({
      lists: yield* accounts.lists(organizationId, { ...params, accountId, use }),
    })
  },
  Effect.catchTags({
    AccountNotFound: () => notFound,
    AccountUnhealthy: accountUnhealthyRefused,
    IntegrationUnavailable: () => integrationUnavailableRefused,
    ProviderError: providerErrorRefused,
  }),
)

const baseUrlRefused = ({ reason }: BaseUrlRefused) =>
  urlRefused(reason, "/body/credentials/baseUrl")

const credentialsInvalid = ({ issues }: CredentialsInvalid) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: `Invalid request: ${issues[0]!.path} ${issues[0]!.message}`, // there is at least one
    details: { issues: [...issues] },
  })

const credentialsNotAccepted = refuse({
  code: "VALIDATION_ERROR",
  message: "The provider rejected these credentials.",
  details: {
    issues: [
      {
        path: "/body/credentials/apiKey",
        code: "format",
        message: "Expected an API key that the provider accepts.",
      },
    ],
  },
})

const trialReasons = {
  unsupported: "This interface reads no one, so no contact can be looked at.",
  list_required: "The service's API makes no list. Make an empty one there, and name it.",
  list_not_found: "The account has no list with this id that contacts can be written to.",
  not_empty: "Expected an empty list, received one with contacts.",
} as const satisfies Record<TrialRefused["reason"], string>

const trialRefused = ({ reason }: TrialRefused) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: `Invalid request: /body/listId ${trialReasons[reason]}`,
    details: {
      issues: [
        {
          path: "/body/listId",
          code: reason === "list_required" ? "required" : "format",
          message: trialReasons[reason],
        },
      ],
    },
  })

const accountInUse = ({ sources }: AccountInUse) =>
  refuse({
    code: "ACCOUNT_IN_USE",
    message: `Suppression sources read this account: ${sources
      .map(({ name }) => `“${name}”`)
      .join(", ")}. Delete them first, or have them read another account.`,
    details: { suppressionSourceIds: sources.map(({ id }) => id) },
  })

const tooManyAccounts = ({ limit }: TooManyAccounts) =>
  refuse({
    code: "CONFLICT",
    message: `This organization already has ${limit} connected accounts. Remove one first.`,
    details: { limit },
  })
