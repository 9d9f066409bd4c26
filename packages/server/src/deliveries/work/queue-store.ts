// Deliveries as a queue of work (spec 4.4): whose turn it is, and what becomes of lost ones.
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { jobStore } from "../../jobs/store.ts"
import { deliveryQueue } from "../delivery.ts"

/** Deliveries of one organization that are worked at at the same time, in all processes. Our bound. */
const deliveriesPerOrganizationMax = 20

export const deliveryJobs = (sql: SqlClient.SqlClient) => {
  const jobs = jobStore(sql, deliveryQueue)

  /** The organization may deliver, and its destination is active. spec 4.4. */
  const isDeliverable = sql.literal(`exists (
    select from destination
    join organization on organization.id = destination.organization_id
    where destination.organization_id = job.organization_id
      and destination.id = job.destination_id
      and destination.status = 'active' and destination.deleted_at is null
      and organization.status in ('active', 'trial')
  )`)

  /** One at a time, so that it begins before the next is looked for, and the bound is exact. */
  const claim = () =>
    jobs.claim({
      limit: 1,
      perOrganizationMax: deliveriesPerOrganizationMax,
      where: isDeliverable,
    })

  /** A crash after something was acknowledged is not the endpoint's: that attempt is taken off again. */
  const requeueLost = Effect.asVoid(sql`
    update delivery set status = 'queued', leased_until = null, updated_at = clock_timestamp(),
      attempts = attempts - case when acknowledged_claim = claim then 1 else 0 end
    where status = 'processing' and leased_until < clock_timestamp()
      and (attempts < ${deliveryQueue.attemptsMax} or acknowledged_claim = claim)`)

  return { ...jobs, claim, requeueLost }
}
