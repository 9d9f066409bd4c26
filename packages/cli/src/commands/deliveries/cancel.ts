// `footfall deliveries cancel`: takes a delivery out of the queue before a worker has it.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addDeliveryArguments, EXAMPLE } from "./delivery-id.ts"
import { printDelivery } from "./print-delivery.ts"

/** Adds the command to its group. */
export const addDeliveriesCancel = (deliveries: Command, terminal: Terminal): void => {
  addDeliveryArguments(deliveries.command("cancel").description("cancel a delivery that is queued"))
    .addHelpText("after", examples(`footfall deliveries cancel ${EXAMPLE}`))
    .action(async (audienceId: string, id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "accessToken")
      await printDelivery(terminal, options, await client.deliveries.cancel(audienceId, id))
    })
}
