// Visitor webhook screens, rendered without color.

import type { VisitorWebhook, WebhookDelivery } from "@footfall/sdk"
import type { ComponentType } from "react"
import { expect, test } from "vitest"
import { stripVTControlCharacters } from "node:util"
import { textWidth } from "../ui/column-widths.ts"
import { drawn } from "../ui/drawn.ts"
import { ListScreen } from "../ui/list-screen.tsx"
import { VisitorWebhookView, WebhookDeliveryView } from "./views.tsx"
import { webhookDeliveryList, webhookList } from "./lists.ts"

const now = new Date("2026-03-11T09:00:00.000Z")
const text = <Props extends object>(
  screen: ComponentType<Props>,
  props: Props,
  columns = 120,
): string => stripVTControlCharacters(drawn(screen, props, columns))

/** A name that tries to clear the screen. */
const hostile = "\u001B[2J\u009B31mEvil\u202E\nCorp"
const control = /[^\P{Cc}\n]|\u202E/u

const webhook: VisitorWebhook = {
  id: "72c2caee-8b8d-4561-a8f3-fa549b992a9d",
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  name: "CRM intake",
  url: "https://hooks.tidewater.example/footfall",
  trigger: "every_update",
  recipients: null,
  path: null,
  minSeconds: null,
  segmentId: null,
  listId: null,
  identified: null,
  again: null,
  pixelId: null,
  pixelDeleted: false,
  format: "standard",
  digest: "immediate",
  digestHour: null,
  digestDay: null,
  status: "active",
  signingVersion: "v1",
  timeoutMs: 10_000,
  stats: {
    deliveries: 12_345,
    succeeded: 12_300,
    failed: 45,
    successRate: 99.64,
    consecutiveFailures: 0,
    lastDeliveredAt: "2026-03-11T08:30:00.000Z",
    lastErrorAt: null,
    lastErrorMessage: null,
  },
  retrying: null,
  createdAt: "2026-03-01T09:00:00.000Z",
  updatedAt: "2026-03-01T09:00:00.000Z",
}

test("the CSV of webhooks has every field but the organization", () => {
  const fields = Object.entries(webhook).flatMap(([name, value]) =>
    name === "stats" ? Object.keys(value).map((inner) => `stats.${inner}`) : [name],
  )
  const columns = webhookList.csvColumns.map((column) =>
    column.startsWith("retrying.") ? "retrying" : column,
  )

  expect(new Set(columns)).toEqual(new Set(fields.filter((name) => name !== "organizationId")))
})

const stopped: VisitorWebhook = {
  ...webhook,
  id: "8d0f3b7e-5c1a-4e9f-b2d6-7a3c9e8f1b04",
  trigger: "first_match",
  status: "auto_disabled",
  segmentId: "5b1f7a52-0f0d-4c53-9d0f-0f7f8a5f2a11",
  pixelId: "cdd19037-47fb-4e21-a054-2da787925aea",
  stats: {
    deliveries: 0,
    succeeded: 0,
    failed: 0,
    successRate: null,
    consecutiveFailures: 21,
    lastDeliveredAt: null,
    lastErrorAt: "2026-03-11T08:50:00.000Z",
    lastErrorMessage: "Expected a 2xx response, received 410.",
  },
}
const delivery: WebhookDelivery = {
  id: "3f0c8a52-1d2e-4b6a-9c7d-8e9f0a1b2c3d",
  webhookId: webhook.id,
  event: "visitor.updated",
  visitorHash: null,
  companyDomain: null,
  status: "failed",
  attempts: 8,
  statusCode: 500,
  errorMessage: "Expected a 2xx response, received 500.",
  responseSnippet: null,
  nextAttemptAt: null,
  createdAt: "2026-03-11T08:30:00.000Z",
  completedAt: "2026-03-11T08:50:00.000Z",
}
const unanswered: WebhookDelivery = {
  ...delivery,
  id: "90b6b7b1-66a5-4a0e-8f0e-3a1f2b3c4d5e",
  status: "queued",
  attempts: 1,
  statusCode: null,
  errorMessage: "No response within 1000 ms.",
}
const meta = {
  timestamp: "2026-03-11T09:00:00.000Z",
  request_id: "req_1",
  total: 2,
  limit: 25,
  offset: 0,
  nextCursor: null,
  hasMore: false,
}

const tables = (columns: number) => ({
  webhooks: text(
    ListScreen<VisitorWebhook>,
    {
      table: webhookList.table,
      rows: [webhook, { ...stopped, name: hostile }],
      meta,
      now,
      screenColumns: columns,
    },
    columns,
  ),
  deliveries: text(
    ListScreen<WebhookDelivery>,
    {
      table: webhookDeliveryList.table,
      rows: [delivery, { ...unanswered, errorMessage: hostile }],
      meta,
      now,
      screenColumns: columns,
    },
    columns,
  ),
})

