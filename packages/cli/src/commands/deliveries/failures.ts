// `footfall deliveries failures`: the contacts of a delivery that did not arrive.

import type { DeliveryFailure, ListMeta } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { limitedPages } from "../../output/limited-pages.ts"
import { outputOf } from "../../output/output-format.ts"
import { printList, type ListForm } from "../../output/print-list.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addListOptions, rowsMax, type ListOptions } from "../list-options.ts"
import { addDeliveryArguments, EXAMPLE } from "./delivery-id.ts"

/** Adds the command to its group. */
export const addDeliveriesFailures = (deliveries: Command, terminal: Terminal): void => {
  addListOptions(
    addDeliveryArguments(
      deliveries
        .command("failures")
        .description("list the contacts that did not arrive, latest attempt first"),
    ),
    "contacts",
  )
    .addHelpText(
      "after",
      examples(
        `footfall deliveries failures ${EXAMPLE}`,
        `footfall deliveries failures ${EXAMPLE} --all --output csv > failures.csv`,
      ),
    )
    .action(async (audienceId: string, id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ListOptions>()
      const output = outputOf(options, terminal)
      const client = await connect(terminal, command, "accessToken")
      const list = client.deliveries.failures(audienceId, id)
      await printList(
        terminal,
        output,
        limitedPages(list.pages(), rowsMax(options)),
        form(terminal),
      )
    })
}

const form = (terminal: Terminal): ListForm<DeliveryFailure, ListMeta> => ({
  csvColumns: [
    "hashedEmail",
    "errorCode",
    "errorMessage",
    "statusCode",
    "attempts",
    "lastAttemptAt",
  ],
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { DeliveryFailureTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/DeliveryFailureTable.tsx"),
    ])
    const props = { failures: data, meta, now: terminal.now, screenColumns: columns }
    return drawn(DeliveryFailureTable, props, columns)
  },
})
