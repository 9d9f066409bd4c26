// One destination: its state, settings, test, changes and deliveries.
import type { Delivery, Destination, OnLeave } from "@footfall/sdk"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { useMe } from "../../session/use-session.ts"
import { Badge } from "../../ui/badge.tsx"
import { Copy } from "../../ui/copy.tsx"
import { Read } from "../../ui/read.tsx"
import { Screen } from "../../ui/screen.tsx"
import { count, Time } from "../../ui/time.tsx"
import {
  useDeliveries,
  useDestination,
  useReloadWhenFinished,
  useAudienceParent,
} from "../queries.ts"
import { DeliveryState } from "./delivery-state.tsx"
import { deliveryErrorWords, destinationState, destinationWords } from "../words.ts"
import { DestinationChanges } from "./destination-changes.tsx"
import { eventWords } from "./webhook-fields.tsx"
import { footfall } from "../../session/session.ts"
import { Button } from "../../ui/button.tsx"
import { Problem } from "../../ui/problem.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { isolated } from "../../ui/isolated.ts"
import "../audiences.css"

const DestinationScreen = () => {
  const { audienceId, destinationId } = useParams({
    from: "/signed/audiences/$audienceId/destinations/$destinationId",
  })
  const navigate = useNavigate()
  const query = useDestination(audienceId, destinationId)
  const { data } = query
  return (
    <Screen title={data?.name ?? "Destination"} parent={useAudienceParent(audienceId)}>
      <Read query={query}>
        {(destination) => (
          <Content
            destination={destination}
            onDeleted={() =>
              navigate({ to: "/audiences/$audienceId", params: { audienceId }, search: true })
            }
          />
        )}
      </Read>
    </Screen>
  )
}

interface ContentProps {
  readonly destination: Destination
  readonly onDeleted: () => unknown
}

const Content = ({ destination, onDeleted }: ContentProps) => {
  const { canWrite } = useMe()
  const [tone, state] = destinationState(destination)
  return (
    <div className="record">
      <section className="stack" aria-label="State">
        <p>
          <Badge tone={tone}>{state}</Badge>
        </p>
        <p role="status" className="break">
          {destinationWords(destination)}
        </p>
        {canWrite && <DestinationChanges destination={destination} onDeleted={onDeleted} />}
      </section>
      <section className="stack" aria-label="Settings">
        <h2>Settings</h2>
        <Facts destination={destination} />
      </section>
      {canWrite && <DestinationTest destination={destination} />}
      {canWrite && <Deliveries destination={destination} />}
    </div>
  )
}

const Facts = ({ destination }: { readonly destination: Destination }) => {
  const { id, stats, validationPolicy } = destination
  return (
    <dl className="facts">
      {destination.destinationType === "webhook" ? (
        <>
          <dt>URL</dt>
          <dd>
            <Copy text={destination.webhook.url} label="address" />
          </dd>
          <dt>Requests</dt>
          <dd>
            {eventWords
              .filter(([event]) => destination.webhook.eventTypes.includes(event))
              .map(([, text]) => text)
              .join(", ")}
          </dd>
          {destination.webhook.headers.length > 0 && (
            <>
              <dt>Headers</dt>
              <dd>{destination.webhook.headers.join(", ")}</dd>
            </>
          )}
          <dt>Body</dt>
          <dd>{bodyWords[destination.webhook.body]}</dd>
        </>
      ) : (
        <>
          <dt>Account</dt>
          <dd>
            {destination.automation.connectedAccount.accountName ??
              destination.automation.connectedAccount.appName}
            , {destination.automation.connectedAccount.status}
          </dd>
          <dt>List</dt>
          <dd>{destination.automation.config.listName ?? destination.automation.config.listId}</dd>
          <dt>Fields</dt>
          <dd>{fieldsText(destination.automation.config.fieldMapping)}</dd>
          <dt>Tags</dt>
          <dd>{destination.automation.config.tags.join(", ") || "none"}</dd>
          <dt>Who leaves</dt>
          <dd>{leavingWords[destination.automation.config.onLeave]}</dd>
          <dt>Who is erased</dt>
          <dd>
            {destination.automation.config.eraseAtProvider
              ? "is deleted at the service too"
              : "stays at the service"}
          </dd>
        </>
      )}
      <dt>People</dt>
      <dd>
        {validationPolicy === "none"
          ? "everyone"
          : "only people whose address accepts mail, or may accept it"}
      </dd>
      <dt>Sent</dt>
      <dd>
        {count(stats.totalSynced)}, skipped {count(stats.totalSkipped)}, failed{" "}
        {count(stats.totalFailed)}, removed {count(stats.totalRemoved)}
      </dd>
      {stats.lastErrorAt !== null && (
        <>
          <dt>Last error</dt>
          <dd>
            <Time at={stats.lastErrorAt} />: {deliveryErrorWords(stats.lastErrorCode ?? "")}{" "}
            {stats.lastErrorMessage}
          </dd>
        </>
      )}
      <dt>Id</dt>
      <dd>
        <Copy text={id} label="id" />
      </dd>
    </dl>
  )
}

