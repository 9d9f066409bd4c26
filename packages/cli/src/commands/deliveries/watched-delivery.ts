// Shows how far a delivery has come until it is over: sent, skipped, failed, and how fast.

import type { Delivery, Footfall } from "@footfall/sdk"
import type { Terminal } from "../../terminal/terminal.ts"
import { showWork } from "../../terminal/work.ts"

/** Between two looks, so that the display goes on. */
const lookMaxMs = 1_000

export const watchedDelivery = async (
  terminal: Terminal,
  client: Footfall,
  queued: Delivery,
): Promise<Delivery> => {
  const { deliveryFigures, deliveryFraction } = await import("../../screens/delivery-words.ts")
  const before = queued.processedCount
  let present = queued
  const work = await showWork(
    terminal,
    (elapsedMs) => ({
      title: `Delivery (${present.mode})`,
      fraction: deliveryFraction(present),
      figures: deliveryFigures(present, before, elapsedMs),
    }),
    () => `The delivery goes on. See: footfall deliveries get ${queued.audienceId} ${queued.id}`,
  )
  try {
    return await client.deliveries.wait(queued, {
      lookMaxMs,
      onLook: (delivery) => {
        present = delivery
        work.update()
      },
    })
  } finally {
    work.end()
  }
}
