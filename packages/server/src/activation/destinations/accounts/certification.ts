// Checks a service with an account of the owner's own (spec 2.17.17): what the doubles of our tests promise, the service itself
// has to show, on a list without anyone, with contacts that are invented. Whatever happens, they and the list are deleted
// at the end.
import { Context, Effect, Layer, Result, Schema, Semaphore, Stream } from "effect"
import { Audit } from "../../../access/audit/audit.ts"
import type { Caller } from "../../../access/caller.ts"
import { randomName } from "../../../platform/http/random-name.ts"
import type {
  ListTarget,
  MemberOutcome,
  Removal,
  RemovalOutcome,
  Trial,
} from "../connectors/connector.ts"
import type { ConnectorError, WritingError } from "../connectors/connector-error.ts"
import { type Connection, Connectors, connectors } from "../connectors/connectors.ts"
import type { ProviderApi } from "../connectors/provider-api.ts"
import { Accounts, ProviderError, providerError, refuseUnhealthy } from "./accounts.ts"
import { type AccountCheck, type Certificate, type CheckName, checkNames } from "./certificate.ts"
import { AccountProbes } from "./probes.ts"

type Check = Certificate["checks"][number]

/** Why the list can't be used. */
export class TrialRefused extends Schema.TaggedError<TrialRefused>()("TrialRefused", {
  reason: Schema.Literals(["unsupported", "list_required", "list_not_found", "not_empty"]),
}) {}

/** Of the whole check: a service that never shows what it accepted ends it. */
const minutesMax = "4 minutes"
/** A service may show a change some seconds later. Units: milliseconds. */
const looksMs = [0, 500, 1_500, 3_000, 5_000] as const
/** No one can have it (RFC 2606). */
const reservedDomain = "example.com"
const managedTag = "footfall-check"

class Unmet extends Schema.TaggedError<Unmet>()("Unmet", { message: Schema.String }) {}

const sentenceOf = (error: WritingError | Unmet): string => {
  switch (error._tag) {
    case "Unmet":
      return error.message
    case "ContactRefused":
      return `The service refused the contact with status ${error.status}${error.sentence === null ? "." : `: ${error.sentence}`}`
    case "CredentialsRefused":
    case "ProviderFailed":
      return `The service answered with status ${error.status}.`
    case "ListGone":
      return "The service no longer has the list."
    case "ProviderRateLimited":
      return "The service asks to wait. Check it again later."
    case "ProviderUnreachable":
      return "The service did not answer."
    case "NotNoted":
      return "The check was interrupted."
  }
}

const shown = (status: string | null) => (status === null ? "not on the list" : `“${status}”`)

