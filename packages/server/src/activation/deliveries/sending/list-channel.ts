// Sends contacts to a list of a service through its connector, and removes those who left (spec 2.17). Where one request
// takes several contacts, those that are asked about at the same time share it.
import { Effect, Exit, Request, RequestResolver } from "effect"
import type { AutomationConfig } from "../../destinations/connectors/automation-config.ts"
import type {
  Connector,
  ListMember,
  ListTarget,
  MemberOutcome,
  Notes,
  RemovalOutcome,
  WrittenMember,
} from "../../destinations/connectors/connector.ts"
import {
  type WritingError,
  isOfAccount,
  NotNoted,
} from "../../destinations/connectors/connector-error.ts"
import {
  type Connection,
  type Connectors,
  connectors as byName,
} from "../../destinations/connectors/connectors.ts"
import { type ListContact, listContact } from "../../destinations/connectors/list-contact.ts"
import { resultRow } from "../../../intent/runs/results/result-row.ts"
import type { Topic } from "../../../intent/topics/topic.ts"
import { listContactHash } from "../content.ts"
import type { PlannedRemoval, PresentContact } from "../plan.ts"
import type { Adding } from "../sql/removals.ts"
import type { Channel } from "./batch.ts"
import { connectorOutcome, type ContactOutcome, unwritable } from "./outcome.ts"

/** Contacts that come within this time share a request. */
const gathering = "10 millis"

type OfService = Omit<ListTarget, "notes">

/** Someone to ask the service about. `of`: for whom. */
interface Member<Of> extends ListMember {
  readonly of: Of
}

/** A call has shown that the account can't be used right now. */ // spec 4.5
type Failed = () => Effect.Effect<void>

/** Asks about one member at a time, and lets those that come together share a call. */
const shared = <M extends ListMember, Outcome>(
  membersMax: number,
  failed: Failed,
  call: (members: ReadonlyArray<M>) => Effect.Effect<ReadonlyArray<Outcome>, WritingError>,
): ((member: M) => Effect.Effect<Outcome, WritingError>) => {
  class Ask extends Request.TaggedClass("Ask")<{ readonly member: M }, Outcome, WritingError> {}
  const asked = (members: ReadonlyArray<M>) =>
    call(members).pipe(Effect.tapError((error) => (isOfAccount(error) ? failed() : Effect.void)))
  if (membersMax === 1) return (member) => Effect.map(asked([member]), ([outcome]) => outcome!)
  const resolver = RequestResolver.make<Ask>((entries) =>
    Effect.matchCause(asked(entries.map(({ request }) => request.member)), {
      onFailure: (cause) => {
        for (const entry of entries) entry.completeUnsafe(Exit.failCause(cause))
      },
      onSuccess: (outcomes) =>
        entries.forEach((entry, place) => entry.completeUnsafe(Exit.succeed(outcomes[place]!))),
    }),
  ).pipe(RequestResolver.setDelay(gathering), RequestResolver.batchN(membersMax))
  return (member) => Effect.request(new Ask({ member }), resolver)
}

/** The members of a call by address. */
const among = <Of>(members: ReadonlyArray<Member<Of>>, emails: Iterable<string>) => {
  const asked = new Set(emails)
  return members.filter(({ email }) => asked.has(email))
}

const orNotNoted = (noted: Effect.Effect<boolean>) =>
  Effect.flatMap(noted, (isNoted) => (isNoted ? Effect.void : new NotNoted()))

/** How many contacts are sent at once: all that share a request, or as many as the service takes requests at once. */
const placesOf = ({ appSlug }: Connection) => {
  const { membersMax, pace }: Connector = byName[appSlug]
  return { membersMax, atOnce: membersMax === 1 ? pace.atOnce : membersMax }
}

const unnoted: Notes = { adding: () => Effect.void, removing: () => Effect.void }

