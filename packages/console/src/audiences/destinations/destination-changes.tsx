// What a member can do with a destination: approve, pause, resume, edit or delete it, and rotate its secret.
import type {
  AutomationDestination,
  Destination,
  DestinationUpdateParams,
  WebhookDestination,
} from "@footfall/sdk"
import { type ReactNode, useState } from "react"
import { footfall } from "../../session/session.ts"
import { Button } from "../../ui/button.tsx"
import { Confirm } from "../../ui/confirm.tsx"
import { Problem } from "../../ui/problem.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { SecretDialog } from "../../webhooks/secret.tsx"
import { targetOf } from "../words.ts"
import { TextField } from "../../ui/field.tsx"
import { FormDialog } from "../../ui/form-dialog.tsx"
import { listChoiceOf, listConfig, ListOfAccount } from "./list-fields.tsx"
import { isRequestReady, requestChanges, requestChoiceOf } from "./request-fields.tsx"
import { WebhookFields, type WebhookChoice } from "./webhook-fields.tsx"
import { isolated } from "../../ui/isolated.ts"

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
          <Button onClick={() => setOpened("rotate")}>Rotate secret…</Button>
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
            The people of every completed run will be sent to{" "}
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
    notice: ({ status }) => ({ text: isolated`${name} is ${status}` }),
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
      title="Rotate the signing secret?"
      verb="Rotate secret"
      isBusy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>Requests are signed with both secrets for 24 hours, then only with the new one.</p>
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
    notice: () => ({ text: isolated`Deleted destination ${name}` }),
    onDone: onDeleted,
    changes: [["audiences", audienceId, "destinations"]],
  })
  return (
    <Confirm
      title={isolated`Delete destination ${name}?`}
      verb="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        The server stops sending to it. Contacts that were already delivered stay with the receiver.
      </p>
    </Confirm>
  )
}

// Edits a destination. A new URL, other events or another list turn it back into a draft.
interface EditProps<Kind extends Destination> {
  readonly destination: Kind
  readonly onClose: () => void
}

const EditDestination = ({ destination, onClose }: EditProps<Destination>) =>
  destination.destinationType === "webhook" ? (
    <EditWebhook destination={destination} onClose={onClose} />
  ) : (
    <EditList destination={destination} onClose={onClose} />
  )

const EditWebhook = ({ destination, onClose }: EditProps<WebhookDestination>) => {
  const { validationPolicy, webhook } = destination
  const [choice, setChoice] = useState<WebhookChoice>({
    url: webhook.url,
    eventTypes: webhook.eventTypes,
    isChecked: validationPolicy !== "none",
    ...requestChoiceOf(webhook),
  })
  return (
    <Edit
      destination={destination}
      changes={{
        validationPolicy: choice.isChecked ? "valid_or_catchall" : "none",
        ...(choice.url.trim() !== webhook.url && { url: choice.url.trim() }),
        ...(!isSameSet(choice.eventTypes, webhook.eventTypes) && { eventTypes: choice.eventTypes }),
        ...requestChanges(choice, destination),
      }}
      isReady={choice.eventTypes.length > 0 && isRequestReady(choice)}
      what="the URL, the requests, the headers or the body"
      onClose={onClose}
    >
      <WebhookFields
        audienceId={destination.audienceId}
        stored={webhook.headers}
        value={choice}
        onValue={setChoice}
      />
    </Edit>
  )
}

const EditList = ({ destination, onClose }: EditProps<AutomationDestination>) => {
  const before = listChoiceOf(destination)
  const [choice, setChoice] = useState(before)
  const config = listConfig(choice)
  const isChanged = JSON.stringify(config) !== JSON.stringify(listConfig(before))
  return (
    <Edit
      destination={destination}
      changes={{
        validationPolicy: choice.isChecked ? "valid_or_catchall" : "none",
        ...(isChanged && { config }),
      }}
      isReady={choice.listId !== ""}
      what="the list, the fields or the tags"
      onClose={onClose}
    >
      <ListOfAccount value={choice} onValue={setChoice} />
    </Edit>
  )
}

interface EditFormProps extends EditProps<Destination> {
  /** Leaves out unchanged values that would need a new approval, so that it stays approved. */
  readonly changes: DestinationUpdateParams
  readonly isReady: boolean
  /** What needs a new approval. */
  readonly what: string
  readonly children: ReactNode
}

const Edit = ({ destination, changes, isReady, what, onClose, children }: EditFormProps) => {
  const { audienceId, id } = destination
  const [name, setName] = useState(destination.name)
  const save = useWrite({
    write: () => footfall.destinations.update(audienceId, id, { ...changes, name: name.trim() }),
    changes: [["audiences", audienceId]],
    notice: (changed) => ({
      text: changed.status === "draft" ? `Saved ${name} (draft: approve it)` : `Saved ${name}`,
    }),
    onDone: onClose,
  })
  return (
    <FormDialog
      title={isolated`Edit ${destination.name}`}
      verb="Save"
      write={save}
      failure="The destination was not saved"
      isReady={isReady}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={160} value={name} onValue={setName} />
      {children}
      <p className="soft small">
        Changing {what} makes it a draft again and cancels waiting deliveries.
      </p>
    </FormDialog>
  )
}

const isSameSet = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length === other.length && one.every((each) => other.includes(each))