const make = Effect.gen(function* () {
  const accounts = yield* Accounts
  const probes = yield* AccountProbes
  const services = yield* Connectors
  const audit = yield* Audit

  /** The checks of one list, with two contacts who are on no list. */
  const checked = Effect.fnUntraced(function* (
    connection: Connection,
    { api, trial }: { readonly api: ProviderApi; readonly trial: Trial },
    target: ListTarget,
    [stays, refuses]: readonly [string, string],
  ) {
    const { abilities } = connectors[connection.appSlug]
    const checks: Array<Check> = []
    const status = (email: string) => trial.status(api, target, email)
    const upsert = (email: string, formerStatus: string | null = null) =>
      Effect.map(
        services.upsert(connection, target, [
          {
            email,
            formerStatus,
            remoteId: null,
            fields: {},
            tags: abilities.hasTags ? [managedTag] : [],
          },
        ]),
        ([outcome]) => outcome!,
      )
    const remove = (email: string, how: Removal) =>
      Effect.map(
        services.remove(connection, target, [{ email, remoteId: null }], how),
        ([outcome]) => outcome!,
      )
    /** Looks until the status is as expected. Returns the last one. */
    const until = Effect.fnUntraced(function* (
      email: string,
      isSo: (status: string | null) => boolean,
      otherwise: (status: string | null) => string,
    ) {
      let seen: string | null = null
      for (const waitMs of looksMs) {
        yield* Effect.sleep(waitMs)
        seen = yield* status(email)
        if (isSo(seen)) return seen
      }
      return yield* new Unmet({ message: otherwise(seen) })
    })
    const check = <A>(
      name: CheckName,
      made: Effect.Effect<A, WritingError | Unmet>,
      passed: string,
    ) =>
      Effect.map(Effect.result(made), (result) => {
        const failed = Result.isFailure(result)
        const message = failed ? sentenceOf(result.failure) : passed
        checks.push({ name, status: failed ? "failed" : "passed", message })
        return failed ? undefined : result.success
      })
    const skip = (name: CheckName, message: string) =>
      void checks.push({ name, status: "skipped", message })

    const written = yield* check(
      "write",
      Effect.gen(function* () {
        for (const email of [stays, refuses]) yield* added(yield* upsert(email))
        const isOn = (seen: string | null) => seen !== null
        const notOn = () => "The service accepted the contact, and does not show it on the list."
        yield* until(refuses, isOn, notOn)
        return yield* until(stays, isOn, notOn)
      }),
      "A new contact is on the list.",
    )
    if (written === undefined) {
      for (const name of checkNames.slice(1)) skip(name, "No contact could be written.")
      return checks
    }
    const how = abilities.onLeave.at(-1) === "remove_tag" ? "remove_tag" : "remove_from_list"

    yield* check(
      "repeat",
      Effect.gen(function* () {
        const outcome = yield* upsert(stays)
        if (outcome.type !== "written" || outcome.isAdded) {
          return yield* new Unmet({ message: "The second request counted as a new contact." })
        }
        yield* unchanged(yield* status(stays), written, "A second request")
      }),
      "The same contact, written again, keeps its status.",
    )

    const { refuse } = trial
    if (refuse === undefined) {
      skip("refusal", "The lists of this service know no refusals.")
    } else {
      yield* check(
        "refusal",
        Effect.gen(function* () {
          yield* refuse(api, target, refuses)
          const refused = yield* until(
            refuses,
            (seen) => seen !== written,
            () => "The contact was unsubscribed, and the service still shows it as before.",
          )
          yield* notFailed(yield* upsert(refuses))
          yield* unchanged(yield* status(refuses), refused, "Writing a contact that unsubscribed")
          if (how === "remove_from_list") {
            yield* notFailed(yield* remove(refuses, how))
            const message = "Removing a contact that unsubscribed"
            yield* unchanged(yield* status(refuses), refused, message)
          }
        }),
        "Someone who unsubscribed stays unsubscribed.",
      )
    }

    const former = yield* check(
      "removal",
      Effect.gen(function* () {
        const outcome = yield* remove(stays, how)
        if (outcome.type !== "removed") {
          yield* notFailed(outcome)
          return yield* new Unmet({ message: "The contact was not found on the list." })
        }
        yield* until(
          stays,
          (seen) => seen !== written,
          () => "The service accepted the removal, and still shows the contact as before.",
        )
        return { formerStatus: outcome.formerStatus }
      }),
      how === "remove_tag" ? "A contact loses the tag." : "A contact is taken off the list.",
    )
    if (former === undefined) skip("return", "The contact could not be removed.")
    else {
      yield* check(
        "return",
        Effect.gen(function* () {
          yield* notFailed(yield* upsert(stays, former.formerStatus))
          yield* until(
            stays,
            (seen) => seen === written,
            (seen) => `The contact was ${shown(written)} before, and is ${shown(seen)} now.`,
          )
        }),
        "Someone who returns has the status from before.",
      )
    }

    yield* check(
      "erasure",
      Effect.gen(function* () {
        const outcome = yield* remove(stays, "erase")
        if (outcome.type !== "removed") {
          yield* notFailed(outcome)
          return yield* new Unmet({ message: "The contact to erase was not found." })
        }
        yield* until(
          stays,
          (seen) => seen === null,
          (seen) => `The contact was erased, and is still ${shown(seen)}.`,
        )
      }),
      "An erased contact is deleted at the service.",
    )
    return checks
  })

  /**
   * Without `listId`, it makes a list and deletes it.
   *
   * *Errors*: AccountNotFound, AccountUnhealthy, IntegrationUnavailable, TrialRefused, ProviderError.
   */
  const certify = Effect.fn("Certification.certify")(function* (
    caller: Caller,
    accountId: string,
    { domain = reservedDomain, listId }: AccountCheck,
  ) {
    const account = yield* accounts.find(caller.organizationId, accountId)
    yield* refuseUnhealthy(account)
    const connection = yield* probes.connection(account)
    const found = services.trial(connection)
    if (found === undefined) return yield* new TrialRefused({ reason: "unsupported" })
    const { api, trial } = found
    const { lists } = trial
    if (listId === undefined && lists === undefined) {
      return yield* new TrialRefused({ reason: "list_required" })
    }
    const name = `Footfall check ${randomName("").slice(0, 8)}`
    const made = listId === undefined ? lists!.create(api, name) : Effect.succeed(listId)

    const emptyList = Effect.fnUntraced(function* (id: string) {
      const list = yield* Effect.catchTag(
        services.list(connection, id),
        "ListGone",
        () => new TrialRefused({ reason: "list_not_found" }),
      )
      if (listId !== undefined && !(yield* isEmpty(connection, trial, api, id))) {
        return yield* new TrialRefused({ reason: "not_empty" })
      }
      return list
    })
    const isEmpty = (connection: Connection, trial: Trial, api: ProviderApi, id: string) =>
      trial.isEmpty?.(api, id) ??
      services.people(connection, { listId: id, people: "all" }).pipe(
        Stream.filter((page) => page.length > 0),
        Stream.runHead,
        Effect.map((first) => first._tag === "None"),
        Effect.catchTag("PeopleChanged", () => Effect.succeed(false)),
      )

    const run = Effect.acquireUseRelease(
      made,
      Effect.fnUntraced(function* (id) {
        const list = yield* emptyList(id)
        const key = randomName("").slice(0, 10)
        const emails = [`check-${key}-a@${domain}`, `check-${key}-b@${domain}`] as const
        const target: ListTarget = {
          list,
          config: {
            listId: id,
            emailSource: "email",
            newContactStatus: null,
            fieldMapping: {},
            tags: [],
            onLeave: "keep",
            eraseAtProvider: false,
          },
          managedTag,
          lookedUp: new Map(),
          lookingUp: yield* Semaphore.make(1),
          notes: { adding: () => Effect.void, removing: () => Effect.void },
        }
        yield* audit.record(caller, "connected_account.certified", accountId)
        const members = emails.map((email) => ({ email, remoteId: null }))
        const erased = Effect.forEach(members, (member) =>
          Effect.ignore(services.remove(connection, target, [member], "erase")),
        )
        const checks = yield* Effect.ensuring(checked(connection, found, target, emails), erased)
        return {
          listId: id,
          isListCreated: listId === undefined,
          hasPassed: checks.every(({ status }) => status !== "failed"),
          checks,
        } satisfies Certificate
      }),
      (id) => (listId === undefined ? Effect.ignore(lists!.delete(api, id)) : Effect.void),
    )
    return yield* run.pipe(
      Effect.timeoutOrElse({
        duration: minutesMax,
        orElse: () => new ProviderError({ status: null }),
      }),
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

  return { certify }
})

export class Certification extends Context.Service<Certification, Effect.Success<typeof make>>()(
  "@footfall/server/destinations/Certification",
) {
  static readonly layer = Layer.effect(Certification, make)
}

const failedOf = (outcome: MemberOutcome | RemovalOutcome): ConnectorError | undefined =>
  outcome.type === "failed" ? outcome.error : undefined

const notFailed = (outcome: MemberOutcome | RemovalOutcome) => {
  const error = failedOf(outcome)
  return error === undefined ? Effect.void : error
}

const added = (outcome: MemberOutcome) =>
  outcome.type === "written" && outcome.isAdded
    ? Effect.void
    : (failedOf(outcome) ?? new Unmet({ message: "A new contact counted as one that exists." }))

const unchanged = (now: string | null, before: string | null, what: string) =>
  now === before
    ? Effect.void
    : new Unmet({ message: `${what} changed the status from ${shown(before)} to ${shown(now)}.` })
