// The failed contacts of a delivery, with the reasons for those shown.
import type { Delivery, DeliveryFailure, ListMeta } from "@footfall/sdk"
import { footfall } from "../../session/session.ts"
import { Bars } from "../../plots/bars.tsx"
import { usePages } from "../../ui/pages.ts"
import { Problem } from "../../ui/problem.tsx"
import { Waiting } from "../../ui/read.tsx"
import { Rest } from "../../ui/rest.tsx"
import { deliveryErrorWords } from "../words.ts"
import { FailedContact } from "./failed-contact.tsx"

/** Contacts per page. */
const pageSize = 50

export const Failures = ({ delivery }: { readonly delivery: Delivery }) => {
  const { audienceId, failedCount, id } = delivery
  const failures = usePages<DeliveryFailure, ListMeta>({
    // Load the list again when the count of failed contacts changes.
    key: ["audiences", audienceId, "delivery", id, "failures", failedCount],
    load: (cursor, signal) =>
      footfall.deliveries.failures(audienceId, id, { limit: pageSize, cursor }, { signal }),
    isEnabled: failedCount > 0,
  })
  if (failedCount === 0) return null
  return (
    <section className="stack" aria-label="Failed contacts">
      <h2>Failed contacts</h2>
      <Problem error={failures.error} onRetry={failures.retry} />
      {failures.isPending && <Waiting />}
      {failures.rows.length > 0 && <Reasons rows={failures.rows} />}
      <ul className="stack">
        {failures.rows.map((failure) => (
          <FailedContact key={failure.hashedEmail} delivery={delivery} failure={failure} />
        ))}
      </ul>
      <Rest pages={failures} verb="Show more contacts" />
    </section>
  )
}

/** Counts only the contacts shown. */
const Reasons = ({ rows }: { readonly rows: ReadonlyArray<DeliveryFailure> }) => {
  const counts = new Map<string, number>()
  for (const { errorCode } of rows) counts.set(errorCode, (counts.get(errorCode) ?? 0) + 1)
  return (
    <Bars
      label="Reasons"
      unit="Contacts"
      rows={[...counts].map(([code, value]) => ({
        name: code,
        title: deliveryErrorWords(code),
        value,
      }))}
    />
  )
}
