// The kinds of suppression sources that read a connected account (spec 2.25): its people become `email` rules.
import { Clock, Effect, Stream } from "effect"
import {
  type ReadableSource,
  SourceFailed,
  type ServiceKind,
  type SourceService,
  sourceServices,
} from "../../../people/suppression-sources/source.ts"
import { AccountProbes } from "../accounts/probes.ts"
import { type AccountKey, AccountsStore } from "../accounts/store.ts"
import { type ConnectorError, isOfAccount } from "../connectors/connector-error.ts"
import { Connectors, connectors } from "../connectors/connectors.ts"
import type { PeopleChanged } from "../connectors/people-reading.ts"

/** Addresses that a source reads. */ // spec 10.3
const peopleMax = 5_000_000
/** Pages that a source reads, for a service whose pages are empty and never end. */
const pagesMax = 200_000
/** How long a source may be read. Units: hours. */ // spec 10.3
const hoursMax = 6

export const makeServiceKinds = Effect.gen(function* () {
  const accounts = yield* AccountsStore
  const probes = yield* AccountProbes
  const services = yield* Connectors

  /** What a failure says about the account: refused credentials are confirmed by a probe. */
  const noted = (key: AccountKey, error: ConnectorError | PeopleChanged) => {
    if (error._tag === "CredentialsRefused") return Effect.ignore(probes.probe(key))
    return error._tag !== "PeopleChanged" && isOfAccount(error)
      ? Effect.ignore(probes.note(key, "failed"))
      : Effect.void
  }

  const kindOf = (service: SourceService): ServiceKind => {
    const { appName, people: reader } = connectors[service]

    const connectionOf = Effect.fnUntraced(function* (key: AccountKey) {
      const account = yield* accounts.find(key)
      if (account === undefined) return yield* disconnected("The connected account was removed.")
      if (account.status === "disconnected") {
        return yield* disconnected(
          "The connected account is disconnected. Check it, or connect it again.",
        )
      }
      // A service of this name has an origin of its own, or its accounts say where it is.
      return yield* Effect.orDie(probes.connection(account))
    })

    return {
      needsList: reader.needsList,

      holdAccount: (organizationId, accountId) =>
        Effect.map(
          accounts.findForChange({ organizationId, accountId }),
          (account) => account?.appSlug === service,
        ),

      read: Effect.fn("ServiceKind.read")(function* (source: ReadableSource) {
        const { connectedAccountId, listId, organizationId, people } = source
        const key = { organizationId, accountId: connectedAccountId ?? "" }
        const connection = yield* connectionOf(key)
        const pages = services.people(connection, { listId, people: people ?? "all" }).pipe(
          Stream.tapError((error) => noted(key, error)),
          Stream.mapError((error) => failureOf(appName, error)),
        )
        return {
          is: "file",
          format: "ndjson",
          validators: null,
          input: Stream.map(yield* limited(appName, pages), rowsOf),
        } as const
      }),
    }
  }

  return Object.fromEntries(
    sourceServices.map((service) => [service, kindOf(service)]),
  ) as unknown as Readonly<Record<SourceService, ServiceKind>> // one entry for each service
})

const disconnected = (message: string) =>
  new SourceFailed({ code: "ACCOUNT_DISCONNECTED", message })

const rowsOf = (emails: ReadonlyArray<string>): Uint8Array =>
  Buffer.from(emails.map((value) => `${JSON.stringify({ type: "email", value })}\n`).join(""))

/** Ends the reading of a service that would never end. */
const limited = (appName: string, pages: Stream.Stream<ReadonlyArray<string>, SourceFailed>) =>
  Effect.map(Clock.currentTimeMillis, (beganAt) => {
    let peopleRead = 0
    let pagesRead = 0
    return Stream.mapEffect(pages, (page) =>
      Effect.gen(function* () {
        peopleRead += page.length
        pagesRead++
        if (peopleRead > peopleMax || pagesRead > pagesMax) {
          return yield* new SourceFailed({
            code: "TOO_MANY_PEOPLE",
            message: `${appName} has more than ${peopleMax} people there. Choose a list.`,
          })
        }
        if ((yield* Clock.currentTimeMillis) - beganAt > hoursMax * 3_600_000) {
          return yield* new SourceFailed({
            code: "TIMED_OUT",
            message: `${appName} could not be read within ${hoursMax} hours.`,
          })
        }
        return page
      }),
    )
  })

const failureOf = (appName: string, error: ConnectorError | PeopleChanged): SourceFailed => {
  switch (error._tag) {
    case "CredentialsRefused":
      return disconnected(
        error.status === 403
          ? `${appName} does not show people with this key. It may lack a permission.`
          : `${appName} rejected the key. Connect the account again.`,
      )
    case "ListGone":
      return new SourceFailed({ code: "LIST_GONE", message: `${appName} does not have the list.` })
    case "PeopleChanged":
      return new SourceFailed({
        code: "LIST_CHANGED",
        message: `Many people left the list while ${appName} was read. The sync is tried again soon.`,
      })
    case "ProviderRateLimited":
      return new SourceFailed({
        code: "RATE_LIMITED",
        message: `${appName} takes no more requests for now. The sync is tried again soon.`,
      })
    case "ProviderUnreachable":
      return new SourceFailed({
        code: "PROVIDER_ERROR",
        message:
          error.reason === "UrlNotAllowed"
            ? `The URL of ${appName} is not on the public internet.`
            : `${appName} did not respond. The sync is tried again soon.`,
      })
    case "ContactRefused":
    case "ProviderFailed": {
      const said =
        error._tag === "ContactRefused" && error.sentence !== null ? `: ${error.sentence}` : "."
      return new SourceFailed({
        code: "PROVIDER_ERROR",
        message: `${appName} responded with status ${error.status} or with an unreadable body${said}`,
      })
    }
  }
}
