// `footfall sync`: delivers the latest completed run to a destination, and shows how it goes. Ends with 1 when
// the delivery failed or was cancelled, with 3 when some contacts did not arrive.

import type { SyncParams } from "@footfall/sdk"
import { type Command, Option } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { addDestinationArguments, EXAMPLE } from "../destinations/destination-id.ts"
import { examples } from "../examples.ts"
import { referencesResolved } from "../reference.ts"
import { deliveryExit } from "./delivery-exit.ts"
import { printDelivery } from "./print-delivery.ts"
import { watchedDelivery } from "./watched-delivery.ts"

/** As commander hands them over. */
interface SyncOptions extends GlobalOptions {
  readonly mode?: SyncParams["mode"]
  readonly idempotencyKey?: string
  readonly wait: boolean
}

/** What the command takes and does. */
export const defineSync = (command: Command, terminal: Terminal): void => {
  addDestinationArguments(command)
    .hook("preAction", referencesResolved(terminal))
    .addOption(
      new Option("--mode <mode>", "what has changed (default), or everybody").choices([
        "incremental",
        "full_resync",
      ]),
    )
    .option("--idempotency-key <key>", "within 24 hours the same key gives the same delivery")
    .addOption(
      // The default is said, because commander fills it in before a command of the first level is loaded.
      new Option("--no-wait", "end as soon as the delivery is in the queue").default(true),
    )
    .addHelpText(
      "after",
      examples(
        `footfall sync ${EXAMPLE}`,
        `footfall sync ${EXAMPLE} --mode full_resync`,
        `footfall sync ${EXAMPLE} --no-wait --json | jq -r .data.id`,
      ),
    )
    .action(async (audienceId: string, id: string) => {
      const options = command.optsWithGlobals<SyncOptions>()
      const { idempotencyKey, mode } = options
      const client = await connect(terminal, command, "accessToken")

      const queued = await client.deliveries.sync(audienceId, id, { mode, idempotencyKey })
      const delivery = options.wait ? await watchedDelivery(terminal, client, queued) : queued

      await printDelivery(terminal, options, delivery)
      deliveryExit(terminal, delivery)
    })
}
