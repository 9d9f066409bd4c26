// `footfall deliveries get`: one delivery as it is now.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { fieldsOption } from "../../output/output-format.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addDeliveryArguments, EXAMPLE } from "./delivery-id.ts"
import { printDelivery } from "./print-delivery.ts"

/** Adds the command to its group. */
export const addDeliveriesGet = (deliveries: Command, terminal: Terminal): void => {
  addDeliveryArguments(deliveries.command("get").description("show one delivery"))
    .addOption(fieldsOption())
    .addHelpText("after", examples(`footfall deliveries get ${EXAMPLE}`))
    .action(async (audienceId: string, id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "accessToken")
      await printDelivery(terminal, options, await client.deliveries.get(audienceId, id))
    })
}
