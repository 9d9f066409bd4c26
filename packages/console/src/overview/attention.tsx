// Only what needs attention: failing webhooks, deliveries that wait or did not reach everyone, silent pixels, and credits
// running out.
import type { AccountStatus, Delivery, Pixel, VisitorWebhook } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { pixelsQuery } from "../frame/scope.tsx"
import { accountQuery, audiencesQuery, webhooksQuery } from "../queries.ts"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { useNow } from "../ui/now.ts"
import { count, plural, Time } from "../ui/time.tsx"
import { isolated } from "../ui/isolated.ts"

interface Need {
  readonly id: string
  readonly what: string
  readonly since: string | null
  readonly to: string
}

/** A pixel without events for this long counts as silent. */
const quietMs = 24 * 3_600_000

/** Warn about credits from this share on. */
const creditShare = 0.9

export const Attention = () => {
  const needs = useNeeds()
  if (needs.length === 0) return null
  return (
    <section className="attention" aria-label="Needs attention">
      <h2>Needs attention</h2>
      <ul className="lines">
        {needs.map(({ id, since, to, what }) => (
          <li key={id} className="break">
            <Link to={to}>{what}</Link>
            {since !== null && (
              <span className="small">
                {" "}
                <Time at={since} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const useNeeds = (): ReadonlyArray<Need> => {
  const { canWrite } = useMe()
  const nowMs = useNow()
  const { data: webhooks = [] } = useQuery({ ...webhooksQuery, enabled: canWrite })
  const { data: pixels = [] } = useQuery(pixelsQuery)
  const { data: account } = useQuery(accountQuery)
  const deliveries = useTroubled(canWrite && account?.intent.enabled === true)
  return [
    ...(account === undefined ? [] : creditNeeds(account)),
    ...webhooks.flatMap(webhookNeeds),
    ...deliveries.map(deliveryNeed),
    ...pixels.flatMap((pixel) => pixelNeeds(pixel, nowMs)),
  ]
}

/**
 * Deliveries of active audiences that wait because the receiver couldn't take them, and the latest of each destination
 * if some contacts did not get it.
 */
const useTroubled = (isEnabled: boolean) => {
  const audiences = useQuery({ ...audiencesQuery, enabled: isEnabled })
  const active = audiences.data?.filter(({ status }) => status === "active") ?? []
  const { data = [] } = useQuery({
    queryKey: ["deliveries", "troubled", active.map(({ id }) => id)],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(
        active.map(async ({ id, name }) => {
          const { data } = await footfall.deliveries.list(id, { limit: 20 }, { signal })
          const isLatest = ({ destinationId, id }: Delivery): boolean =>
            data.find(
              (other) => other.destinationId === destinationId && other.status === "completed",
            )?.id === id
          return data
            .filter((delivery) =>
              delivery.status === "queued"
                ? delivery.errorCode !== null
                : delivery.failedCount > 0 && isLatest(delivery),
            )
            .map((delivery) => ({ delivery, name }))
        }),
      )
      return found.flat()
    },
    enabled: active.length > 0,
    staleTime: 60_000,
  })
  return data
}

const deliveryNeed = ({
  delivery,
  name,
}: {
  readonly delivery: Delivery
  readonly name: string
}): Need => ({
  id: delivery.id,
  what:
    delivery.status === "completed"
      ? isolated`A delivery of audience ${name} did not reach ${plural(delivery.failedCount, "contact")}`
      : isolated`A delivery of audience ${name} is waiting: ${delivery.errorMessage ?? delivery.errorCode ?? ""}`,
  since: delivery.updatedAt,
  to: `/audiences/${delivery.audienceId}/deliveries/${delivery.id}`,
})

const webhookNeeds = ({
  id,
  name,
  retrying,
  stats,
  status,
}: VisitorWebhook): ReadonlyArray<Need> => {
  const need = (what: string): Need => ({
    id,
    what,
    since: stats.lastErrorAt,
    to: `/webhooks/${id}`,
  })
  if (status === "auto_disabled") {
    return [need(isolated`Alert ${name} was turned off because its receiver kept failing`)]
  }
  if (retrying === null) return []
  const failures = plural(retrying.count, "time")
  return [need(isolated`Alert ${name} failed ${failures} in a row: ${retrying.errorMessage ?? ""}`)]
}

const pixelNeeds = (
  { createdAt, domain, id, lastEventAt, pausedReason, status }: Pixel,
  nowMs: number,
): ReadonlyArray<Need> => {
  const need = (what: string): Need => ({ id, what, since: lastEventAt, to: `/pixels/${id}` })
  if (pausedReason === "organization_inactive") {
    return [need(isolated`The site ${domain} is paused because the organization is not active`)]
  }
  if (status !== "active" || nowMs - Date.parse(lastEventAt ?? createdAt) < quietMs) return []
  return [
    need(
      lastEventAt === null
        ? isolated`The site ${domain} has not recorded anything yet`
        : isolated`The site ${domain} has gone silent. Its last event was`,
    ),
  ]
}

const creditNeeds = ({ credits }: AccountStatus): ReadonlyArray<Need> => {
  const { heldBack, limit, used } = credits
  const need = (what: string): Need => ({ id: "credits", what, since: null, to: "/settings" })
  if (heldBack > 0)
    return [need(`${plural(heldBack, "person is waiting", "people are waiting")} for a credit`)]
  if (limit === null || used < limit * creditShare) return []
  return [need(`${count(used)} of ${plural(limit, "credit")} used this month`)]
}
