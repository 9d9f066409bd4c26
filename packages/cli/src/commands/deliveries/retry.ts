// `footfall deliveries retry`: delivers what failed or was never come to once more, and shows how it goes.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { deliveryExit } from "./delivery-exit.ts"
import { addDeliveryArguments, EXAMPLE } from "./delivery-id.ts"
import { printDelivery } from "./print-delivery.ts"
import { watchedDelivery } from "./watched-delivery.ts"

/** Adds the command to its group. */
export const addDeliveriesRetry = (deliveries: Command, terminal: Terminal): void => {
  addDeliveryArguments(
    deliveries
      .command("retry")
      .description("deliver what failed once more, as a new delivery, and wait until it is done"),
  )
    .option("--no-wait", "end as soon as the delivery is in the queue")
    .addHelpText("after", examples(`footfall deliveries retry ${EXAMPLE}`))
    .action(async (audienceId: string, id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly wait: boolean }>()
      const client = await connect(terminal, command, "accessToken")

      const queued = await client.deliveries.retry(audienceId, id)
      const delivery = options.wait ? await watchedDelivery(terminal, client, queued) : queued

      await printDelivery(terminal, options, delivery)
      deliveryExit(terminal, delivery)
    })
}
