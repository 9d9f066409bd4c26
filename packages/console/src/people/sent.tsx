// Webhook events sent about a person, across all webhooks, newest first.
import { useQueries, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { webhooksQuery } from "../queries.ts"
import { footfall } from "../session/session.ts"
import { Badge } from "../ui/badge.tsx"
import { Problem } from "../ui/problem.tsx"
import { Time } from "../ui/time.tsx"
import { deliveryTones } from "../webhooks/history.tsx"

/** Maximum number of events, both per webhook and in total. */
const shownMax = 10

export const Sent = ({ visitorHash }: { readonly visitorHash: string }) => {
  const webhooks = useQuery(webhooksQuery)
  const { error, events, isPending, total } = useQueries({
    queries: (webhooks.data ?? []).map(({ id }) => ({
      queryKey: ["webhooks", id, "history", "of", visitorHash],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const params = { visitorHash, limit: shownMax }
        const { data, meta } = await footfall.webhooks.deliveries(id, params, { signal })
        return { data, total: meta.total }
      },
    })),
    combine: (found) => ({
      events: found
        .flatMap(({ data }) => data?.data ?? [])
        .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
        .slice(0, shownMax),
      total: found.reduce((sum, { data }) => sum + (data?.total ?? 0), 0),
      error: found.find((each) => each.error !== null)?.error ?? null,
      isPending: found.some((each) => each.isPending),
    }),
  })
  if (webhooks.data === undefined || webhooks.data.length === 0) return null
  const nameOf = (webhookId: string) => webhooks.data.find(({ id }) => id === webhookId)?.name
  return (
    <section className="stack" aria-label="What was sent about them">
      <h2>What was sent about them</h2>
      <Problem error={error} />
      {events.length === 0 && !isPending && error === null && (
        <p className="soft">No webhook has sent an event about this person.</p>
      )}
      <ul className="lines">
        {events.map((event) => (
          <li key={event.id} className="spread">
            <span className="cut">
              <Badge tone={deliveryTones[event.status]}>{event.status}</Badge>{" "}
              <Link to="/webhooks/$webhookId" params={{ webhookId: event.webhookId }} search={true}>
                {nameOf(event.webhookId)}
              </Link>{" "}
              <span className="soft small">
                {event.event}
                {event.statusCode !== null && ` · HTTP ${event.statusCode}`}
              </span>
            </span>
            <span className="soft small">
              <Time at={event.createdAt} />
            </span>
          </li>
        ))}
      </ul>
      {total > events.length && (
        <p className="soft small">
          The newest {events.length} of {total}.
        </p>
      )}
    </section>
  )
}
