// Faults in removals: who is taken off a list, whose they are, what a refusal keeps, and how an erasure ends.
import { type Fault, faultsIn } from "./fault.ts"

const connectors = "server/src/activation/destinations/connectors"
const deliveries = "server/src/activation/deliveries"
const webhooks = "test/deliveries/removals.test.ts"
const ownership = "test/destinations/connectors/ownership.test.ts"
const model = "test/destinations/connectors/removals-model.test.ts"
const services = "test/destinations/connectors/connectors.test.ts"
const particular = "test/destinations/connectors/services.test.ts"
const erasures = "test/deliveries/erasures.test.ts"

export const removals: ReadonlyArray<Fault> = [
  ...faultsIn(`${deliveries}/sql/removal-plan.ts`, ownership, [
    [
      "people of the former list are taken off the new one",
      '${listId === null ? SqlText.of("") : sqlText`and known.list_id = ${listId}`}',
      "",
    ],
    [
      "who is on the list by another destination too is taken off",
      'if (holding.leaving === "remove_from_list") yield* handOver(question, holding.listId!)',
      "",
    ],
    ["a draft keeps people on the list", "and their.status <> 'draft' and", "and"],
    [
      "who was handed over belongs to no destination",
      "set is_added = true\n      from theirs",
      "set is_added = false\n      from theirs",
    ],
  ]),
  ...faultsIn(`${deliveries}/sql/removal-plan.ts`, model, [
    [
      "people whom the list had before are taken off",
      'return SqlText.of("and known.is_added and known.email is not null")',
      'return SqlText.of("and known.email is not null")',
    ],
  ]),
  ...faultsIn(`${deliveries}/sql/removal-plan.ts`, webhooks, [
    [
      "the retry of an older run removes people",
      "if ((yield* isNewest(question)).length === 0) return false",
      "",
    ],
    [
      "suppressed people are not removed",
      "if ((yield* hasRules(question)).length > 0) {",
      "if (question === undefined) {",
    ],
    [
      "the guard lets three in four leave",
      "total.removed * 2 > total.held",
      "total.removed * 4 > total.held * 3",
    ],
    ["the guard holds small lists too", "total.held > ${unguardedMax}", "total.held > 1"],
    [
      "removals that no one asks for are planned",
      'if (holding.leaving === "keep") return false',
      "",
    ],
  ]),
  ...faultsIn(`${deliveries}/sql/removals.ts`, webhooks, [
    [
      "each delivery removes the same people again",
      "update destination_contact as known set has_left = true, is_sent = false,",
      "update destination_contact as known set has_left = false, is_sent = false,",
    ],
    [
      "removals are not counted",
      "removed_count = removed_count + ${removed.length},",
      "removed_count = removed_count,",
    ],
    [
      "who comes back is sent as changed",
      "set has_left = true, is_sent = false,\n            content_hash = null,",
      "set has_left = true,\n            content_hash = null,",
    ],
  ]),
  ...faultsIn(`${deliveries}/sending/list-channel.ts`, model, [
    [
      "someone who is kept counts as removed",
      'return { type: "left", isRemoved: false, isOff: false, formerStatus: null }',
      'return { type: "left", isRemoved: true, isOff: false, formerStatus: null }',
    ],
  ]),
  ...faultsIn(
    `${connectors}/emailoctopus.ts`,
    services,
    [
      [
        "someone who unsubscribed is deleted, and can be subscribed again",
        "if (!removable.has(status)) return kept",
        "",
      ],
      [
        "no tag is removed",
        "const body = { tags: { [managedTag]: false } }",
        "const body = { tags: { [managedTag]: true } }",
      ],
    ],
    { named: "^emailoctopus" },
  ),
  ...faultsIn(`${connectors}/emailoctopus.ts`, particular, [
    [
      "someone who was pending comes back subscribed",
      "...(formerStatus !== null && removable.has(formerStatus) ? { status: formerStatus } : {}),",
      "",
    ],
  ]),
  ...faultsIn(
    `${connectors}/mailchimp.ts`,
    services,
    [
      [
        "someone who unsubscribed is archived",
        'if (!removable.has(status)) return status === "archived" ? absent : kept',
        "",
      ],
      [
        "someone who was archived by others is brought back",
        'known?.status === "archived" && formerStatus !== null && removable.has(formerStatus)',
        'known?.status === "archived"',
      ],
    ],
    { named: "^mailchimp" },
  ),
  ...faultsIn(
    `${connectors}/listmonk.ts`,
    services,
    [
      [
        "someone who unsubscribed is taken off the list, and can be added again",
        'if (status !== "confirmed" && status !== "unconfirmed") return kept',
        "",
      ],
    ],
    { named: "^listmonk" },
  ),
  ...faultsIn(
    `${connectors}/brevo.ts`,
    services,
    [
      [
        "someone on the blocklist is taken off the list",
        "if (known.emailBlacklisted) return kept",
        "",
      ],
    ],
    { named: "^brevo" },
  ),
  ...faultsIn(
    `${connectors}/klaviyo.ts`,
    services,
    [
      [
        "someone who unsubscribed is taken off the list",
        "const isLeaving = (one: typeof Profile.Type) => !isRefusing(one, list.id)",
        "const isLeaving = (_: typeof Profile.Type) => true",
      ],
    ],
    { named: "^klaviyo" },
  ),
  ...faultsIn(
    `${connectors}/pipedrive.ts`,
    services,
    [
      [
        "all labels go with the audience's",
        "const label_ids = present.filter((id) => id !== label)",
        "const label_ids = present.filter(() => false)",
      ],
    ],
    { named: "^pipedrive" },
  ),
  ...faultsIn(
    `${deliveries}/erasures/store.ts`,
    services,
    [
      [
        "people whom the list had before are deleted at the service",
        "(known.is_added or known.removed_status is not null)",
        "true",
      ],
      [
        "people are deleted at the service though no one asked for it",
        "and (destination.config #>> '{config,eraseAtProvider}')::boolean",
        "",
      ],
    ],
    { named: "^emailoctopus" },
  ),
  ...faultsIn(`${deliveries}/erasures/store.ts`, erasures, [
    ["an erasure is given up a day early", "const keptDays = 7", "const keptDays = 6"],
    [
      "a webhook gets an event that it doesn't take",
      "and destination.config -> 'eventTypes' ? 'intent.audience.contact.removed'",
      "",
    ],
  ]),
  ...faultsIn(`${deliveries}/erasures/worker.ts`, erasures, [
    ["an erasure is never given up", "if (pending.isTooOld) {", "if (pending.id === target.id) {"],
    [
      "a destination doesn't learn that an erasure was given up",
      "yield* Effect.orDie(targetStore.noteError(key, pending.lastError ?? unexpected))",
      "",
    ],
    ["the event of an erased person says that they left", 'reason: "erased"', 'reason: "left"'],
  ]),
]
