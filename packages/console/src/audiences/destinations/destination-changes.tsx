// What a member can do with a destination: approve, pause, resume, edit or delete it, and rotate its secret.
import type { Destination } from "@footfall/sdk"
import { useState } from "react"
import { footfall } from "../../session/session.ts"
import { Button } from "../../ui/button.tsx"
import { Confirm } from "../../ui/confirm.tsx"
import { Problem } from "../../ui/problem.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { SecretDialog } from "../../webhooks/secret.tsx"
import { EditDestination } from "./edit-destination.tsx"
import { targetOf } from "../words.ts"

interface DestinationChangesProps {
  readonly destination: Destination
  readonly onDeleted: () => unknown
}

type Opened = "approve" | "edit" | "rotate" | "delete"

export const DestinationChanges = ({ destination, onDeleted }: DestinationChangesProps) => {
  const { destinationType, status } = destination
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const turn = useTurn(destination, close)
  const isActive = status === "active"
  return (
    <>
      <div className="row">
        {status === "draft" ? (
          <Button kind="primary" onClick={() => setOpened("approve")}>
            Approve…
          </Button>
        ) : (
          <Button
            kind={isActive ? "normal" : "primary"}
            isBusy={turn.isPending}
            onClick={() => turn.mutate(isActive ? "paused" : "active")}
          >
            {isActive ? "Pause" : status === "paused" ? "Resume" : "Activate"}
          </Button>
        )}
        <Button onClick={() => setOpened("edit")}>Edit</Button>
        {destinationType === "webhook" && (
          <Button onClick={() => setOpened("rotate")}>New secret…</Button>
        )}
        <Button isDanger onClick={() => setOpened("delete")}>
          Delete…
        </Button>
      </div>
      {opened !== "approve" && <Problem error={turn.error} />}
      {opened === "approve" && (
        <Confirm
          title="Approve this destination?"
          verb="Approve and activate"
          isSafe
          isBusy={turn.isPending}
          error={turn.error}
          onConfirm={() => turn.mutate("active")}
          onClose={close}
        >
          <p className="break">
            From now on the people of every completed run are sent to{" "}
            <strong>{targetOf(destination)}</strong>. Press Send now to start the first delivery.
          </p>
        </Confirm>
      )}
      {opened === "edit" && <EditDestination destination={destination} onClose={close} />}
      {opened === "rotate" && <Rotate destination={destination} onClose={close} />}
      {opened === "delete" && (
        <Delete destination={destination} onClose={close} onDeleted={onDeleted} />
      )}
    </>
  )
}

const changesOf = ({ audienceId }: Destination) => [["audiences", audienceId]]

const useTurn = (destination: Destination, onDone: () => void) => {
  const { audienceId, id, name } = destination
  return useWrite({
    write: (status: "active" | "paused") =>
      footfall.destinations.update(audienceId, id, { status }),
    changes: changesOf(destination),
    notice: ({ status }) => ({ text: `${name} is ${status}` }),
    onDone,
  })
}

interface OpenedProps {
  readonly destination: Destination
  readonly onClose: () => void
}

const Rotate = ({ destination, onClose }: OpenedProps) => {
  const { audienceId, id } = destination
  const rotate = useWrite({ write: () => footfall.destinations.rotateSecret(audienceId, id) })
  const secret = rotate.data?.webhookSecret ?? null
  return secret === null ? (
    <Confirm
      title="Make a new signing secret?"
      verb="Make a new secret"
      isBusy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>For 24 hours requests are signed with both secrets; after that with the new one alone.</p>
    </Confirm>
  ) : (
    <SecretDialog secret={secret} onClose={onClose} />
  )
}

const Delete = ({
  destination,
  onClose,
  onDeleted,
}: OpenedProps & Pick<DestinationChangesProps, "onDeleted">) => {
  const { audienceId, id, name } = destination
  const remove = useWrite({
    write: () => footfall.destinations.delete(audienceId, id),
    notice: () => ({ text: `Deleted destination ${name}` }),
    onDone: onDeleted,
    changes: [["audiences", audienceId, "destinations"]],
  })
  return (
    <Confirm
      title={`Delete destination ${name}?`}
      verb="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>Nothing more is sent to it. What was delivered stays with its receiver.</p>
    </Confirm>
  )
}
