// Waits for those who watch the segments of a customer's alerts (spec 8.7).
import { expect } from "vitest"
import type { Customer } from "./site.ts"

export const waiting = { timeout: 30_000, interval: 50 }

/** Waits until the first look is over. */
export const settled = async (customer: Customer) =>
  await expect
    .poll(
      async () =>
        (
          await customer.server.sql(
            `select from webhook w
             left join segment_watch s on s.organization_id = w.organization_id
               and s.segment_id = w.segment_id and s.pixel_id is not distinct from w.pixel_id
               and not s.is_over
             where w.organization_id = $1 and w.status = 'active' and w.deleted_at is null
               and w.trigger in ('entered_segment', 'left_segment')
               and coalesce(s.verified_from < greatest(w.watched_from, s.began_at), true)`,
            [customer.id],
          )
        ).length,
      waiting,
    )
    .toBe(0)

/** Waits until everything that was noted so far has been looked at. */
export const looked = async (customer: Customer) => {
  for (const table of ["score_stale", "score_stale_company", "segment_stale"]) {
    await expect
      .poll(
        async () =>
          (
            await customer.server.sql(`select from ${table} where organization_id = $1`, [
              customer.id,
            ])
          ).length,
        waiting,
      )
      .toBe(0)
  }
}

/** Looks at all people and companies once more. */
export const sweep = async (customer: Customer) => {
  await customer.server.sql(
    `update segment_watch set next_sweep_at = now(), verified_from = '2000-01-01'
     where organization_id = $1 and not is_over`,
    [customer.id],
  )
  await customer.server.sql(
    "update webhook set watched_from = '2000-01-01' where organization_id = $1",
    [customer.id],
  )
  await customer.server.sql(
    "update segment_watch set began_at = '2000-01-01' where organization_id = $1",
    [customer.id],
  )
  await expect
    .poll(
      async () =>
        (
          await customer.server.sql(
            `select from segment_watch where organization_id = $1 and not is_over
             and (verified_from = '2000-01-01' or is_sweeping)`,
            [customer.id],
          )
        ).length,
      waiting,
    )
    .toBe(0)
}
