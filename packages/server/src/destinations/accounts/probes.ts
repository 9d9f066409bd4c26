// Tells whether an account can be sent by, and keeps what it found: the status of the account, and of the
// destinations that can no longer send by it (spec 4.3, 4.5). Whoever probes at once with others
// adds one probe to the row.
import { Context, Effect, Layer, type Redacted, Schema } from "effect"
import { DataKeys } from "../../secrets/data-keys.ts"
import { Mailer, MailerBaseUrl, type MailerConnection } from "../mailer/mailer.ts"
import type { MailerError } from "../mailer/mailer-error.ts"
import type { MailingList } from "../mailer/mailing-list.ts"
import { openCredentials } from "./credentials.ts"
import { afterProbe, outcomeOf, type ProbeOutcome } from "./health.ts"
import { type AccountKey, type AccountRow, AccountsStore } from "./store.ts"

export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {}) {}

/** Neither the account nor the server says where the provider is. */ // spec 2.17
export class IntegrationUnavailable extends Schema.TaggedError<IntegrationUnavailable>()(
  "IntegrationUnavailable",
  {},
) {}

interface AccountProbesShape {
  /** How the account is reached. Fails with IntegrationUnavailable when no one says where. */
  connection(account: AccountRow): Effect.Effect<MailerConnection, IntegrationUnavailable>
  /** The same for credentials that are not stored. */
  connectionTo(account: {
    readonly accountId: string
    readonly baseUrl: string | null
    readonly apiKey: Redacted.Redacted
  }): Effect.Effect<MailerConnection, IntegrationUnavailable>
  /**
   * Probes now, and gives the account as it is after that. A delivery does it before it sends, and at
   * once when its credentials were refused.
   */
  probe(key: AccountKey): Effect.Effect<AccountRow, AccountNotFound | IntegrationUnavailable>
  /** All mailing lists; counts as a probe, since it asks the same. */
  lists(
    account: AccountRow,
  ): Effect.Effect<
    ReadonlyArray<MailingList>,
    MailerError | AccountNotFound | IntegrationUnavailable
  >
  /** Keeps what a call of a delivery has shown, as of a probe. Refused credentials are probed instead. */
  note(key: AccountKey, outcome: ProbeOutcome): Effect.Effect<AccountRow, AccountNotFound>
}

const make = Effect.gen(function* () {
  const store = yield* AccountsStore
  const mailer = yield* Mailer
  const dataKeys = yield* DataKeys
  const baseUrlDefault = yield* MailerBaseUrl

  const connectionTo = Effect.fnUntraced(function* (account: {
    readonly accountId: string
    readonly baseUrl: string | null
    readonly apiKey: Redacted.Redacted
  }) {
    const baseUrl = account.baseUrl ?? baseUrlDefault
    if (baseUrl === undefined) return yield* new IntegrationUnavailable()
    return { accountId: account.accountId, apiKey: account.apiKey, baseUrl }
  })

  const connection = Effect.fnUntraced(function* (account: AccountRow) {
    const { baseUrl, credentials, id: accountId, organizationId } = account
    // Only a removed account has none, and such a one is not found.
    const apiKey = yield* openCredentials(dataKeys, { organizationId, accountId }, credentials!)
    return yield* connectionTo({ accountId, baseUrl, apiKey })
  })

  const note = Effect.fn("AccountProbes.note")(function* (key: AccountKey, outcome: ProbeOutcome) {
    const noting = Effect.gen(function* () {
      const found = yield* store.findForChange(key)
      if (found === undefined) return yield* new AccountNotFound()
      const health = afterProbe(found, outcome)
      if (health.status === "disconnected" && found.status !== "disconnected") {
        yield* store.stopDestinations(key, ["active"], "The provider refuses the credentials.")
      }
      return yield* store.noteProbe(key, health)
    })
    return yield* store.transaction(noting)
  })

  /** Does what shows whether the account is good, and keeps what it has shown. */
  const noting = <A>(key: AccountKey, call: Effect.Effect<A, MailerError>) =>
    call.pipe(
      Effect.tapError((error) => note(key, outcomeOf(error))),
      Effect.tap(() => note(key, "good")),
    )

  const probe = Effect.fn("AccountProbes.probe")(function* (key: AccountKey) {
    const found = yield* store.find(key)
    if (found === undefined) return yield* new AccountNotFound()
    const outcome = yield* Effect.match(mailer.probe(yield* connection(found)), {
      onFailure: outcomeOf,
      onSuccess: (): ProbeOutcome => "good",
    })
    return yield* note(key, outcome)
  })

  return {
    connection,
    connectionTo,
    probe,
    note,
    lists: Effect.fn("AccountProbes.lists")(function* (account) {
      const { id: accountId, organizationId } = account
      return yield* noting({ organizationId, accountId }, mailer.lists(yield* connection(account)))
    }),
  } satisfies AccountProbesShape
})

export class AccountProbes extends Context.Service<AccountProbes, AccountProbesShape>()(
  "@footfall/server/destinations/AccountProbes",
) {
  static readonly layer = Layer.effect(AccountProbes, make)
}
