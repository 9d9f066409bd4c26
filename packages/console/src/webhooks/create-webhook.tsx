// A new webhook, and the fields of one that is changed.
import type {
  VisitorWebhook,
  VisitorWebhookCreateParams,
  VisitorWebhookTrigger,
  VisitorWebhookWithSecret,
} from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { pixelsQuery } from "../frame/scope.ts"
import { segmentsQuery } from "../queries.ts"
import { footfall } from "../session/session.ts"
import { Button } from "../ui/button.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { ChoiceField, TextField, type Choice } from "../ui/field.tsx"
import { Problem } from "../ui/problem.tsx"
import { useWrite } from "../ui/use-write.ts"
import {
  messageDefault,
  MessageFields,
  messageParams,
  type MessageChoice,
} from "./message-fields.tsx"

const triggers: ReadonlyArray<Choice<VisitorWebhookTrigger>> = [
  { value: "first_match", text: "Once per person, when they first match" },
  { value: "every_update", text: "On every new session or change, at most once a minute" },
  { value: "company_seen", text: "When a company visits, at most once in 7 days" },
]

interface CreateWebhookProps {
  readonly onClose: () => void
  readonly onCreated: (created: VisitorWebhookWithSecret) => void
}

export const CreateWebhook = ({ onClose, onCreated }: CreateWebhookProps) => {
  const create = useWrite({
    write: (params: VisitorWebhookCreateParams) => footfall.webhooks.create(params),
    changes: [["webhooks"]],
    notice: ({ webhook }) => ({ text: `Created webhook ${webhook.name}` }),
    onDone: onCreated,
  })
  return (
    <Dialog title="Create a webhook" onClose={onClose}>
      <WebhookForm
        verb="Create"
        isBusy={create.isPending}
        error={create.error}
        onSave={create.mutate}
        onClose={onClose}
      />
    </Dialog>
  )
}

interface WebhookFormProps {
  readonly verb: string
  /** What it has now. */
  readonly webhook?: VisitorWebhook
  readonly isBusy: boolean
  readonly error: unknown
  readonly onSave: (params: VisitorWebhookCreateParams) => void
  readonly onClose: () => void
}

export const WebhookForm = ({
  verb,
  webhook,
  isBusy,
  error,
  onSave,
  onClose,
}: WebhookFormProps) => {
  const [name, setName] = useState(webhook?.name ?? "")
  const [url, setUrl] = useState(webhook?.url ?? "")
  const [trigger, setTrigger] = useState(webhook?.trigger ?? "first_match")
  const [segmentId, setSegmentId] = useState(webhook?.segmentId ?? "")
  const [pixelId, setPixelId] = useState(webhook?.pixelId ?? "")
  const isOfCompanies = trigger === "company_seen"
  const [message, setMessage] = useState<MessageChoice>(webhook ?? messageDefault)
  const { data: segments = [] } = useQuery(segmentsQuery)
  const { data: pixels = [] } = useQuery(pixelsQuery)
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        onSave({
          name: name.trim(),
          url: url.trim(),
          trigger,
          segmentId: segmentId === "" || isOfCompanies ? null : segmentId,
          pixelId: pixelId === "" ? null : pixelId,
          ...messageParams(message),
        })
      }}
    >
      <TextField label="Name" required maxLength={160} autoFocus value={name} onValue={setName} />
      <TextField
        label="Address"
        hint="Where events are sent to. It must begin with https://"
        type="url"
        required
        maxLength={2048}
        value={url}
        onValue={setUrl}
      />
      <MessageFields value={message} onValue={setMessage} />
      <ChoiceField label="When" choices={triggers} value={trigger} onValue={setTrigger} />
      {!isOfCompanies && (
        <ChoiceField
          label="Who"
          choices={[
            { value: "", text: "Everyone" },
            ...segments.map(({ id, name: segment }) => ({ value: id, text: segment })),
          ]}
          value={segmentId}
          onValue={setSegmentId}
        />
      )}
      <ChoiceField
        label="Site"
        choices={[
          { value: "", text: "All sites" },
          ...pixels.map(({ id, domain }) => ({ value: id, text: domain })),
        ]}
        value={pixelId}
        onValue={setPixelId}
      />
      <Problem error={error} title="The webhook was not saved" />
      <div className="row">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {verb}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
