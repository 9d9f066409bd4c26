// The rooms' queues, by their names in `/metrics` and in the doctor's report.
import { Layer } from "effect"
import { deliveryQueue } from "../deliveries/delivery.ts"
import { MeasuredQueues } from "../metrics/database-metrics.ts"
import { exportQueue } from "../runs/exports/export.ts"
import { readyMailQueue } from "../runs/exports/ready-mail/ready-mail.ts"
import { runQueue } from "../runs/run.ts"
import { webhookQueue } from "../webhooks/sending/queue.ts"

export const Queues = Layer.succeed(MeasuredQueues, {
  runs: runQueue,
  exports: exportQueue,
  ready_mails: readyMailQueue,
  deliveries: deliveryQueue,
  webhooks: webhookQueue,
})