test("webhooks show their status, trigger and success rate", () => {
  const { webhooks } = tables(120)

  expect(webhooks).toMatch(/72c2caee\S+\s+CRM intake\s+active\s+every_update\s+99\.64 %\s+30m ago/)
  expect(webhooks).toMatch(/8d0f3b7e\S+\s+\S.*auto_disabled\s+first_match/)
})

test("deliveries show the response, or why there was none", () => {
  const deliveries = [delivery, unanswered]
  const screen = text(ListScreen<WebhookDelivery>, {
    table: webhookDeliveryList.table,
    rows: deliveries,
    meta,
    now,
    screenColumns: 120,
  })

  expect(screen).toMatch(/3f0c8a52\S+\s+visitor\.updated\s+failed\s+8\s+500\s+30m ago/)
  expect(screen).toMatch(/90b6b7b1\S+\s+visitor\.updated\s+queued\s+1\s+No response/)
})

test.each([60, 80, 120])("they fit a screen of %d columns, and show ids and states", (columns) => {
  const { deliveries, webhooks } = tables(columns)

  for (const [screen, wanted] of [
    [webhooks, [webhook.id, stopped.id, "active", "auto_disabled"]],
    [deliveries, [delivery.id, unanswered.id, "failed", "queued"]],
  ] as const) {
    expect(screen).not.toMatch(control)
    for (const word of wanted) expect(screen).toContain(word)
    for (const line of screen.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(columns)
  }
})

test("a webhook shows what it sends and where", () => {
  const screen = text(VisitorWebhookView, { webhook, now, screenColumns: 80 }, 80)

  expect(screen).toMatch(/CRM intake · active/)
  expect(screen).toMatch(/Sends to\s+https:\/\/hooks\.tidewater\.example\/footfall/)
  expect(screen).toMatch(/Segment\s+everyone/)
  expect(screen).toMatch(/Pixel\s+all/)
  expect(screen).toMatch(/Sent\s+12,345 events/)
  expect(screen).toMatch(/Accepted\s+99\.64 %/)
  expect(screen).not.toContain("Last error")
})

test.each([60, 80, 120])("a disabled webhook says why, on %d columns", (columns) => {
  const props = { webhook: { ...stopped, name: hostile }, now, screenColumns: columns }
  const screen = text(VisitorWebhookView, props, columns)

  expect(screen).not.toMatch(control)
  expect(screen).toContain("auto_disabled")
  expect(screen).toMatch(/Failed in a row\s+21/)
  expect(screen.replaceAll(/\s+/g, " ")).toContain("received 410. 10m ago")
  expect(screen).toContain(stopped.id)
  for (const line of screen.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(columns)
})

test("empty lists say what to do next", () => {
  expect(
    text(ListScreen<VisitorWebhook>, {
      table: webhookList.table,
      rows: [],
      meta: { ...meta, total: 0 },
      now,
      screenColumns: 80,
    }),
  ).toContain("footfall webhooks create")
  expect(
    text(ListScreen<WebhookDelivery>, {
      table: webhookDeliveryList.table,
      rows: [],
      meta: { ...meta, total: 0 },
      now,
      screenColumns: 80,
    }),
  ).toContain("Tests are not listed.")
})

test("a webhook for a deleted pixel says that it never fires, and what to do", () => {
  const orphan = { ...webhook, pixelId: stopped.pixelId, pixelDeleted: true }

  const view = text(VisitorWebhookView, { webhook: orphan, now, screenColumns: 120 })
  expect(view).toContain(`${stopped.pixelId} (deleted)`)
  expect(view).toContain("Its pixel was deleted, so this webhook never fires.")
  expect(view).toContain(`footfall webhooks update ${webhook.id} --pixel <pixel>`)
  const meta = { hasMore: false, nextCursor: null, total: 1 }
  const table = text(ListScreen<VisitorWebhook>, {
    table: webhookList.table,
    rows: [orphan],
    meta,
    now,
    screenColumns: 120,
  })
  expect(table).toContain("active, pixel deleted")
})

test.each([60, 120])("a delivery shows what was sent, on %d columns", (columns) => {
  const payload = JSON.stringify({ event: "visitor.updated", data: { name: hostile } })
  const props = { delivery: { ...delivery, payload }, now, screenColumns: columns }
  const screen = text(WebhookDeliveryView, props, columns)

  expect(screen).not.toMatch(control)
  expect(screen).toMatch(/visitor\.updated · failed/)
  expect(screen).toMatch(/Response\s+500/)
  expect(screen).toContain('"event": "visitor.updated"')
  for (const line of screen.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(columns)

  const gone = { ...props, delivery: { ...delivery, payload: null } }
  expect(text(WebhookDeliveryView, gone, columns)).toContain("No body is stored")
})
