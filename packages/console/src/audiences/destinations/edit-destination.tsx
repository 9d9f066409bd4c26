// Edits a destination. A new address, different requests or another list turn it back into a draft.
import type {
  AutomationDestination,
  Destination,
  DestinationUpdateParams,
  WebhookDestination,
} from "@footfall/sdk"
import { useState, type ReactNode } from "react"
import { footfall } from "../../session/session.ts"
import { TextField } from "../../ui/field.tsx"
import { FormDialog } from "../../ui/form-dialog.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { listChoiceOf, listConfig, ListOfAccount } from "./list-fields.tsx"
import { WebhookFields, type WebhookChoice } from "./webhook-fields.tsx"

interface EditProps<Kind extends Destination> {
  readonly destination: Kind
  readonly onClose: () => void
}

export const EditDestination = ({ destination, onClose }: EditProps<Destination>) =>
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
  })
  return (
    <Edit
      destination={destination}
      changes={{
        validationPolicy: choice.isChecked ? "valid_or_catchall" : "none",
        ...(choice.url.trim() !== webhook.url && { url: choice.url.trim() }),
        ...(!isSameSet(choice.eventTypes, webhook.eventTypes) && { eventTypes: choice.eventTypes }),
      }}
      isReady={choice.eventTypes.length > 0}
      what="another address or other requests"
      onClose={onClose}
    >
      <WebhookFields value={choice} onValue={setChoice} />
    </Edit>
  )
}

const EditList = ({ destination, onClose }: EditProps<AutomationDestination>) => {
  const before = listChoiceOf(destination)
  const [choice, setChoice] = useState(before)
  const config = listConfig(choice)
  const isOther = JSON.stringify(config) !== JSON.stringify(listConfig(before))
  return (
    <Edit
      destination={destination}
      changes={{
        validationPolicy: choice.isChecked ? "valid_or_catchall" : "none",
        ...(isOther && { config }),
      }}
      isReady={choice.listId !== ""}
      what="another list, other fields or tags"
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
      title={`Edit ${destination.name}`}
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
        With {what} it is a draft again, and waiting deliveries are cancelled.
      </p>
    </FormDialog>
  )
}

const isSameSet = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length === other.length && one.every((each) => other.includes(each))
