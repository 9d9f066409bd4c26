// The destinations of an audience with their states, and a button to add one.
import type { Audience, Destination, DestinationWithSecret } from "@footfall/sdk"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useMe } from "../../session/use-session.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Read } from "../../ui/read.tsx"
import { count } from "../../ui/time.tsx"
import { SecretDialog } from "../../webhooks/secret.tsx"
import { useDestinations } from "../queries.ts"
import { destinationTones, targetOf } from "../words.ts"
import { CreateDestination } from "./create-destination.tsx"

export const Destinations = ({ audience }: { readonly audience: Audience }) => {
  const { canWrite } = useMe()
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<DestinationWithSecret | null>(null)
  const navigate = useNavigate()
  const query = useDestinations(audience.id)
  /** The destination's page is where it's tested and approved. */
  const open = ({ destination }: DestinationWithSecret) =>
    navigate({
      to: "/audiences/$audienceId/destinations/$destinationId",
      params: { audienceId: audience.id, destinationId: destination.id },
      search: true,
    })
  return (
    <section className="stack" aria-label="Destinations">
      <div className="spread">
        <h2>Destinations</h2>
        {canWrite && <Button onClick={() => setCreating(true)}>Create a destination</Button>}
      </div>
      <Read query={query}>
        {(destinations) =>
          destinations.length === 0 ? (
            <p className="soft">
              No destination yet. A destination gets the people of every completed run: a webhook,
              or a mailing list at your provider.
            </p>
          ) : (
            <ul className="stack">
              {destinations.map((destination) => (
                <Line key={destination.id} destination={destination} />
              ))}
            </ul>
          )
        }
      </Read>
      {isCreating && (
        <CreateDestination
          audienceId={audience.id}
          onClose={() => setCreating(false)}
          onCreated={(made) => {
            setCreating(false)
            if (made.webhookSecret === null) return open(made)
            setCreated(made)
          }}
        />
      )}
      {created?.webhookSecret && (
        <SecretDialog secret={created.webhookSecret} onClose={() => void open(created)} />
      )}
    </section>
  )
}

const Line = ({ destination }: { readonly destination: Destination }) => {
  const { audienceId, id, name, stats, status } = destination
  return (
    <li className="spread">
      <span className="break">
        <Link
          to="/audiences/$audienceId/destinations/$destinationId"
          params={{ audienceId, destinationId: id }}
          search={true}
        >
          {name}
        </Link>
        <span className="soft small">
          {" "}
          {targetOf(destination)} · {count(stats.totalSynced)} sent
        </span>
      </span>
      <Badge tone={destinationTones[status]}>{status.replaceAll("_", " ")}</Badge>
    </li>
  )
}
