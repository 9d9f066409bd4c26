// What a webhook is sent about a contact, and what any destination would be sent now (spec 5.10.15), from the run's
// results and the current configuration. Bodies are not stored.
import { listContact } from "../../destinations/connectors/list-contact.ts"
import { type EventFormat, formatsOf } from "../../destinations/events/format.ts"
import {
  contactRemoved,
  type ContactSent,
  contactUpserted,
  type EventSource,
} from "../../destinations/events/intent-event.ts"
import type { Target } from "../../destinations/targets/target.ts"
import { messageIdOf } from "../../../platform/outbound/signing.ts"
import { resultRow } from "../../../intent/runs/results/result-row.ts"
import type { FailedContact } from "../delivery.ts"
import type { PlannedRemoval, PresentContact } from "../plan.ts"
import { type DeliveryWork, eventSource } from "../delivery-work.ts"

export const messageIdOfContact = (deliveryId: string, hashedEmail: string): string =>
  messageIdOf(deliveryId, "intent.audience.contact.upserted", hashedEmail)

/** `timestamp`: the event's, in ISO 8601. */
export const contactMessage = (
  source: EventSource,
  sent: ContactSent,
  timestamp: string,
  format: EventFormat,
) => {
  const id = messageIdOfContact(source.delivery.id, sent.contact.hashedEmail)
  const body = contactUpserted({ id, timestamp }, source, sent, format)
  return { id, body, contentType: format.contentType }
}

/** `timestamp`: the event's, in ISO 8601. */
export const removalMessage = (
  source: EventSource,
  { externalKey, hashedEmail, place, reason }: PlannedRemoval,
  timestamp: string,
  format: EventFormat,
) => {
  const { delivery, run } = source
  const id = messageIdOf(delivery.id, "intent.audience.contact.removed", hashedEmail)
  const gone = {
    of: { delivery, run, sequence: delivery.sourceCount + place },
    reason,
    contact: { hashedEmail, externalKey },
  }
  const body = contactRemoved({ id, timestamp }, source, gone, format)
  return { id, body, contentType: format.contentType }
}

export const contactPayload = (
  work: DeliveryWork,
  target: Target,
  { change, row, sequence }: PresentContact,
  timestamp: string,
): FailedContact["payload"] => {
  const contact = resultRow(row, new Map(work.topics.map((topic) => [topic.topicId, topic])))
  if (target.config.destinationType !== "webhook") {
    const { config } = target.config
    const sent = listContact(contact, { audienceId: work.audience.id, config })
    return sent === undefined ? null : { ...sent }
  }
  const sent = { sequence, change, contact }
  const format = formatsOf(target.config)("intent.audience.contact.upserted")
  return JSON.parse(contactMessage(eventSource(work, target), sent, timestamp, format).body)
}
