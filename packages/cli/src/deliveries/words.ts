// A delivery as text and figures. Pure.

import type { Delivery, DeliveryStatus } from "@footfall/sdk"
import { counted, countText, duration } from "../ui/text.ts"

/** The progress; null before contacts are selected. */
export const deliveryFraction = ({ processedCount, sourceCount, status }: Delivery) => {
  if (isOver(status)) return 1
  return sourceCount === 0 ? null : processedCount / sourceCount
}

/** Most important first. `before`: contacts settled when watching began. */
export const deliveryFigures = (
  delivery: Delivery,
  before: number,
  elapsedMs: number,
): ReadonlyArray<string> => {
  const { failedCount, processedCount, sentCount, skippedCount, sourceCount, status } = delivery
  const seconds = elapsedMs / 1000
  const perSecond = seconds < 1 ? 0 : (processedCount - before) / seconds
  return [
    sourceCount === 0
      ? deliveryStatusText(delivery)
      : `${countText(sentCount)} of ${countText(sourceCount)} sent`,
    `${countText(skippedCount)} skipped`,
    `${countText(failedCount)} failed`,
    ...removedFigure(delivery),
    ...(perSecond >= 1 ? [`${countText(Math.round(perSecond))}/s`] : []),
    ...(isOver(status) ? [] : [duration(Math.floor(seconds))]),
  ]
}

const removedFigure = ({ removedCount }: Delivery): ReadonlyArray<string> =>
  removedCount === 0 ? [] : [`${countText(removedCount)} removed`]

/** For example `queued`, `processing, attempt 2`, `queued again after ENDPOINT_ERROR`. */
export const deliveryStatusText = ({ attempts, errorCode, status }: Delivery): string => {
  if (status === "queued" && errorCode === "REMOVALS_NEED_APPROVAL") return "waits for approval"
  if (status === "processing" && attempts > 1) return `processing, attempt ${attempts}`
  if (status === "queued" && attempts > 0) {
    return `queued again${errorCode === null ? "" : ` after ${errorCode}`}`
  }
  return status
}

/** For example `1,204 contacts: 1,200 sent, 3 skipped, 1 failed`. */
export const contactsText = (delivery: Delivery): string => {
  const { failedCount, sentCount, skippedCount, sourceCount } = delivery
  const parts = [
    `${countText(sentCount)} sent`,
    `${countText(skippedCount)} skipped`,
    `${countText(failedCount)} failed`,
    ...removedFigure(delivery),
  ]
  return `${counted(sourceCount, "contact", "contacts")}: ${parts.join(", ")}`
}

/** The color of a status. The status is also in words. */
export const deliveryStatusColor = (status: DeliveryStatus): string | undefined =>
  ({
    completed: "green",
    failed: "red",
    cancelled: "yellow",
    processing: "cyan",
    queued: undefined,
  })[status]

const isOver = (status: DeliveryStatus): boolean => status !== "queued" && status !== "processing"
