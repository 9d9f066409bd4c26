// Delivery screens, rendered without color.

import type { Delivery, DeliveryFailure } from "@footfall/sdk"
import type { ComponentType } from "react"
import { expect, test } from "vitest"
import { stripVTControlCharacters } from "node:util"
import { textWidth } from "../ui/column-widths.ts"
import { drawn } from "../ui/drawn.ts"
import { ListScreen } from "../ui/list-screen.tsx"
import { deliveryList, failureList } from "./deliveries.ts"
import { DeliveryView } from "./views.tsx"

const now = new Date("2026-03-11T09:30:00.000Z")
const text = <Props extends object>(
  screen: ComponentType<Props>,
  props: Props,
  columns = 120,
): string => stripVTControlCharacters(drawn(screen, props, columns))

/** A message that tries to clear the screen. */
const hostile = "\u001B[2J\u009B31mEvil\u202E\nanswer"
const control = /[^\P{Cc}\n]|\u202E/u

const delivery: Delivery = {
  id: "e3897870-520c-4fe5-9d28-03da213e9f49",
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  audienceId: "70865832-8a6e-409c-95c5-d15bafae1a05",
  destinationId: "72c2caee-8b8d-4561-a8f3-fa549b992a9d",
  destinationConfigRevision: 1,
  sourceRunId: "efb5aab5-6869-4672-9dc1-601e8732e865",
  baselineRunId: null,
  mode: "initial",
  status: "completed",
  sourceCount: 12_345,
  processedCount: 12_345,
  sentCount: 12_300,
  skippedCount: 40,
  failedCount: 5,
  removedCount: 0,
  batchIndex: 124,
  attempts: 1,
  nextAttemptAt: null,
  retryOfDeliveryId: null,
  errorCode: null,
  errorMessage: null,
  startedAt: "2026-03-11T09:05:01.000Z",
  completedAt: "2026-03-11T09:05:03.000Z",
  createdAt: "2026-03-11T09:05:00.000Z",
  updatedAt: "2026-03-11T09:05:03.000Z",
}
const parked: Delivery = {
  ...delivery,
  id: "8d0f3b7e-5c1a-4e9f-b2d6-7a3c9e8f1b04",
  status: "queued",
  mode: "incremental",
  nextAttemptAt: "2026-03-11T09:35:00.000Z",
  completedAt: null,
  errorCode: "ENDPOINT_UNREACHABLE",
  errorMessage: hostile,
}
const failure: DeliveryFailure = {
  hashedEmail: "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9",
  errorCode: "ENDPOINT_REJECTED",
  errorMessage: hostile,
  statusCode: 422,
  attempts: 1,
  lastAttemptAt: "2026-03-11T09:05:02.000Z",
}
const meta = {
  timestamp: "2026-03-11T09:30:00.000Z",
  request_id: "req_1",
  total: 2,
  limit: 25,
  offset: 0,
  nextCursor: null,
  hasMore: false,
}

const screens = (columns: number) => ({
  list: text(
    ListScreen<Delivery>,
    { table: deliveryList.table, rows: [delivery, parked], meta, now, screenColumns: columns },
    columns,
  ),
  view: text(
    DeliveryView,
    { delivery: parked, now, screenColumns: columns, timeZone: "UTC" },
    columns,
  ),
  failures: text(
    ListScreen<DeliveryFailure>,
    {
      table: failureList.table,
      rows: [failure],
      meta: { ...meta, total: 1 },
      now,
      screenColumns: columns,
    },
    columns,
  ),
})

test("a delivery shows its result and its counts", () => {
  const view = text(DeliveryView, { delivery, now, screenColumns: 120, timeZone: "UTC" })

  expect(view).toContain("completed")
  expect(view).toContain("initial delivery")
  expect(view).toMatch(/12,345 contacts: 12,300 sent, 40 skipped, 5 failed/)
  expect(view).toContain(delivery.id)
})

test("a waiting delivery says why and when it continues", () => {
  const { view } = screens(120)

  expect(view).toContain("ENDPOINT_UNREACHABLE")
  expect(view).toContain("2026-03-11 09:35")
})

test("failures show code and status", () => {
  expect(screens(120).failures).toMatch(/ENDPOINT_REJECTED.*422|422.*ENDPOINT_REJECTED/)
})

test("failed contacts are shown on any width; the mode is left out first", () => {
  const columnsOf = (columns: number) => screens(columns).list.split("\n")[0]

  expect(columnsOf(60)).toContain("Failed")
  expect(columnsOf(80)).toMatch(/Sent +Failed +Queued/)
  expect(columnsOf(80)).not.toContain("Mode")
  expect(columnsOf(120)).toMatch(/Sent +Failed +Skipped +Queued +Mode/)
})

test.each([60, 80, 120])(
  "they fit a screen of %d columns, show ids, and cannot control the terminal",
  (columns) => {
    const { failures, list, view } = screens(columns)

    for (const screen of [failures, list, view]) {
      expect(screen).not.toMatch(control)
      for (const line of screen.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(columns)
    }
    expect(list).toContain(delivery.id)
    expect(list).toContain(parked.id)
    expect(view).toContain(parked.id)
  },
)
