// Queues from the text of /metrics.

import { expect, test } from "vitest"
import { queueDepths } from "./snapshot.ts"

test("each queue has its depths and its lag; other metrics are ignored", () => {
  const text = [
    "# TYPE footfall_queue_depth gauge",
    'footfall_queue_depth{queue="runs",state="waiting"} 2',
    'footfall_queue_depth{queue="runs",state="delayed"} 1',
    'footfall_queue_depth{queue="runs",state="working"} 3',
    'footfall_queue_depth{state="waiting",queue="webhooks"} 0',
    'footfall_queue_depth{queue="runs",state="dreaming"} 9',
    'footfall_queue_lag_seconds{queue="runs"} 12.5',
    'footfall_database_connections{state="active"} 4',
    "# EOF",
  ].join("\n")

  expect(queueDepths(text)).toEqual([
    { queue: "runs", waiting: 2, delayed: 1, working: 3, lagSeconds: 12.5 },
    { queue: "webhooks", waiting: 0, delayed: 0, working: 0, lagSeconds: 0 },
  ])
})

test.each(["", "<html>Not found</html>", "footfall_build_info 1"])("%j has no queues", (text) => {
  expect(queueDepths(text)).toBeNull()
})
