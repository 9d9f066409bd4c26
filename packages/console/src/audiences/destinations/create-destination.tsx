// Creates a destination: a webhook, or a list at a mailing list provider. It stays a draft until someone approves it.
import type { DestinationCreateParams, DestinationWithSecret } from "@footfall/sdk"
import { useState } from "react"
import { footfall } from "../../session/session.ts"
import { ChoiceField, TextField } from "../../ui/field.tsx"
import { FormDialog } from "../../ui/form-dialog.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { listConfig, ListFields, noList, type ListChoice } from "./list-fields.tsx"
import { contactEvent, WebhookFields, type WebhookChoice } from "./webhook-fields.tsx"

interface CreateDestinationProps {
  readonly audienceId: string
  readonly onClose: () => void
  readonly onCreated: (created: DestinationWithSecret) => unknown
}

type Kind = DestinationCreateParams["destinationType"]

export const CreateDestination = ({ audienceId, onClose, onCreated }: CreateDestinationProps) => {
  const [kind, setKind] = useState<Kind>("webhook")
  const [name, setName] = useState("")
  const [webhook, setWebhook] = useState<WebhookChoice>({
    url: "",
    eventTypes: [contactEvent],
    isChecked: false,
  })
  const [list, setList] = useState<ListChoice>(noList)
  const create = useWrite({
    write: () => footfall.destinations.create(audienceId, paramsOf(kind, name, webhook, list)),
    changes: [["audiences", audienceId, "destinations"]],
    notice: ({ destination }) => ({ text: `Created destination ${destination.name} (draft)` }),
    onDone: onCreated,
  })
  const isReady =
    kind === "webhook" ? webhook.eventTypes.length > 0 : list.listId !== "" && list.accountId !== ""
  return (
    <FormDialog
      title="Create a destination"
      onClose={onClose}
      isWide
      verb="Create as a draft"
      write={create}
      failure="The destination was not created"
      isReady={isReady}
      onSubmit={() => create.mutate()}
    >
      <TextField label="Name" required maxLength={160} autoFocus value={name} onValue={setName} />
      <ChoiceField
        label="Kind"
        choices={[
          { value: "webhook", text: "Webhook: a signed request for each person" },
          { value: "automation", text: "Mailing list at your provider" },
        ]}
        value={kind}
        onValue={setKind}
      />
      {kind === "webhook" ? (
        <WebhookFields value={webhook} onValue={setWebhook} />
      ) : (
        <ListFields value={list} onValue={setList} />
      )}
    </FormDialog>
  )
}

const paramsOf = (
  kind: Kind,
  name: string,
  { eventTypes, isChecked, url }: WebhookChoice,
  list: ListChoice,
): DestinationCreateParams =>
  kind === "webhook"
    ? {
        destinationType: "webhook",
        name: name.trim(),
        url: url.trim(),
        eventTypes,
        validationPolicy: isChecked ? "valid_or_catchall" : "none",
      }
    : {
        destinationType: "automation",
        name: name.trim(),
        appSlug: "mailer",
        connectedAccountId: list.accountId,
        config: listConfig(list),
        validationPolicy: list.isChecked ? "valid_or_catchall" : "none",
      }