export const listChannel = (
  connectors: Connectors["Service"],
  connection: Connection,
  {
    adding,
    failed,
    target,
    topics,
    ...content
  }: {
    readonly audienceId: string
    readonly config: AutomationConfig
    readonly target: OfService
    readonly topics: ReadonlyMap<number, Topic>
    readonly failed: Failed
    /** Stores who is about to be put on the list. */
    readonly adding: (people: ReadonlyArray<Adding>) => Effect.Effect<boolean>
  },
): Channel => {
  const { atOnce, membersMax } = placesOf(connection)
  const one = shared(
    membersMax,
    failed,
    (members: ReadonlyArray<WrittenMember & Member<PresentContact>>) => {
      const notes: Notes = {
        ...unnoted,
        adding: (emails) =>
          orNotNoted(
            adding(among(members, emails).map(({ email, of }) => ({ email, contact: of }))),
          ),
      }
      return connectors.upsert(connection, { ...target, notes }, members)
    },
  )
  const { listId } = content.config
  return {
    ...(atOnce === undefined ? {} : { atOnce }),
    send: (of) => {
      const { known, row } = of
      const contact = listContact(resultRow(row, topics), content)
      // Contacts without an address were skipped.
      if (contact === undefined) return Effect.succeed(unwritable)
      const { formerStatus = null, remoteId = null } = known ?? {}
      return Effect.match(one({ ...contact, formerStatus, remoteId, of }), {
        onSuccess: (outcome) => contactOutcome(outcome, contact, listId),
        onFailure: connectorOutcome,
      })
    },
  }
}

const contactOutcome = (
  outcome: MemberOutcome,
  contact: ListContact,
  listId: string,
): ContactOutcome => {
  switch (outcome.type) {
    case "written": {
      const { isAdded, remoteId } = outcome
      return {
        type: "sent",
        contentHash: listContactHash(contact),
        atProvider: { isAdded, remoteId, email: contact.email, listId },
      }
    }
    case "skipped":
      return outcome
    case "failed":
      return connectorOutcome(outcome.error)
  }
}

export const removalChannel = (
  connectors: Connectors["Service"],
  connection: Connection,
  {
    failed,
    removing,
    target,
  }: {
    readonly target: OfService
    readonly failed: Failed
    /** Stores the status of everyone who is about to be taken off the list, by hash. */
    readonly removing: (statuses: ReadonlyMap<string, string>) => Effect.Effect<boolean>
  },
): Channel<PlannedRemoval> => {
  const { atOnce, membersMax } = placesOf(connection)
  const { onLeave } = target.config
  // Without a removal in the configuration none is planned.
  const how = onLeave === "keep" ? "remove_tag" : onLeave
  /** What this claim noted, by hash. */
  const noted = new Map<string, string>()
  const one = shared(membersMax, failed, (members: ReadonlyArray<Member<PlannedRemoval>>) => {
    const notes: Notes = {
      ...unnoted,
      removing: (statuses) => {
        const byHash = among(members, statuses.keys()).map(
          ({ email, of }) => [of.hashedEmail, statuses.get(email)!] as const,
        )
        for (const [hash, status] of byHash) noted.set(hash, status)
        return orNotNoted(removing(new Map(byHash)))
      },
    }
    return connectors.remove(connection, { ...target, notes }, members, how)
  })
  return {
    ...(atOnce === undefined ? {} : { atOnce }),
    send: (of) => {
      const { email, hashedEmail, notedStatus, remoteId } = of
      if (email === null) return Effect.succeed(unwritable)
      return Effect.match(one({ email, remoteId, of }), {
        onSuccess: (outcome) => removalOutcome(outcome, how, noted.get(hashedEmail) ?? notedStatus),
        onFailure: connectorOutcome,
      })
    },
  }
}

/** `notedStatus`: what they had before the first request that could take them off. */
const removalOutcome = (
  outcome: RemovalOutcome,
  how: "remove_from_list" | "remove_tag",
  notedStatus: string | null,
): ContactOutcome => {
  switch (outcome.type) {
    case "removed": {
      const { formerStatus } = outcome
      return { type: "left", isRemoved: true, isOff: how === "remove_from_list", formerStatus }
    }
    case "absent":
      // An earlier request took them off, and its answer was lost.
      return {
        type: "left",
        isRemoved: notedStatus !== null,
        isOff: true,
        formerStatus: notedStatus,
      }
    case "kept":
      return { type: "left", isRemoved: false, isOff: false, formerStatus: null }
    case "failed":
      return connectorOutcome(outcome.error)
  }
}
