// The rooms' queues, by their names in `/metrics` and in the doctor's report.
import { Layer } from "effect"
import { deliveryQueue } from "../../activation/deliveries/delivery.ts"
import { MeasuredQueues } from "../../platform/metrics/database-metrics.ts"
import { exportQueue } from "../../intent/runs/exports/export.ts"
import { readyMailQueue } from "../../intent/runs/exports/ready-mail/ready-mail.ts"
import { runQueue } from "../../intent/runs/run.ts"
import { webhookQueue } from "../../activation/webhooks/sending/queue.ts"

export const Queues = Layer.succeed(MeasuredQueues, {
  runs: runQueue,
  exports: exportQueue,
  ready_mails: readyMailQueue,
  deliveries: deliveryQueue,
  webhooks: webhookQueue,
})
