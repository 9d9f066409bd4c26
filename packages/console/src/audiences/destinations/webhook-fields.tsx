// Fields for a webhook destination.
import type { DestinationEventType } from "@footfall/sdk"
import { CheckField, TextField } from "../../ui/field.tsx"

export interface WebhookChoice {
  readonly url: string
  readonly eventTypes: ReadonlyArray<DestinationEventType>
  /** Send only contacts whose address is known to accept mail. */
  readonly isChecked: boolean
}

export const contactEvent: DestinationEventType = "intent.audience.contact.upserted"

export const eventWords: ReadonlyArray<readonly [event: DestinationEventType, text: string]> = [
  ["intent.audience.sync.started", "when a delivery starts"],
  [contactEvent, "for each person"],
  ["intent.audience.sync.completed", "when a delivery is done"],
]

interface WebhookFieldsProps {
  readonly value: WebhookChoice
  readonly onValue: (value: WebhookChoice) => void
}

export const WebhookFields = ({ value, onValue }: WebhookFieldsProps) => (
  <>
    <TextField
      label="Address"
      hint="The address that your CRM or automation tool gives you for incoming requests. It begins with https://"
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
    <CheckField
      label="Only people whose address accepts mail, as far as is known"
      value={value.isChecked}
      onValue={(isChecked) => onValue({ ...value, isChecked })}
    />
  </>
)
