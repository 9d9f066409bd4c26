// One destination: its state, settings, test, changes and deliveries.
import type { Destination } from "@footfall/sdk"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useMe } from "../../session/use-session.ts"
import { Badge } from "../../ui/badge.tsx"
import { Copy } from "../../ui/copy.tsx"
import { Read } from "../../ui/read.tsx"
import { Screen } from "../../ui/screen.tsx"
import { count, Time } from "../../ui/time.tsx"
import { BackToAudience } from "../back.tsx"
import { useDestination } from "../queries.ts"
import { deliveryErrorWords, destinationTones, destinationWords } from "../words.ts"
import { Deliveries } from "./deliveries.tsx"
import { DestinationChanges } from "./destination-changes.tsx"
import { DestinationTest } from "./destination-test.tsx"
import { eventWords } from "./webhook-fields.tsx"
import "../audiences.css"

const DestinationScreen = () => {
  const { audienceId, destinationId } = useParams({
    from: "/signed/audiences/$audienceId/destinations/$destinationId",
  })
  const navigate = useNavigate()
  const query = useDestination(audienceId, destinationId)
  const { data } = query
  return (
    <Screen
      title={data?.name ?? "Destination"}
      actions={<BackToAudience audienceId={audienceId} />}
    >
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
  const { status } = destination
  return (
    <div className="record">
      <section className="stack" aria-label="State">
        <p>
          <Badge tone={destinationTones[status]}>{status.replaceAll("_", " ")}</Badge>
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
          <dt>Address</dt>
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
        </>
      )}
      <dt>People</dt>
      <dd>
        {validationPolicy === "none"
          ? "everyone"
          : "only whose address is known to take mail, or may take it"}
      </dd>
      <dt>Sent</dt>
      <dd>
        {count(stats.totalSynced)}, skipped {count(stats.totalSkipped)}, failed{" "}
        {count(stats.totalFailed)}
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

const fieldsText = (mapping: Readonly<Record<string, string>>): string =>
  Object.entries(mapping)
    .map(([field, attribute]) => `${field}: ${attribute}`)
    .join(", ") || "none"

export default DestinationScreen
