// Probes whether an account works and stores the result: the account's status, and that of destinations that can no
// longer use it (spec 4.3, 4.5). Concurrent probes each count as one.
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { every } from "../../../platform/jobs/every.ts"
import { makePartyTurns } from "../../../platform/jobs/fair-turns.ts"
import { DataKeys } from "../../../platform/secrets/data-keys.ts"
import { seal, type Sealing, unseal } from "../../../platform/secrets/sealing.ts"
import { type ConnectorError, ProviderRateLimited } from "../connectors/connector-error.ts"
import {
  type AppSlug,
  type Connection,
  Connectors,
  connectors,
  type ListUse,
  MailerBaseUrl,
} from "../connectors/connectors.ts"
import type { Connector } from "../connectors/connector.ts"
import { afterProbe, outcomeOf, type ProbeOutcome } from "./account.ts"
import { type AccountKey, type AccountRow, AccountsStore } from "./store.ts"

// How an account's credentials are sealed: encrypted and bound to the account (spec 1.2, rule 5).

const sealing = ({ accountId, organizationId }: AccountKey): Sealing => ({
  purpose: "account-credentials",
  owner: `${organizationId}.${accountId}`,
})

export interface SealedCredentials {
  readonly apiKey: Redacted.Redacted
  readonly username: string | null
}

/** The key, with the user's name in a line before it where the service has one. */
export const sealCredentials = (
  dataKeys: DataKeys["Service"],
  owner: AccountKey,
  { apiKey, username }: SealedCredentials,
): Uint8Array => {
  const key = Redacted.value(apiKey)
  return seal(dataKeys, sealing(owner), username === null ? key : `${username}\n${key}`)
}

/** Dies if they can't be decrypted, because they were encrypted with the same data keys. */
export const openCredentials = (
  dataKeys: DataKeys["Service"],
  owner: AccountKey,
  sealed: Uint8Array,
): Effect.Effect<SealedCredentials> =>
  unseal(dataKeys, sealing(owner), sealed).pipe(
    Effect.map((text) => {
      const end = text.lastIndexOf("\n")
      return {
        apiKey: Redacted.make(text.slice(end + 1)),
        username: end === -1 ? null : text.slice(0, end),
      }
    }),
    Effect.orDie,
  )

export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {}) {}

/** Neither the account nor the server has a base URL for the provider. */ // spec 2.17
export class IntegrationUnavailable extends Schema.TaggedError<IntegrationUnavailable>()(
  "IntegrationUnavailable",
  {},
) {}

/** An account's lists are in memory while they are read, so an organization may read only a few accounts at once. */
const listsTurns = {
  turns: Number.POSITIVE_INFINITY,
  turnsOfOne: 2,
  wait: "30 seconds",
  busy: () => new ProviderRateLimited({ retryAfterSeconds: null, isOurs: true }),
} as const

const wasAsked = (error: ConnectorError): boolean =>
  error._tag !== "ProviderRateLimited" || error.isOurs !== true

