// Faults in suppression sources: whom a service has, what a change cancels, and what keeps an account.
import { type Fault, faultsIn } from "./fault.ts"

const people = "test/destinations/connectors/people.test.ts"
const services = "test/suppression/service-sources.test.ts"
const connectors = "server/src/activation/destinations/connectors"

export const sources: ReadonlyArray<Fault> = [
  ...faultsIn(`${connectors}/people-reading.ts`, people, [
    [
      "someone is passed over when many people leave the list while it is read",
      "if (!isJoined) return yield* new PeopleChanged()",
      "",
    ],
    [
      "pages that are asked for by place don't overlap",
      "offset: place.offset + entries.length - overlap,",
      "offset: place.offset + entries.length,",
    ],
    [
      "a page that fails for now ends the reading",
      "if (attempt === attemptsMax || !isOfAccount(error)) return yield* error",
      "return yield* error",
    ],
    [
      "a page that fails for good is asked for again",
      "if (attempt === attemptsMax || !isOfAccount(error)) return yield* error",
      "if (attempt === attemptsMax) return yield* error",
    ],
  ]),
  ...faultsIn(`${connectors}/emailoctopus-people.ts`, people, [
    [
      "only subscribed contacts are read",
      'all: ["pending", "subscribed", "unsubscribed"]',
      'all: ["subscribed"]',
    ],
  ]),
  ...faultsIn(`${connectors}/mailchimp-people.ts`, people, [
    [
      "people who bounced don't count as having refused",
      '["unsubscribed", "cleaned"]',
      '["unsubscribed"]',
    ],
  ]),
  ...faultsIn(`${connectors}/brevo-people.ts`, people, [
    ["who left a list doesn't count as having refused", "|| hasLeft ?", "?"],
    [
      "those who refused are looked for on the list that they left",
      "path: isAll && listId !== null ? `${listPath}/contacts`",
      "path: listId !== null ? `${listPath}/contacts`",
    ],
  ]),
  ...faultsIn(`${connectors}/klaviyo-people.ts`, people, [
    [
      "those who refused are looked for on the list that they left",
      "path: isAll && listId !== null ?",
      "path: listId !== null ?",
    ],
  ]),
  ...faultsIn(`${connectors}/listmonk-people.ts`, people, [
    [
      "a list that is gone has no one",
      "return list === undefined ? new ListGone() : Effect.succeed(list)",
      "return Effect.succeed(list ?? { id: 0, name: listId })",
    ],
    ["people on the blocklist don't count as having refused", 'status === "blocklisted" ||', ""],
  ]),
  ...faultsIn(`${connectors}/hubspot-people.ts`, people, [
    [
      "only the first address of a contact counts",
      '...(own.get("hs_additional_emails") ?? "").split(";")',
      "",
    ],
    [
      "a list of companies is read",
      "return isOfContacts(list) ? list : yield* new ListGone()",
      "return list",
    ],
  ]),
  ...faultsIn("server/src/activation/destinations/accounts/accounts.ts", services, [
    [
      "an account that a source reads is removed",
      "if (sources.length > 0) return yield* new AccountInUse({ sources })",
      "",
    ],
  ]),
  ...faultsIn("server/src/activation/destinations/sources/service-kinds.ts", services, [
    [
      "a source reads an account of another service",
      "(account) => account?.appSlug === service,",
      "(account) => account !== undefined,",
    ],
  ]),
  ...faultsIn("server/src/people/suppression-sources/worker.ts", services, [
    [
      "a change doesn't end a sync in progress",
      "Effect.raceFirst(synced(claim, source), untilChanged(source))",
      "synced(claim, source)",
    ],
    [
      "a source that was changed is not synced again",
      "SourceChanged: () => store.startOver(claim)",
      "SourceChanged: () => Effect.void",
    ],
  ]),
  ...faultsIn("server/src/people/suppression-sources/store.ts", services, [
    [
      "a slow file delays the lists and services of its organization",
      "and source.kind in ${sql.in(kinds)})`",
      "and true)`",
    ],
    ["what was read before a change is used", "settings_version = settings_version + 1,", ""],
  ]),
  ...faultsIn("server/src/people/suppression-sources/sources.ts", services, [
    [
      "a service that needs a list is read without one",
      "if (listId === null && kinds[kind].needsList) {",
      "if (listId === null && false) {",
    ],
  ]),
]
