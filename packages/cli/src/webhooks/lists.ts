// Visitor webhooks and their deliveries, as lists.

import type { ListMeta, VisitorWebhook, WebhookDelivery } from "@footfall/sdk"
import { listForm } from "../output/print-list.ts"
import { timeAgo } from "../ui/text.ts"
import { webhookStatusText } from "./words.ts"

/** The fields of a webhook but its organization (spec 2.20). */
const webhookColumns = [
  "id",
  "name",
  "url",
  "recipients",
  "trigger",
  "path",
  "minSeconds",
  "segmentId",
  "listId",
  "identified",
  "again",
  "pixelId",
  "pixelDeleted",
  "format",
  "digest",
  "digestHour",
  "digestDay",
  "status",
  "signingVersion",
  "timeoutMs",
  "stats.deliveries",
  "stats.succeeded",
  "stats.failed",
  "stats.successRate",
  "stats.consecutiveFailures",
  "stats.lastDeliveredAt",
  "stats.lastErrorAt",
  "stats.lastErrorMessage",
  "retrying.count",
  "retrying.errorMessage",
  "retrying.at",
  "createdAt",
  "updatedAt",
]

export const webhookList = listForm<VisitorWebhook>({
  csvColumns: webhookColumns,
  nouns: ["webhook", "webhooks"],
  empty: {
    message: "There are no webhooks yet.",
    next: "Run: footfall webhooks create <name> <url>",
  },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id },
    { title: "Name", cell: ({ name }) => name, widthMin: 7, widthKept: 16 },
    {
      title: "Status",
      cell: webhookStatusText,
    },
    { title: "Trigger", cell: ({ trigger }) => trigger, dropRank: 2 },
    {
      title: "Accepted",
      cell: ({ stats }) => (stats.successRate === null ? "" : `${stats.successRate} %`),
      align: "right",
      dropRank: 1,
    },
    {
      title: "Last sent",
      cell: ({ stats }) =>
        stats.lastDeliveredAt === null ? "" : timeAgo(stats.lastDeliveredAt, now),
      align: "right",
      dropRank: 3,
    },
  ],
})

export const webhookDeliveryList = listForm<WebhookDelivery, ListMeta>({
  csvColumns: [
    "id",
    "event",
    "visitorHash",
    "companyDomain",
    "status",
    "attempts",
    "statusCode",
    "errorMessage",
    "nextAttemptAt",
    "createdAt",
    "completedAt",
  ],
  nouns: ["delivery", "deliveries"],
  empty: {
    message: "There are no deliveries yet. Tests are not listed.",
    next: "To send a test and see its response: footfall webhooks test <id>",
  },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id },
    { title: "Event", cell: ({ event }) => event, dropRank: 3 },
    { title: "Status", cell: ({ status }) => status },
    { title: "Attempts", cell: ({ attempts }) => `${attempts}`, align: "right", dropRank: 2 },
    {
      title: "Response",
      cell: ({ errorMessage, statusCode }) => `${statusCode ?? errorMessage ?? ""}`,
      widthMin: 6,
    },
    {
      title: "Queued",
      cell: ({ createdAt }) => timeAgo(createdAt, now),
      align: "right",
      dropRank: 1,
    },
  ],
})