const bodyWords = {
  standard: "Footfall's event",
  cloudevents: "CloudEvents 1.0",
  template: "a template for each person",
} as const

const leavingWords: Readonly<Record<OnLeave, string>> = {
  keep: "stays on the list",
  remove_tag: "loses the audience's tag",
  remove_from_list: "leaves the list",
}

const fieldsText = (mapping: Readonly<Record<string, string>>): string =>
  Object.entries(mapping)
    .map(([field, attribute]) => `${field}: ${attribute}`)
    .join(", ") || "none"

// Sends one sample request and shows the receiver's response. For a mailing list it checks the
// account and the list.
const DestinationTest = ({ destination }: { readonly destination: Destination }) => {
  const { audienceId, destinationType, id } = destination
  const test = useWrite({ write: () => footfall.destinations.test(audienceId, id) })
  const { data } = test
  const isWebhook = destinationType === "webhook"
  return (
    <section className="stack" aria-label="Test">
      <div className="spread">
        <h2>Test</h2>
        <Button isBusy={test.isPending} onClick={() => test.mutate()}>
          {isWebhook ? "Send a sample request" : "Check account and list"}
        </Button>
      </div>
      <Problem error={test.error} />
      <div role="status">
        {data !== undefined && (
          <p className="break">
            <Badge tone={data.ok ? "good" : "bad"}>{data.ok ? "works" : "failed"}</Badge>{" "}
            {data.statusCode !== null && `The receiver responded with HTTP ${data.statusCode} `}
            {data.statusCode === null ? "After" : "after"} {data.latencyMs} ms.{" "}
            {data.error !== null && deliveryErrorWords(data.error)}
          </p>
        )}
      </div>
    </section>
  )
}

// Deliveries to a destination, newest first, and a button to send now.

/** How many deliveries to show at first, and the server's maximum. */
const limits = [10, 100] as const

const Deliveries = ({ destination }: { readonly destination: Destination }) => {
  const { audienceId, id } = destination
  const [limit, setLimit] = useState<number>(limits[0])
  const query = useDeliveries(audienceId, id, limit)
  // The destination shows how many contacts it has received.
  useReloadWhenFinished(id, query.data?.deliveries)
  return (
    <section className="stack" aria-label="Deliveries">
      <h2>Deliveries</h2>
      {destination.status === "active" && <SendNow destination={destination} />}
      <Read query={query}>
        {({ deliveries, total }) => (
          <>
            {deliveries.length === 0 && <p className="soft">Nothing has been sent yet.</p>}
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
    notice: () => ({ text: isolated`Queued a delivery to ${destination.name}` }),
  })
  return (
    <>
      <div className="row">
        <Button
          kind={initialSyncCompletedAt === null ? "primary" : "normal"}
          isBusy={sync.isPending}
          onClick={() => sync.mutate("incremental")}
        >
          {initialSyncCompletedAt === null ? "Send now" : "Send changes"}
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
  const { audienceId, createdAt, id, mode, sentCount } = delivery
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
        {count(sentCount)} sent
        <DeliveryState delivery={delivery} />
      </span>
    </li>
  )
}

export default DestinationScreen
