// What a webhook sends: signed JSON for programs, or messages for people, immediately or as a digest.
import type { VisitorWebhook, VisitorWebhookDigest, VisitorWebhookFormat } from "@footfall/sdk"
import { BlankChoice } from "../ui/blank.tsx"
import type { Choice } from "../ui/field.tsx"

export type MessageChoice = Pick<VisitorWebhook, "format" | "digest" | "digestDay" | "digestHour">

export const formats: ReadonlyArray<Choice<VisitorWebhookFormat>> = [
  { value: "standard", text: "Signed JSON, for programs" },
  { value: "slack", text: "Slack message" },
  { value: "teams", text: "Teams message" },
  { value: "discord", text: "Discord message" },
  { value: "email", text: "Email to members" },
]

const digests: ReadonlyArray<Choice<VisitorWebhookDigest>> = [
  { value: "immediate", text: "One message per person, immediately" },
  { value: "hourly", text: "One message an hour" },
  { value: "daily", text: "One message a day" },
  { value: "weekly", text: "One message a week" },
]

const days: ReadonlyArray<Choice<string>> = [
  { value: "1", text: "Monday" },
  { value: "2", text: "Tuesday" },
  { value: "3", text: "Wednesday" },
  { value: "4", text: "Thursday" },
  { value: "5", text: "Friday" },
  { value: "6", text: "Saturday" },
  { value: "7", text: "Sunday" },
]

/** For a new webhook. */
export const messageDefault: MessageChoice = {
  format: "standard",
  digest: "immediate",
  digestHour: null,
  digestDay: null,
}

/** As API parameters: programs get every event, and only some digests have an hour and a day. */
export const messageParams = (choice: MessageChoice): MessageChoice => {
  const { digest, digestDay, digestHour, format } = choice
  if (format === "standard") return messageDefault
  return {
    format,
    digest,
    digestHour: hasHour(choice) ? (digestHour ?? hourDefault) : null,
    digestDay: digest === "weekly" ? (digestDay ?? dayDefault) : null,
  }
}

/** For example `Slack message, one message a day at 08:00`. */
export const messageWords = (choice: MessageChoice): string => {
  const { digest, digestDay, digestHour, format } = choice
  const what = textOf(formats, format)
  if (format === "standard" || digest === "immediate") return what
  const day = digest === "weekly" ? `, ${textOf(days, String(digestDay ?? dayDefault))}` : ""
  const hour = hasHour(choice) ? ` at ${clock(digestHour)}` : ""
  return `${what}, ${textOf(digests, digest).toLowerCase()}${day}${hour}`
}

const hourDefault = 8
const dayDefault = 1

const hasHour = ({ digest }: MessageChoice): boolean => digest === "daily" || digest === "weekly"

const textOf = <Value extends string>(choices: ReadonlyArray<Choice<Value>>, value: Value) =>
  choices.find((choice) => choice.value === value)?.text ?? value

const clock = (hour: number | null): string => `${String(hour ?? hourDefault).padStart(2, "0")}:00`

const hints: Partial<Readonly<Record<VisitorWebhookFormat, string>>> = {
  standard: "Your receiver verifies each event with the signing secret.",
  email: "Each email has a link with which its recipient unsubscribes.",
}

interface MessageFieldsProps {
  readonly value: MessageChoice
  readonly onValue: (value: MessageChoice) => void
}

export const MessageFields = ({ value, onValue }: MessageFieldsProps) => {
  const { digest, digestDay, digestHour, format } = value
  return (
    <>
      {" send "}
      <BlankChoice
        label="Format"
        choices={formats}
        value={format}
        onValue={(chosen) => onValue({ ...value, format: chosen })}
      />
      {format !== "standard" && (
        <>
          {", "}
          <BlankChoice
            label="How often"
            choices={digests}
            value={digest}
            onValue={(chosen) => onValue({ ...value, digest: chosen })}
          />
        </>
      )}
      {format !== "standard" && digest === "weekly" && (
        <>
          {" on "}
          <BlankChoice
            label="On"
            choices={days}
            value={String(digestDay ?? dayDefault)}
            onValue={(day) => onValue({ ...value, digestDay: Number(day) })}
          />
        </>
      )}
      {format !== "standard" && hasHour(value) && (
        <>
          {" at "}
          <BlankChoice
            label="At"
            choices={Array.from({ length: 24 }, (_, hour) => ({
              value: String(hour),
              text: clock(hour),
            }))}
            value={String(digestHour ?? hourDefault)}
            onValue={(hour) => onValue({ ...value, digestHour: Number(hour) })}
          />
        </>
      )}
    </>
  )
}

/** What a receiver of the format needs. */
export const formatHint = (format: VisitorWebhookFormat): string =>
  hints[format] ?? "Use the URL of an incoming webhook of your channel."
