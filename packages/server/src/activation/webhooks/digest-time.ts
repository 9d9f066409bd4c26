// When a digest is sent: the hour and the day that it has a use for (spec 14.4).
import { Effect } from "effect"
import { FieldsRefused } from "./filters.ts"
import type { WebhookContent } from "./store.ts"
import type { DigestPeriod } from "./webhook.ts"

// In the organization's time zone. spec 14.4.
const digestHourDefault = 8
const digestDayDefault = 1

type DigestTime = Pick<WebhookContent, "digestDay" | "digestHour">

/** What says when a digest is sent. */
export const digestTimes: Readonly<
  Record<DigestPeriod, { readonly hasHour: boolean; readonly hasDay: boolean }>
> = {
  immediate: { hasHour: false, hasDay: false },
  hourly: { hasHour: false, hasDay: false },
  daily: { hasHour: true, hasDay: false },
  weekly: { hasHour: true, hasDay: true },
}

/** The hour and the day that the digest has a use for. */
export const digestTimeOf = Effect.fnUntraced(function* ({
  digest,
  digestDay,
  digestHour,
  format,
}: Pick<WebhookContent, "digest" | "format"> & Partial<DigestTime>) {
  if (format === "standard" && digest !== "immediate") {
    return yield* new FieldsRefused({
      field: "digest",
      message: "Expected immediate with the format standard.",
    })
  }
  const { hasDay, hasHour } = digestTimes[digest]
  const unused =
    digestHour != null && !hasHour
      ? "digestHour"
      : digestDay != null && !hasDay
        ? "digestDay"
        : undefined
  if (unused !== undefined) {
    return yield* new FieldsRefused({
      field: unused,
      message: `Expected null with the digest ${digest}.`,
    })
  }
  return {
    digestHour: hasHour ? (digestHour ?? digestHourDefault) : null,
    digestDay: hasDay ? (digestDay ?? digestDayDefault) : null,
  }
})
