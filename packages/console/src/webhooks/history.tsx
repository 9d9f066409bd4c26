// What a webhook sent, the receiver's responses, and a button to resend.
import type { ListMeta, WebhookDelivery } from "@footfall/sdk"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Badge } from "../ui/badge.tsx"
import { Button } from "../ui/button.tsx"
import { ChoiceField } from "../ui/field.tsx"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Read, Waiting } from "../ui/read.tsx"
import { Rest } from "../ui/rest.tsx"
import { plural, Time } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { statusChoices } from "../searches.ts"

export const deliveryTones = {
  queued: "neutral",
  succeeded: "good",
  failed: "bad",
  skipped: "warn",
} as const

export const History = ({ webhookId }: { readonly webhookId: string }) => {
  const { history: status = "" } = useSearch({ from: "/signed/webhooks/$webhookId" })
  const navigate = useNavigate({ from: "/webhooks/$webhookId" })
  const events = usePages<WebhookDelivery, ListMeta>({
    key: ["webhooks", webhookId, "history", status],
    load: (cursor, signal) =>
      footfall.webhooks.deliveries(
        webhookId,
        { status: status === "" ? undefined : status, cursor },
        { signal },
      ),
  })
  return (
    <section className="stack" aria-label="History">
      <div className="spread">
        <h2>History</h2>
        <ChoiceField
          label="State"
          isCompact
          choices={statusChoices}
          value={status}
          onValue={(next) =>
            void navigate({
              search: (old) => ({ ...old, history: next === "" ? undefined : next }),
              replace: true,
            })
          }
        />
      </div>
      <Problem error={events.error} onRetry={events.retry} />
      {events.isPending && <Waiting />}
      {!events.isPending && events.rows.length === 0 && (
        <p className="soft">No event{status !== "" && ` is ${status}`} yet.</p>
      )}
      <ul className="stack">
        {events.rows.map((event) => (
          <Event key={event.id} event={event} />
        ))}
      </ul>
      <Rest pages={events} verb="Show earlier events" />
    </section>
  )
}

const Event = ({ event }: { readonly event: WebhookDelivery }) => {
  const { canWrite } = useMe()
  const { attempts, errorMessage, responseSnippet, status, statusCode, visitorHash } = event
  const redeliver = useWrite({
    write: () => footfall.webhooks.redeliver(event.webhookId, event.id),
    changes: [["webhooks", event.webhookId]],
    notice: () => ({ text: "Queued the event again" }),
  })
  return (
    <li className="card stack">
      <div className="spread">
        <span>
          <Badge tone={deliveryTones[status]}>{status}</Badge> {event.event}
        </span>
        <span className="soft small">
          <Time at={event.createdAt} />
        </span>
      </div>
      <p className="small break">
        {statusCode !== null && `HTTP ${statusCode} · `}
        {plural(attempts, "attempt")}
        {errorMessage !== null && ` · ${errorMessage}`}
      </p>
      <Payload event={event} />
      {responseSnippet !== null && responseSnippet !== "" && (
        <details>
          <summary className="small">Response</summary>
          <pre className="snippet">{responseSnippet}</pre>
        </details>
      )}
      <div className="row small">
        {visitorHash !== null && (
          <Link to="/people/$visitorId" params={{ visitorId: visitorHash }} search={true}>
            View person
          </Link>
        )}
        {canWrite && status !== "queued" && (
          <Button kind="plain" isBusy={redeliver.isPending} onClick={() => redeliver.mutate()}>
            Send again
          </Button>
        )}
      </div>
      <Problem error={redeliver.error} />
    </li>
  )
}

/** Loads the body when opened. */
const Payload = ({ event: { attempts, id, webhookId } }: { readonly event: WebhookDelivery }) => {
  const [isOpen, setOpen] = useState(false)
  const query = useQuery({
    // Each attempt can have a different body.
    queryKey: ["webhooks", webhookId, "payload", id, attempts],
    queryFn: ({ signal }) => footfall.webhooks.delivery(webhookId, id, { signal }),
    enabled: isOpen,
  })
  if (attempts === 0) return null
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="small">Payload</summary>
      {isOpen && (
        <Read query={query}>
          {({ payload }) =>
            payload === null ? (
              <p className="soft small">
                The payload is no longer stored. The server keeps payloads for a few days, and none
                of an erased person.
              </p>
            ) : (
              <pre className="snippet">{indented(payload)}</pre>
            )
          }
        </Read>
      )}
    </details>
  )
}

const indented = (payload: string): string => {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}
