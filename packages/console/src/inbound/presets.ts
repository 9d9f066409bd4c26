// Who can send, and what to click there.
import type { InboundPreset } from "@footfall/sdk"

export interface Preset {
  readonly preset: InboundPreset
  readonly name: string
  readonly brings: string
  /** What to click at the vendor. */
  readonly steps: string
  /** The vendor signs its requests. */
  readonly isSigned: boolean
}

export const presets: ReadonlyArray<Preset> = [
  {
    preset: "rb2b",
    name: "RB2B",
    brings: "Visitors of your site, by name",
    steps:
      "In RB2B, open Integrations and choose Webhook. Paste the URL, save, and send a test. RB2B sends each person only once.",
    isSigned: false,
  },
  {
    preset: "typeform",
    name: "Typeform",
    brings: "Answers to a form",
    steps:
      "In your form, open Connect, then Webhooks, and add a webhook. Paste the URL, enter the secret, and turn the webhook on. A hidden field named page says which page was visited.",
    isSigned: true,
  },
  {
    preset: "tally",
    name: "Tally",
    brings: "Answers to a form",
    steps:
      "In your form, open Integrations and connect Webhooks. Paste the URL and add the signing secret. A hidden field named page says which page was visited.",
    isSigned: true,
  },
  {
    preset: "calcom",
    name: "Cal.com",
    brings: "Bookings, moved and cancelled ones too",
    steps:
      "In Cal.com, open Settings, then Developer, then Webhooks, and add one. Paste the URL and enter the secret. Choose the triggers for bookings that are created, rescheduled and cancelled.",
    isSigned: true,
  },
  {
    preset: "calendly",
    name: "Calendly",
    brings: "Bookings, moved and cancelled ones too",
    steps:
      "Calendly takes webhooks through its API alone, so ask whoever looks after your tools. They create a webhook subscription for invitee.created and invitee.canceled, with the URL, and with the secret as signing_key.",
    isSigned: true,
  },
  {
    preset: "generic",
    name: "Anything else",
    brings: "JSON or forms from any tool",
    steps:
      "Find where the tool sends a webhook or an HTTP request, and copy a sample of what it sends. Paste the sample here and click the values that you want. Then paste the URL into the tool.",
    isSigned: false,
  },
]

/** A preset of a newer server is shown by its own word. */
export const presetOf = (preset: InboundPreset): Preset =>
  presets.find((known) => known.preset === preset) ?? {
    preset,
    name: preset,
    brings: "",
    steps: "",
    isSigned: false,
  }

/** Who sends, in a sentence. */
export const senderOf = (preset: InboundPreset): string =>
  preset === "generic" ? "the tool" : presetOf(preset).name
