// What a webhook sends: signed JSON for programs, or messages for people, immediately or as a digest.
import type { VisitorWebhook, VisitorWebhookDigest, VisitorWebhookFormat } from "@footfall/sdk"
import { ChoiceField, type Choice } from "../ui/field.tsx"

export type MessageChoice = Pick<VisitorWebhook, "format" | "digest" | "digestHour">

export const formats: ReadonlyArray<Choice<VisitorWebhookFormat>> = [
  { value: "standard", text: "Signed JSON, for programs" },
  { value: "slack", text: "Slack message" },
  { value: "teams", text: "Teams message" },
  { value: "discord", text: "Discord message" },
]

const digests: ReadonlyArray<Choice<VisitorWebhookDigest>> = [
  { value: "immediate", text: "One message per person, immediately" },
  { value: "hourly", text: "One message an hour" },
  { value: "daily", text: "One message a day" },
]

/** For a new webhook. */
export const messageDefault: MessageChoice = {
  format: "standard",
  digest: "immediate",
  digestHour: null,
}

/** As API parameters: programs get every event, and only a daily digest has an hour. */
export const messageParams = ({ digest, digestHour, format }: MessageChoice): MessageChoice => {
  if (format === "standard") return messageDefault
  return { format, digest, digestHour: digest === "daily" ? (digestHour ?? hourDefault) : null }
}

/** For example `Slack message, one message a day at 08:00`. */
export const messageWords = ({ digest, digestHour, format }: MessageChoice): string => {
  const what = textOf(formats, format)
  if (format === "standard" || digest === "immediate") return what
  const when = textOf(digests, digest).toLowerCase()
  return digest === "daily" ? `${what}, ${when} at ${clock(digestHour)}` : `${what}, ${when}`
}

const hourDefault = 8

const textOf = <Value extends string>(choices: ReadonlyArray<Choice<Value>>, value: Value) =>
  choices.find((choice) => choice.value === value)?.text ?? value

const clock = (hour: number | null): string => `${String(hour ?? hourDefault).padStart(2, "0")}:00`

interface MessageFieldsProps {
  readonly value: MessageChoice
  readonly onValue: (value: MessageChoice) => void
}

export const MessageFields = ({ value, onValue }: MessageFieldsProps) => {
  const { digest, digestHour, format } = value
  return (
    <>
      <ChoiceField
        label="Format"
        choices={formats}
        value={format}
        onValue={(chosen) => onValue({ ...value, format: chosen })}
        hint={
          format === "standard"
            ? "Your receiver verifies each event with the signing secret."
            : "Use the URL of an incoming webhook of your channel."
        }
      />
      {format !== "standard" && (
        <ChoiceField
          label="How often"
          choices={digests}
          value={digest}
          onValue={(chosen) => onValue({ ...value, digest: chosen })}
        />
      )}
      {format !== "standard" && digest === "daily" && (
        <ChoiceField
          label="At"
          choices={Array.from({ length: 24 }, (_, hour) => ({
            value: String(hour),
            text: clock(hour),
          }))}
          value={String(digestHour ?? hourDefault)}
          onValue={(hour) => onValue({ ...value, digestHour: Number(hour) })}
        />
      )}
    </>
  )
}
