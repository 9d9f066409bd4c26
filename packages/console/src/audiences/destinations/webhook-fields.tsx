// Fields for a webhook destination.
import type { DestinationEventType } from "@footfall/sdk"
import { CheckField, TextField } from "../../ui/field.tsx"
import { type RequestChoice, RequestFields } from "./request-fields.tsx"

export interface WebhookChoice extends RequestChoice {
  readonly url: string
  readonly eventTypes: ReadonlyArray<DestinationEventType>
  /** Send only contacts whose address is known to accept mail. */
  readonly isChecked: boolean
}

export const contactEvent: DestinationEventType = "intent.audience.contact.upserted"

export const eventWords: ReadonlyArray<readonly [event: DestinationEventType, text: string]> = [
  ["intent.audience.sync.started", "when a delivery starts"],
  [contactEvent, "for each person"],
  ["intent.audience.contact.removed", "for each person who leaves"],
  ["intent.audience.sync.completed", "when a delivery ends"],
]

interface WebhookFieldsProps {
  readonly value: WebhookChoice
  readonly onValue: (value: WebhookChoice) => void
  readonly audienceId: string
  readonly stored?: ReadonlyArray<string>
}

export const WebhookFields = ({ value, onValue, ...request }: WebhookFieldsProps) => (
  <>
    <TextField
      label="URL"
      hint="The webhook URL from your CRM or automation tool. It must start with https://"
      type="url"
      required
      maxLength={2048}
      value={value.url}
      onValue={(url) => onValue({ ...value, url })}
    />
    <fieldset className="stack">
      <legend className="label">Requests</legend>
      {eventWords.map(([event, text]) => (
        <CheckField
          key={event}
          label={`One ${text}`}
          value={value.eventTypes.includes(event)}
          onValue={(isOn) =>
            onValue({
              ...value,
              eventTypes: isOn
                ? [...value.eventTypes, event]
                : value.eventTypes.filter((other) => other !== event),
            })
          }
        />
      ))}
    </fieldset>
    <RequestFields
      {...request}
      value={value}
      onValue={(chosen) => onValue({ ...value, ...chosen })}
    />
    <CheckField
      label="Skip people whose address may not accept mail"
      value={value.isChecked}
      onValue={(isChecked) => onValue({ ...value, isChecked })}
    />
  </>
)
