// The contacts of a delivery by what became of them.
import type { Delivery, DeliveryContact, DeliveryContactsMeta } from "@footfall/sdk"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { footfall } from "../../session/session.ts"
import { ChoiceField, type Choice } from "../../ui/field.tsx"
import { usePages } from "../../ui/pages.ts"
import { Problem } from "../../ui/problem.tsx"
import { Waiting } from "../../ui/read.tsx"
import { Rest } from "../../ui/rest.tsx"
import { count } from "../../ui/time.tsx"

type Outcome = DeliveryContact["outcome"]

/** Contacts per page. */
const pageSize = 50

export const useContacts = (
  { audienceId, id, processedCount }: Delivery,
  outcome: Outcome,
  limit: number,
) =>
  usePages<DeliveryContact, DeliveryContactsMeta>({
    // Load the list again when more contacts have an outcome.
    key: ["audiences", audienceId, "delivery", id, "contacts", outcome, limit, processedCount],
    load: (cursor, signal) =>
      footfall.deliveries.contacts(audienceId, id, { outcome, limit, cursor }, { signal }),
  })

export const Contacts = ({ delivery }: { readonly delivery: Delivery }) => {
  const { processedCount, sentCount, skippedCount } = delivery
  const [outcome, setOutcome] = useState<Outcome>("sent")
  const contacts = useContacts(delivery, outcome, pageSize)
  const choices: ReadonlyArray<Choice<Outcome>> = [
    { value: "sent", text: `Sent (${count(sentCount)})` },
    { value: "skipped", text: `Skipped (${count(skippedCount)})` },
    { value: "removed", text: "Removed" },
  ]
  if (processedCount === 0) return null
  return (
    <section className="stack" aria-label="Contacts">
      <div className="spread">
        <h2>Contacts</h2>
        <ChoiceField
          label="Outcome"
          isCompact
          choices={choices}
          value={outcome}
          onValue={setOutcome}
        />
      </div>
      <Problem error={contacts.error} onRetry={contacts.retry} />
      {contacts.isPending && <Waiting />}
      {!contacts.isPending && contacts.rows.length === 0 && (
        <p className="soft">No contacts with this outcome are stored.</p>
      )}
      <ul className="lines" aria-label="List of contacts">
        {contacts.rows.map((contact) => (
          <li key={contact.hashedEmail} className="spread">
            <ContactName contact={contact} />
          </li>
        ))}
      </ul>
      <Rest pages={contacts} verb="Show more" />
    </section>
  )
}

/** Links to the person, if there is one. */
export const ContactName = ({ contact }: { readonly contact: DeliveryContact }) => {
  const { email, hashedEmail, name, personExists } = contact
  const shown = name ?? email ?? `${hashedEmail.slice(0, 12)}…`
  return (
    <span className="break">
      {personExists ? (
        <Link to="/people/$visitorId" params={{ visitorId: hashedEmail }} search={true}>
          {shown}
        </Link>
      ) : (
        <strong>{shown}</strong>
      )}{" "}
      {name !== null && email !== null && <span className="soft small">{email}</span>}
    </span>
  )
}