const make = Effect.gen(function* () {
  const reading = yield* makePartyTurns(listsTurns)
  const store = yield* AccountsStore
  const services = yield* Connectors
  const dataKeys = yield* DataKeys
  const baseUrlDefault = yield* MailerBaseUrl

  /** How to reach an account whose credentials are not stored yet. */
  const connectionTo = Effect.fnUntraced(function* (
    account: SealedCredentials & {
      readonly accountId: string
      readonly appSlug: AppSlug
      readonly baseUrl: string | null
    },
  ) {
    const { appSlug } = account
    const connector: Connector = connectors[appSlug]
    const own = connector.origin(Redacted.value(account.apiKey))
    // The interface of spec 2.17 has no origin of its own.
    const baseUrl = account.baseUrl ?? own ?? (appSlug === "mailer" ? baseUrlDefault : undefined)
    if (baseUrl === undefined) return yield* new IntegrationUnavailable()
    return { ...account, baseUrl } satisfies Connection
  })

  /** How to reach a stored account. Fails with IntegrationUnavailable without a base URL. */
  const connection = Effect.fnUntraced(function* (account: AccountRow) {
    const { appSlug, baseUrl, credentials, id: accountId, organizationId } = account
    // Only removed accounts have no credentials, and those are not found.
    const opened = yield* openCredentials(dataKeys, { organizationId, accountId }, credentials!)
    return yield* connectionTo({ accountId, appSlug, baseUrl, ...opened })
  })

  /** Records what a delivery's call revealed, like a probe's result. Refused credentials are probed instead. */
  const note = Effect.fn("AccountProbes.note")(function* (key: AccountKey, outcome: ProbeOutcome) {
    const noting = Effect.gen(function* () {
      const found = yield* store.findForChange(key)
      if (found === undefined) return yield* new AccountNotFound()
      const health = afterProbe(found, outcome)
      if (health.status === "disconnected" && found.status !== "disconnected") {
        yield* store.stopDestinations(key, ["active"], "The provider rejected the credentials.")
      }
      return yield* store.noteProbe(key, health)
    })
    return yield* store.transaction(noting)
  })

  /** Makes a call that reveals whether the account works, and records the result. */
  const noting = <A>(key: AccountKey, call: Effect.Effect<A, ConnectorError>) =>
    call.pipe(
      Effect.tapError((error) => (wasAsked(error) ? note(key, outcomeOf(error)) : Effect.void)),
      Effect.tap(() => note(key, "good")),
    )

  /**
   * Probes now, and returns the account afterwards and why the probe failed, if it did. During a provider's Retry-After
   * it sends nothing and leaves the account unchanged. Deliveries probe before they send, and again when credentials
   * were refused.
   */
  const probe = Effect.fn("AccountProbes.probe")(function* (key: AccountKey) {
    const found = yield* store.find(key)
    if (found === undefined) return yield* new AccountNotFound()
    const failure = yield* Effect.match(services.probe(yield* connection(found)), {
      onFailure: (error) => error,
      onSuccess: () => undefined,
    })
    if (failure !== undefined && !wasAsked(failure)) return { account: found, failure }
    const outcome = failure === undefined ? "good" : outcomeOf(failure)
    return { account: yield* note(key, outcome), failure }
  })

  return {
    connection,
    connectionTo,
    probe,
    note,

    /**
     * All mailing lists; counts as a probe, since it makes the same request. Two accounts of one organization are read
     * at a time; after 30 seconds without a turn it fails with ProviderRateLimited, which is not recorded.
     */
    lists: Effect.fn("AccountProbes.lists")(function* (
      account: AccountRow,
      use: ListUse = "write",
    ) {
      const { id: accountId, organizationId } = account
      const key = { organizationId, accountId }
      const read = noting(key, services.lists(yield* connection(account), use))
      return yield* reading.run(organizationId, read)
    }),
  }
})

export class AccountProbes extends Context.Service<AccountProbes, Effect.Success<typeof make>>()(
  "@footfall/server/destinations/AccountProbes",
) {
  static readonly layer = Layer.effect(AccountProbes, make)
}

// Probes every connected account every 15 minutes (spec 4.5). Safe with many processes: each takes due accounts from
// the table.

/** Maximum accounts per run, all probed at the same time. */
const accountsMax = 100
const atOnceMax = 5

export const AccountsWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* AccountsStore
    const probes = yield* AccountProbes

    /** An account that can't be probed does not affect the others. */
    const probed = (key: AccountKey) =>
      Effect.catchCause(Effect.asVoid(probes.probe(key)), (cause) =>
        Effect.logWarning("could not probe a connected account", cause),
      )
    const probeDue = Effect.gen(function* () {
      const due = yield* store.takeDue(accountsMax)
      yield* Effect.forEach(due, (key) => probed(key), {
        concurrency: atOnceMax,
        discard: true,
      })
    })
    yield* every("15 seconds", "could not probe connected accounts", probeDue)
  }),
)
