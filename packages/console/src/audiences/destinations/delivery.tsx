// One delivery: a bar of sent, skipped and failed contacts, and each failed contact with the receiver's answer.
import type { Delivery } from "@footfall/sdk"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { footfall } from "../../session/session.ts"
import { useMe } from "../../session/use-session.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Copy } from "../../ui/copy.tsx"
import { Empty } from "../../ui/empty.tsx"
import { Problem } from "../../ui/problem.tsx"
import { Read } from "../../ui/read.tsx"
import { Screen } from "../../ui/screen.tsx"
import { plural, Time } from "../../ui/time.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { BackToAudience } from "../back.tsx"
import { useDelivery } from "../queries.ts"
import { deliveryTones, deliveryWords } from "../words.ts"
import { DeliveryBar } from "./delivery-bar.tsx"
import { Failures } from "./failures.tsx"
import "../audiences.css"

const DeliveryScreen = () => {
  const { audienceId, deliveryId } = useParams({
    from: "/signed/audiences/$audienceId/deliveries/$deliveryId",
  })
  const { canWrite } = useMe()
  return (
    <Screen title="Delivery" actions={<BackToAudience audienceId={audienceId} />}>
      {canWrite ? (
        <Content audienceId={audienceId} deliveryId={deliveryId} />
      ) : (
        <Empty title="Only members see deliveries">
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
              <Badge tone={deliveryTones[delivery.status]}>{delivery.status}</Badge>
            </p>
            <p role="status" className="break">
              {deliveryWords(delivery)} {delivery.errorMessage}
            </p>
            <DeliveryBar delivery={delivery} />
            <Actions delivery={delivery} />
          </section>
          <Facts delivery={delivery} />
          <Failures key={deliveryId} delivery={delivery} />
        </div>
      )}
    </Read>
  )
}

const Actions = ({ delivery }: { readonly delivery: Delivery }) => {
  const { audienceId, failedCount, id, status } = delivery
  const navigate = useNavigate()
  const changes = [["audiences", audienceId]]
  const retry = useWrite({
    write: async () => footfall.deliveries.retry(audienceId, id),
    changes,
    notice: () => ({ text: "Queued a delivery of the contacts that failed" }),
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
        {status === "queued" && (
          <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel the delivery
          </Button>
        )}
      </div>
      <Problem error={retry.error} title="The delivery was not retried" />
      <Problem error={cancel.error} />
    </>
  )
}

const modes = {
  initial: "the first delivery: everyone",
  incremental: "what changed since the last delivery",
  full_resync: "everyone again",
} as const

const Facts = ({ delivery }: { readonly delivery: Delivery }) => {
  const { audienceId, completedAt, createdAt, destinationId, id, mode } = delivery
  const { nextAttemptAt, retryOfDeliveryId, sourceRunId } = delivery
  return (
    <dl className="facts">
      <dt>Sends</dt>
      <dd>{retryOfDeliveryId === null ? modes[mode] : "what failed in an earlier delivery"}</dd>
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
          the run
        </Link>
      </dd>
      <dt>To</dt>
      <dd>
        <Link
          to="/audiences/$audienceId/destinations/$destinationId"
          params={{ audienceId, destinationId }}
          search={true}
        >
          the destination
        </Link>
      </dd>
      <dt>Id</dt>
      <dd>
        <Copy text={id} label="id" />
      </dd>
    </dl>
  )
}

export default DeliveryScreen
