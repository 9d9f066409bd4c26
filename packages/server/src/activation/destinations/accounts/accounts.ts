// An organization's connected accounts: connected after a successful probe, checked on request, removed with their
// credentials (spec 4.5, 5.11). Each change is one transaction with its audit entry.
import { Context, Effect, Layer, Redacted, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Audit } from "../../../access/audit/audit.ts"
import type { Caller } from "../../../access/caller.ts"
import { randomName } from "../../../platform/http/random-name.ts"
import { DataKeys } from "../../../platform/secrets/data-keys.ts"
import { PrivateAddressesAllowed } from "../../../platform/outbound/outbound.ts"
import { readOutboundUrl } from "../../../platform/outbound/outbound-url.ts"
import { urlRefusedReasons } from "../../../platform/outbound/url-refused.ts"
import { type ConnectorError, providerStatus } from "../connectors/connector-error.ts"
import { type AppSlug, Connectors, connectors, type ListUse } from "../connectors/connectors.ts"
import { SourceStore } from "../../../people/suppression-sources/store.ts"
import {
  type AccountStatus,
  accountsPerOrganizationMax,
  credentialIssues,
  type NewAccount,
} from "./account.ts"
import { AccountNotFound, AccountProbes, sealCredentials } from "./probes.ts"
import { AccountsStore } from "./store.ts"

/** The provider answered the first probe with 401 or 403. */
export class CredentialsNotAccepted extends Schema.TaggedError<CredentialsNotAccepted>()(
  "CredentialsNotAccepted",
  {},
) {}

/** Credentials that the service doesn't have, or doesn't do without. */
export class CredentialsInvalid extends Schema.TaggedError<CredentialsInvalid>()(
  "CredentialsInvalid",
  {
    issues: Schema.Array(
      Schema.Struct({ path: Schema.String, code: Schema.String, message: Schema.String }),
    ),
  },
) {}

/** The base URL can't be used; `reason` says why. */
export class BaseUrlRefused extends Schema.TaggedError<BaseUrlRefused>()("BaseUrlRefused", {
  reason: Schema.Literals(urlRefusedReasons),
}) {}

/** `status`: of the provider's response, or null. */
export class ProviderError extends Schema.TaggedError<ProviderError>()("ProviderError", {
  status: Schema.NullOr(Schema.Int),
}) {}

export class TooManyAccounts extends Schema.TaggedError<TooManyAccounts>()("TooManyAccounts", {
  limit: Schema.Int,
}) {}

/** Suppression sources read the account. */
export class AccountInUse extends Schema.TaggedError<AccountInUse>()("AccountInUse", {
  sources: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String })),
}) {}

export class AccountUnhealthy extends Schema.TaggedError<AccountUnhealthy>()("AccountUnhealthy", {
  status: Schema.String,
}) {}

