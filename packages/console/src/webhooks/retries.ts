// Events of failing webhooks that wait for another attempt. A webhook counts an event as failed only after its last
// attempt, 41 hours later.
import type { VisitorWebhook } from "@footfall/sdk"
import { useQueries } from "@tanstack/react-query"
import { footfall } from "../session/session.ts"

/** At most this many are counted. */
const countMax = 100

/** Whether the latest attempt failed. */
export const isFailing = ({ stats, status }: VisitorWebhook): boolean =>
  status === "active" &&
  stats.lastErrorAt !== null &&
  (stats.lastDeliveredAt === null || stats.lastErrorAt > stats.lastDeliveredAt)

/** The counts by webhook id, as text. Webhooks without such events are left out. */
export const useRetries = (webhooks: ReadonlyArray<VisitorWebhook>): ReadonlyMap<string, string> =>
  useQueries({
    queries: webhooks.filter(isFailing).map(({ id, stats }) => ({
      queryKey: ["webhooks", id, "retries", stats.lastErrorAt],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const { data } = await footfall.webhooks.deliveries(
          id,
          { status: "queued", limit: countMax },
          { signal },
        )
        return { id, count: data.filter(({ errorMessage }) => errorMessage !== null).length }
      },
    })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }) =>
          data === undefined || data.count === 0
            ? []
            : [[data.id, data.count === countMax ? `${countMax}+` : String(data.count)]],
        ),
      ),
  })
