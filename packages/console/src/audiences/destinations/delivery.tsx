// One delivery: a bar of sent, skipped and failed contacts, and each failed contact with the
// receiver's response.
import type { Delivery, DeliveryFailure, ListMeta } from "@footfall/sdk"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { footfall } from "../../session/session.ts"
import { useMe } from "../../session/use-session.ts"
import { Button } from "../../ui/button.tsx"
import { Copy } from "../../ui/copy.tsx"
import { Empty } from "../../ui/empty.tsx"
import { Problem } from "../../ui/problem.tsx"
import { Read, Waiting } from "../../ui/read.tsx"
import { Screen } from "../../ui/screen.tsx"
import { count, plural, Time } from "../../ui/time.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { useDelivery, useDestination, useRun, useAudienceParent } from "../queries.ts"
import { deliveryErrorWords, deliveryWords } from "../words.ts"
import { Bars } from "../../plots/bars.tsx"
import { usePages } from "../../ui/pages.ts"
import { Rest } from "../../ui/rest.tsx"
import { Contacts, useContacts } from "./contacts.tsx"
import { DeliveryState } from "./delivery-state.tsx"
import { FailedContact } from "./failed-contact.tsx"
import "../audiences.css"

const DeliveryScreen = () => {
  const { audienceId, deliveryId } = useParams({
    from: "/signed/audiences/$audienceId/deliveries/$deliveryId",
  })
  const { canWrite } = useMe()
  return (
    <Screen title="Delivery" parent={useAudienceParent(audienceId)}>
      {canWrite ? (
        <Content audienceId={audienceId} deliveryId={deliveryId} />
      ) : (
        <Empty title="Viewers can't see deliveries">
          Your role is viewer. An admin or owner can change it under Settings, Members.
        </Empty>
      )}
    </Screen>
  )
}

interface ContentProps {
  readonly audienceId: string
  readonly deliveryId: string
}

const Content = ({ audienceId, deliveryId }: ContentProps) => {
  const query = useDelivery(audienceId, deliveryId)
  return (
    <Read query={query}>
      {(delivery) => (
        <div className="record">
          <section className="stack" aria-label="State">
            <p>
              <DeliveryState delivery={delivery} />
            </p>
            <p role="status" className="break">
              {deliveryWords(delivery)} {delivery.errorMessage}
            </p>
            <DeliveryBar delivery={delivery} />
            <Actions delivery={delivery} />
          </section>
          <Facts delivery={delivery} />
          <Failures key={deliveryId} delivery={delivery} />
          <Contacts key={`${deliveryId} contacts`} delivery={delivery} />
        </div>
      )}
    </Read>
  )
}

const Actions = ({ delivery }: { readonly delivery: Delivery }) => {
  const { audienceId, errorCode, failedCount, id, status } = delivery
  const navigate = useNavigate()
  const changes = [["audiences", audienceId]]
  const retry = useWrite({
    write: async () => footfall.deliveries.retry(audienceId, id),
    changes,
    notice: () => ({ text: "Queued a retry of the failed contacts" }),
    onDone: (queued) =>
      navigate({
        to: "/audiences/$audienceId/deliveries/$deliveryId",
        params: { audienceId, deliveryId: queued.id },
        search: true,
      }),
  })
  const cancel = useWrite({
    write: () => footfall.deliveries.cancel(audienceId, id),
    changes,
    notice: () => ({ text: "Cancelled the delivery" }),
  })
  const approve = useWrite({
    write: () => footfall.deliveries.approve(audienceId, id),
    changes,
    notice: () => ({ text: "Approved the removals" }),
  })
  const isWaiting = status === "queued" && errorCode === "REMOVALS_NEED_APPROVAL"
  const canRetry = status === "failed" || (status === "completed" && failedCount > 0)
  return (
    <>
      <div className="row">
        {canRetry && (
          <Button kind="primary" isBusy={retry.isPending} onClick={() => retry.mutate()}>
            {failedCount > 0
              ? `Retry ${plural(failedCount, "failed contact")}`
              : "Retry the delivery"}
          </Button>
        )}
        {isWaiting && (
          <Button kind="primary" isBusy={approve.isPending} onClick={() => approve.mutate()}>
            Approve the removals
          </Button>
        )}
        {status === "queued" && (
          <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel the delivery
          </Button>
        )}
      </div>
      <Problem error={retry.error} title="The delivery was not retried" />
      <Problem error={approve.error} title="The removals were not approved" />
      <Problem error={cancel.error} />
    </>
  )
}

const modes = {
  initial: "everyone (first delivery)",
  incremental: "changes since the last delivery",
  full_resync: "everyone again",
} as const

