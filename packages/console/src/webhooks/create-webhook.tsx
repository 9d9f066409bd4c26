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
import { BlankChoice } from "../ui/blank.tsx"
import { type Choice, TextField } from "../ui/field.tsx"
import { Problem } from "../ui/problem.tsx"
import { useWrite } from "../ui/use-write.ts"
import {
  formatHint,
  messageDefault,
  MessageFields,
  messageParams,
  type MessageChoice,
} from "./message-fields.tsx"
import { RecipientFields } from "./recipient-fields.tsx"
import { Again, alertDefault, AlertFields, alertParams, type AlertChoice } from "./alert-fields.tsx"
import { usePresent } from "./present.ts"
import { isolated } from "../ui/isolated.ts"
import { WouldHave } from "./would-have.tsx"
import "./alert.css"

const triggers: ReadonlyArray<Choice<VisitorWebhookTrigger>> = [
  { value: "first_match", text: "Once per person, when they first match" },
  { value: "every_update", text: "On every visit or change, at most once a minute" },
  { value: "company_seen", text: "When a company visits" },
  { value: "page_viewed", text: "When a page is read" },
  { value: "entered_segment", text: "When a person or company enters a view" },
  { value: "left_segment", text: "When a person or company leaves a view" },
]

/** What it says without a segment, if not "everyone". */
const noSegment: Partial<Readonly<Record<VisitorWebhookTrigger, string>>> = {
  company_seen: "all companies",
  entered_segment: "choose a view",
  left_segment: "choose a view",
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
    notice: ({ webhook }) => ({ text: isolated`Created alert ${webhook.name}` }),
    onDone: onCreated,
  })
  return (
    <Dialog isForm isWhole title="Create an alert" onClose={onClose} isBusy={create.isPending}>
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
  const segment = segmentId === "" ? null : segmentId
  const pixel = pixelId === "" ? null : pixelId
  const isAgain = trigger === "page_viewed" || trigger === "company_seen"
  const tried = {
    trigger,
    ...alertParams(trigger, alert),
    ...(segment !== null && { segmentId: segment }),
    ...(pixel !== null && { pixelId: pixel }),
    ...messageParams(message),
  }
  return (
    <form
      className="alert"
      onSubmit={(event) => {
        event.preventDefault()
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
      <div className="stack">
        <p className="sentence">
          <BlankChoice
            label="When"
            choices={triggers}
            value={trigger}
            onValue={(chosen) => {
              setTrigger(chosen)
              const before = segments.find(({ id }) => id === segmentId)
              if (!takesSegment(before, chosen)) setSegmentId("")
              // Each trigger has its own defaults.
              setAlert(chosen === webhook?.trigger ? webhook : alertDefault)
            }}
          />
          {isAgain && (
            <AlertFields key={trigger} trigger={trigger} value={alert} onValue={setAlert} />
          )}
          {isOfSegment ? ": " : ", among "}
          <BlankChoice
            label={isOfSegment ? "View" : "Who"}
            required={isOfSegment}
            choices={[{ value: "", text: noSegment[trigger] ?? "everyone" }, ...segmentChoices]}
            value={segmentId}
            onValue={setSegmentId}
          />
          {", on "}
          <BlankChoice
            label="Site"
            choices={[{ value: "", text: "all sites" }, ...siteChoices]}
            value={pixelId}
            onValue={setPixelId}
          />
          {","}
          <MessageFields value={message} onValue={setMessage} />
          {isAgain && (
            <>
              {", "}
              <Again trigger={trigger} value={alert} onValue={setAlert} />
            </>
          )}
          .
        </p>
        <p className="soft small">
          {formatHint(message.format)} Suppressed companies and people never raise an alert.
        </p>
        <div className="alert-fields">
          <TextField
            label="Name"
            required
            maxLength={160}
            autoFocus
            value={name}
            onValue={setName}
          />
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
        </div>
        <Problem error={error} title="The alert was not saved" />
        <div className="row">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {verb}
          </Button>
          <Button disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </div>
      {!(isOfSegment && segment === null) && <WouldHave params={tried} />}
    </form>
  )
}
