// What would be sent about a contact now (spec 5.10.15), built as for a real delivery from the run's results and the
// current configuration. Bodies are not stored.
import { listContact } from "../../destinations/mailer/list-contact.ts"
import { contactUpserted } from "../../destinations/events/intent-event.ts"
import type { Target } from "../../destinations/targets/target.ts"
import { messageIdOf } from "../../../platform/outbound/signing.ts"
import { resultRow } from "../../../intent/runs/results/result-row.ts"
import type { FailedContact } from "../delivery.ts"
import type { PresentContact } from "../plan.ts"
import type { DeliveryWork } from "../work/delivery-work.ts"
import { eventSource } from "../work/sync-events.ts"

export const messageIdOfContact = (deliveryId: string, hashedEmail: string): string =>
  messageIdOf(deliveryId, "intent.audience.contact.upserted", hashedEmail)

/** `timestamp`: the event's, in ISO 8601. */
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
  const id = messageIdOfContact(work.deliveryId, contact.hashedEmail)
  const source = eventSource(work, target)
  return JSON.parse(contactUpserted({ id, timestamp }, source, { sequence, change, contact }))
}
