// Sends contacts to a list of a service through its connector (spec 2.17). Where one request takes several contacts,
// those that are sent at the same time share it.
import { Effect, Exit, Request, RequestResolver } from "effect"
import type { AutomationConfig } from "../../destinations/connectors/automation-config.ts"
import type {
  ListTarget,
  MemberOutcome,
  WrittenMember,
} from "../../destinations/connectors/connector.ts"
import { type ConnectorError, isOfAccount } from "../../destinations/connectors/connector-error.ts"
import {
  type Connection,
  type Connectors,
  connectors as byName,
} from "../../destinations/connectors/connectors.ts"
import { type ListContact, listContact } from "../../destinations/connectors/list-contact.ts"
import { resultRow } from "../../../intent/runs/results/result-row.ts"
import type { Topic } from "../../../intent/topics/topic.ts"
import { listContactHash } from "../content.ts"
import type { Channel } from "./batch.ts"
import { connectorOutcome, type ContactOutcome, unwritable } from "./outcome.ts"

/** Contacts that come within this time share a request. */
const gathering = "10 millis"

class Upsert extends Request.TaggedClass("Upsert")<
  { readonly member: WrittenMember },
  MemberOutcome,
  ConnectorError
> {}

export const listChannel = (
  connectors: Connectors["Service"],
  connection: Connection,
  {
    failed,
    target,
    topics,
    ...content
  }: {
    readonly audienceId: string
    readonly config: AutomationConfig
    readonly target: ListTarget
    readonly topics: ReadonlyMap<number, Topic>
    /** A call has shown that the account can't be used right now. */ // spec 4.5
    readonly failed: () => Effect.Effect<void>
  },
): Channel => {
  const { membersMax } = byName[connection.appSlug]
  const upsert = (members: ReadonlyArray<WrittenMember>) =>
    connectors
      .upsert(connection, target, members)
      .pipe(Effect.tapError((error) => (isOfAccount(error) ? failed() : Effect.void)))

  const resolver = RequestResolver.make<Upsert>((entries) =>
    Effect.matchCause(upsert(entries.map(({ request }) => request.member)), {
      onFailure: (cause) => {
        for (const entry of entries) entry.completeUnsafe(Exit.failCause(cause))
      },
      onSuccess: (outcomes) =>
        entries.forEach((entry, place) => entry.completeUnsafe(Exit.succeed(outcomes[place]!))),
    }),
  ).pipe(RequestResolver.setDelay(gathering), RequestResolver.batchN(membersMax))

  const one = (member: WrittenMember): Effect.Effect<MemberOutcome, ConnectorError> =>
    membersMax === 1
      ? Effect.map(upsert([member]), (outcomes) => outcomes[0]!)
      : Effect.request(new Upsert({ member }), resolver)

  return {
    ...(membersMax === 1 ? {} : { atOnce: membersMax }),
    send: ({ known, row }) => {
      const contact = listContact(resultRow(row, topics), content)
      // Contacts without an address were skipped.
      if (contact === undefined) return Effect.succeed(unwritable)
      const { formerStatus = null, remoteId = null } = known ?? {}
      return Effect.match(one({ ...contact, formerStatus, remoteId }), {
        onSuccess: (outcome) => contactOutcome(outcome, contact),
        onFailure: connectorOutcome,
      })
    },
  }
}

const contactOutcome = (outcome: MemberOutcome, contact: ListContact): ContactOutcome => {
  switch (outcome.type) {
    case "written": {
      const { isAdded, remoteId } = outcome
      return {
        type: "sent",
        contentHash: listContactHash(contact),
        atProvider: { isAdded, remoteId },
      }
    }
    case "skipped":
      return outcome
    case "failed":
      return connectorOutcome(outcome.error)
  }
}
