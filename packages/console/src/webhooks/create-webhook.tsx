// Creates a webhook, and provides the fields to edit one.
import type {
  Segment,
  VisitorWebhook,
  VisitorWebhookCreated,
  VisitorWebhookCreateParams,
  VisitorWebhookTrigger,
} from "@footfall/sdk"
import { useState } from "react"
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
import { RecipientFields } from "./recipient-fields.tsx"
import { alertDefault, AlertFields, alertParams, type AlertChoice } from "./alert-fields.tsx"
import { usePresent } from "./present.ts"
import { isolated } from "../ui/isolated.ts"

const triggers: ReadonlyArray<Choice<VisitorWebhookTrigger>> = [
  { value: "first_match", text: "Once per person, when they first match" },
  { value: "every_update", text: "On every new session or change, at most once a minute" },
  { value: "company_seen", text: "When a company visits" },
  { value: "page_viewed", text: "When a page is viewed" },
  { value: "entered_segment", text: "When a person or company enters a segment" },
  { value: "left_segment", text: "When a person or company leaves a segment" },
]

/** What it says without a segment, if not "Everyone". */
const noSegment: Partial<Readonly<Record<VisitorWebhookTrigger, string>>> = {
  company_seen: "All companies",
  entered_segment: "Choose a segment",
  left_segment: "Choose a segment",
}

/** What the segment contains; the other triggers take either. */
const subjects: Partial<Readonly<Record<VisitorWebhookTrigger, Segment["subject"]>>> = {
  first_match: "people",
  every_update: "people",
  company_seen: "companies",
}

interface CreateWebhookProps {
  readonly onClose: () => void
  readonly onCreated: (created: VisitorWebhookCreated) => void
}

export const CreateWebhook = ({ onClose, onCreated }: CreateWebhookProps) => {
  const create = useWrite({
    write: (params: VisitorWebhookCreateParams) => footfall.webhooks.create(params),
    changes: [["webhooks"]],
    notice: ({ webhook }) => ({ text: isolated`Created webhook ${webhook.name}` }),
    onDone: onCreated,
  })
  return (
    <Dialog isForm title="Create a webhook" onClose={onClose} isBusy={create.isPending}>
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

/** Offers the current value even if no list includes it. */
const withPresent = (
  choices: ReadonlyArray<Choice<string>>,
  id: string | null | undefined,
  name: string | null,
): ReadonlyArray<Choice<string>> =>
  id === null || id === undefined || name === null || choices.some(({ value }) => value === id)
    ? choices
    : [...choices, { value: id, text: name }]

interface WebhookFormProps {
  readonly verb: string
  /** The current webhook. */
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
  const isOfSegment = trigger === "entered_segment" || trigger === "left_segment"
  const takesSegment = (segment: Segment | undefined, by: VisitorWebhookTrigger): boolean => {
    const subject = subjects[by]
    return segment === undefined || subject === undefined || segment.subject === subject
  }
  const [alert, setAlert] = useState<AlertChoice>(webhook ?? alertDefault)
  const [recipients, setRecipients] = useState(webhook?.recipients ?? [])
  const [message, setMessage] = useState<MessageChoice>(webhook ?? messageDefault)
  const { pixels, presentSegment, presentSite, segments } = usePresent(webhook)
  const segmentChoices = withPresent(
    segments
      .filter((segment) => takesSegment(segment, trigger))
      .map(({ id, name: segment }) => ({ value: id, text: segment })),
    webhook?.segmentId,
    presentSegment,
  )
  const siteChoices = withPresent(
    pixels.map(({ id, domain }) => ({ value: id, text: domain })),
    webhook?.pixelId,
    presentSite,
  )
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        const segment = segmentId === "" ? null : segmentId
        const pixel = pixelId === "" ? null : pixelId
        onSave({
          name: name.trim(),
          ...(message.format === "email" ? { recipients } : { url: url.trim() }),
          trigger,
          ...alertParams(trigger, alert),
          // Send it only if changed. The current value may refer to something deleted, which the server would reject.
          ...(segment !== (webhook?.segmentId ?? null) && { segmentId: segment }),
          ...(pixel !== (webhook?.pixelId ?? null) && { pixelId: pixel }),
          ...messageParams(message),
        })
      }}
    >
      <TextField label="Name" required maxLength={160} autoFocus value={name} onValue={setName} />
      <MessageFields value={message} onValue={setMessage} />
      {message.format === "email" ? (
        <RecipientFields value={recipients} onValue={setRecipients} />
      ) : (
        <TextField
          label="URL"
          hint="Where events are sent. It must start with https://"
          type="url"
          required
          maxLength={2048}
          value={url}
          onValue={setUrl}
        />
      )}
      <ChoiceField
        label="When"
        choices={triggers}
        value={trigger}
        onValue={(chosen) => {
          setTrigger(chosen)
          const segment = segments.find(({ id }) => id === segmentId)
          if (!takesSegment(segment, chosen)) setSegmentId("")
          // Each trigger has its own defaults.
          setAlert(chosen === webhook?.trigger ? webhook : alertDefault)
        }}
      />
      {(trigger === "page_viewed" || trigger === "company_seen") && (
        <AlertFields key={trigger} trigger={trigger} value={alert} onValue={setAlert} />
      )}
      <ChoiceField
        label={isOfSegment ? "Segment" : "Who"}
        required={isOfSegment}
        choices={[{ value: "", text: noSegment[trigger] ?? "Everyone" }, ...segmentChoices]}
        value={segmentId}
        onValue={setSegmentId}
      />
      <ChoiceField
        label="Site"
        choices={[{ value: "", text: "All sites" }, ...siteChoices]}
        value={pixelId}
        onValue={setPixelId}
      />
      <Problem error={error} title="The webhook was not saved" />
      <div className="row">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {verb}
        </Button>
        <Button disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
