// Deliveries to a destination, newest first, and a button to send now.
import type { Delivery, Destination } from "@footfall/sdk"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { footfall } from "../../session/session.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Problem } from "../../ui/problem.tsx"
import { Read } from "../../ui/read.tsx"
import { count, Time } from "../../ui/time.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { useDeliveries, useReadWhenOver } from "../queries.ts"
import { deliveryTones } from "../words.ts"

/** How many deliveries to show at first, and the server's maximum. */
const limits = [10, 100] as const

export const Deliveries = ({ destination }: { readonly destination: Destination }) => {
  const { audienceId, id } = destination
  const [limit, setLimit] = useState<number>(limits[0])
  const query = useDeliveries(audienceId, id, limit)
  // The destination shows how many contacts it got.
  useReadWhenOver(id, query.data?.deliveries)
  return (
    <section className="stack" aria-label="Deliveries">
      <h2>Deliveries</h2>
      {destination.status === "active" && <SendNow destination={destination} />}
      <Read query={query}>
        {({ deliveries, total }) => (
          <>
            {deliveries.length === 0 && <p className="soft">Nothing was sent yet.</p>}
            <ul className="stack">
              {deliveries.map((delivery) => (
                <Line key={delivery.id} delivery={delivery} />
              ))}
            </ul>
            {total > deliveries.length && limit === limits[0] && (
              <Button onClick={() => setLimit(limits[1])}>Show earlier deliveries</Button>
            )}
          </>
        )}
      </Read>
    </section>
  )
}

const SendNow = ({ destination }: { readonly destination: Destination }) => {
  const { audienceId, id, initialSyncCompletedAt } = destination
  const sync = useWrite({
    write: async (mode: "incremental" | "full_resync") =>
      footfall.deliveries.sync(audienceId, id, { mode }),
    changes: [["audiences", audienceId]],
    notice: () => ({ text: `Queued a delivery to ${destination.name}` }),
  })
  return (
    <>
      <div className="row">
        <Button
          kind={initialSyncCompletedAt === null ? "primary" : "normal"}
          isBusy={sync.isPending}
          onClick={() => sync.mutate("incremental")}
        >
          {initialSyncCompletedAt === null ? "Send now" : "Send what changed"}
        </Button>
        {initialSyncCompletedAt !== null && (
          <Button isBusy={sync.isPending} onClick={() => sync.mutate("full_resync")}>
            Send everyone again
          </Button>
        )}
      </div>
      <Problem error={sync.error} title="Nothing was sent" />
    </>
  )
}

const modes = { initial: "first", incremental: "changes", full_resync: "everyone" } as const

const Line = ({ delivery }: { readonly delivery: Delivery }) => {
  const { audienceId, createdAt, failedCount, id, mode, sentCount, status } = delivery
  return (
    <li className="spread">
      <span>
        <Link
          to="/audiences/$audienceId/deliveries/$deliveryId"
          params={{ audienceId, deliveryId: id }}
          search={true}
        >
          Delivery <Time at={createdAt} shape="full" />
        </Link>{" "}
        <span className="soft small">{modes[mode]}</span>
      </span>
      <span className="row">
        {count(sentCount)} sent{failedCount > 0 && `, ${count(failedCount)} failed`}
        <Badge tone={deliveryTones[status]}>{status}</Badge>
      </span>
    </li>
  )
}