const Facts = ({ delivery }: { readonly delivery: Delivery }) => {
  const { audienceId, completedAt, createdAt, destinationId, id, mode } = delivery
  const { nextAttemptAt, retryOfDeliveryId, sourceRunId } = delivery
  const run = useRun(audienceId, sourceRunId)
  const destination = useDestination(audienceId, destinationId)
  return (
    <dl className="facts">
      <dt>Sends</dt>
      <dd>
        {retryOfDeliveryId === null ? modes[mode] : "contacts that failed in an earlier delivery"}
      </dd>
      <dt>Queued</dt>
      <dd>
        <Time at={createdAt} shape="full" />
      </dd>
      <dt>Done</dt>
      <dd>
        <Time at={completedAt} shape="full" none="not yet" />
      </dd>
      {nextAttemptAt !== null && (
        <>
          <dt>Next attempt</dt>
          <dd>
            <Time at={nextAttemptAt} />
          </dd>
        </>
      )}
      <dt>From</dt>
      <dd>
        <Link
          to="/audiences/$audienceId/runs/$runId"
          params={{ audienceId, runId: sourceRunId }}
          search={true}
        >
          run of <Time at={run.data?.createdAt ?? null} shape="full" none="…" />
        </Link>
      </dd>
      <dt>To</dt>
      <dd>
        <Link
          to="/audiences/$audienceId/destinations/$destinationId"
          params={{ audienceId, destinationId }}
          search={true}
        >
          {destination.data?.name ?? "…"}
        </Link>
      </dd>
      <dt>Id</dt>
      <dd>
        <Copy text={id} label="id" />
      </dd>
    </dl>
  )
}

// A bar of what happened to a delivery's contacts. Each part is also labeled below it.
const DeliveryBar = ({ delivery }: { readonly delivery: Delivery }) => {
  const { failedCount, processedCount, removedCount, sentCount, skippedCount } = delivery
  const { sourceCount } = delivery
  const total = Math.max(1, sourceCount, processedCount)
  const parts = [
    ["sent", sentCount],
    ["skipped", skippedCount],
    ["failed", failedCount],
  ] as const
  const starts = [0, sentCount, sentCount + skippedCount]
  return (
    <figure className="stack" aria-label="Contacts">
      <svg
        className="delivery-bar"
        viewBox="0 0 100 10"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {parts.map(([name, value], index) => (
          <rect
            key={name}
            className={name}
            x={((starts[index] ?? 0) / total) * 100}
            width={(value / total) * 100}
            height="10"
          />
        ))}
      </svg>
      <figcaption className="row">
        <span>{plural(sourceCount, "contact")}:</span>
        {parts.map(([name, value]) => (
          <span key={name} className={`key ${name}`}>
            {count(value)} {name}
          </span>
        ))}
        {sourceCount > processedCount && (
          <span className="key">{count(sourceCount - processedCount)} left</span>
        )}
      </figcaption>
      {removedCount > 0 && (
        <p>Removed because they left the audience or were suppressed: {count(removedCount)}.</p>
      )}
      {skippedCount > 0 && (
        <p className="soft small">
          Skipped contacts were suppressed after the run, have no email address that this
          destination can use, or have one that may not accept mail.
        </p>
      )}
    </figure>
  )
}

// The failed contacts of a delivery, with the reasons for those shown.

/** Contacts per page. Each is asked for by itself, for its attempts and the receiver's response. */
const pageSize = 10

const Failures = ({ delivery }: { readonly delivery: Delivery }) => {
  const { audienceId, failedCount, id } = delivery
  const failures = usePages<DeliveryFailure, ListMeta>({
    // Load the list again when the count of failed contacts changes.
    key: ["audiences", audienceId, "delivery", id, "failures", failedCount],
    load: (cursor, signal) =>
      footfall.deliveries.failures(audienceId, id, { limit: pageSize, cursor }, { signal }),
    isEnabled: failedCount > 0,
  })
  // In the same order, with names and addresses.
  const contacts = useContacts(delivery, "failed", pageSize)
  if (failedCount === 0) return null
  return (
    <section className="stack" aria-label="Failed contacts">
      <h2>Failed contacts</h2>
      <Problem error={failures.error} onRetry={failures.retry} />
      {failures.isPending && <Waiting />}
      {failures.rows.length > 0 && <Reasons rows={failures.rows} />}
      <ul className="stack">
        {failures.rows.map((failure) => (
          <FailedContact
            key={failure.hashedEmail}
            delivery={delivery}
            failure={failure}
            contact={contacts.rows.find(({ hashedEmail }) => hashedEmail === failure.hashedEmail)}
          />
        ))}
      </ul>
      <Rest
        pages={{
          ...failures,
          onEnd: () => {
            failures.onEnd()
            contacts.onEnd()
          },
        }}
        verb="Show more contacts"
      />
    </section>
  )
}

/** Counts only the contacts shown. */
const Reasons = ({ rows }: { readonly rows: ReadonlyArray<DeliveryFailure> }) => {
  const counts = new Map<string, number>()
  for (const { errorCode } of rows) counts.set(errorCode, (counts.get(errorCode) ?? 0) + 1)
  return (
    <Bars
      label="Reasons"
      unit="Contacts"
      rows={[...counts].map(([code, value]) => ({
        name: code,
        title: deliveryErrorWords(code),
        value,
      }))}
    />
  )
}

export default DeliveryScreen