const make = Effect.gen(function* () {
  const store = yield* AccountsStore
  const suppressionSources = yield* SourceStore
  const probes = yield* AccountProbes
  const services = yield* Connectors
  const dataKeys = yield* DataKeys
  const audit = yield* Audit
  const random = yield* SecureRandom.SecureRandom
  const isPrivateAllowed = yield* PrivateAddressesAllowed

  const find = Effect.fn("Accounts.find")(function* (organizationId: string, accountId: string) {
    return (yield* store.find({ organizationId, accountId })) ?? (yield* new AccountNotFound())
  })

  /** Returns it without a trailing slash. */
  const checkedBaseUrl = Effect.fnUntraced(function* (text: string) {
    const read = readOutboundUrl(text, { isPlainAllowed: false, isPrivateAllowed })
    if (Result.isFailure(read)) return yield* new BaseUrlRefused({ reason: read.failure.reason })
    // The paths that are appended for the provider's API would become part of them.
    if (/[?#]/.test(text)) return yield* new BaseUrlRefused({ reason: "query" })
    return read.success.href.replace(/(?<!\/)\/+$/, "")
  })

  /** Stores the account only if the first probe succeeds. */
  const connect = Effect.fn("Accounts.connect")(function* (caller: Caller, account: NewAccount) {
    const { organizationId } = caller
    const { accountName = null, appSlug, credentials } = account
    const issues = credentialIssues(connectors[appSlug], credentials)
    if (issues.length > 0) return yield* new CredentialsInvalid({ issues })
    const apiKey = Redacted.make(credentials.apiKey)
    const { username = null } = credentials
    const baseUrl =
      credentials.baseUrl === undefined ? null : yield* checkedBaseUrl(credentials.baseUrl)
    const accountId = yield* random.uuidV4()
    const connection = yield* probes.connectionTo({ accountId, appSlug, baseUrl, apiKey, username })
    yield* Effect.mapError(services.probe(connection), (error) => notConnected(error, baseUrl))
    const insertion = Effect.gen(function* () {
      const total = yield* store.countForInsert(organizationId)
      if (total >= accountsPerOrganizationMax) {
        return yield* new TooManyAccounts({ limit: accountsPerOrganizationMax })
      }
      const row = yield* store.insert({
        organizationId,
        id: accountId,
        appSlug,
        automationAccountId: randomName("acct_"),
        accountName,
        baseUrl,
        credentials: sealCredentials(dataKeys, { organizationId, accountId }, { apiKey, username }),
      })
      yield* audit.record(caller, "connected_account.created", accountId)
      return row
    })
    return yield* store.transaction(insertion)
  })

  /** Probes now. A disconnected account can only recover this way. */
  const check = Effect.fn("Accounts.check")(function* (caller: Caller, accountId: string) {
    const { organizationId } = caller
    const before = yield* find(organizationId, accountId)
    const { account: after } = yield* probes.probe({ organizationId, accountId })
    if (after.status !== before.status) {
      yield* audit.record(caller, "connected_account.updated", accountId)
    }
    return after
  })

  /**
   * Destinations that use the account then need attention. Fails with AccountNotFound, also on the second call; with
   * AccountInUse while a suppression source reads it.
   */
  const remove = Effect.fn("Accounts.remove")(function* (caller: Caller, accountId: string) {
    const key = { organizationId: caller.organizationId, accountId }
    const removal = Effect.gen(function* () {
      if (!(yield* store.remove(key))) return yield* new AccountNotFound()
      // The row is locked now, so no source begins to read it.
      const sources = yield* suppressionSources.usingAccount(caller.organizationId, accountId)
      if (sources.length > 0) return yield* new AccountInUse({ sources })
      yield* store.stopDestinations(key, ["active", "paused"], "The account was removed.")
      yield* audit.record(caller, "connected_account.deleted", accountId)
    })
    yield* store.transaction(removal)
  })

  /** The lists of a healthy account of this service, in its order. */
  const lists = Effect.fn("Accounts.lists")(function* (
    organizationId: string,
    {
      accountId,
      appSlug,
      use,
    }: { readonly accountId: string; readonly appSlug: AppSlug; readonly use: ListUse },
  ) {
    const account = yield* find(organizationId, accountId)
    if (account.appSlug !== appSlug) return yield* new AccountNotFound()
    yield* refuseUnhealthy(account)
    return yield* probes.lists(account, use).pipe(
      Effect.catchTags({
        ContactRefused: providerError,
        CredentialsRefused: providerError,
        ListGone: providerError,
        ProviderFailed: providerError,
        ProviderRateLimited: providerError,
        ProviderUnreachable: providerError,
      }),
    )
  })

  return {
    /** Newest first. */
    list: store.list,
    find,
    connect,
    check,
    remove,
    lists,
  }
})

export class Accounts extends Context.Service<Accounts, Effect.Success<typeof make>>()(
  "@footfall/server/destinations/Accounts",
) {
  static readonly layer = Layer.effect(Accounts, make)
}

export const refuseUnhealthy = ({ status }: { readonly status: AccountStatus }) =>
  status === "healthy" ? Effect.void : new AccountUnhealthy({ status })

export const providerError = (error: ConnectorError) =>
  new ProviderError({ status: providerStatus(error) })

/** Why the account could not be connected. If the server's own base URL is at fault, the caller can't fix it. */
const notConnected = (error: ConnectorError, baseUrl: string | null) => {
  if (error._tag === "CredentialsRefused") return new CredentialsNotAccepted()
  if (error._tag === "ProviderUnreachable" && baseUrl !== null) {
    if (error.reason === "UrlNotAllowed") return new BaseUrlRefused({ reason: "address" })
    if (error.reason === "NameNotResolved") return new BaseUrlRefused({ reason: "not_resolvable" })
  }
  return providerError(error)
}
