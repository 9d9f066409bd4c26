// `footfall destinations create`: makes a draft, of a webhook or of a mailing list. The secret of a webhook
// is printed once.

import type { DestinationCreateParams } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { usageError } from "../../errors/usage-error.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { accountId } from "../integrations/account-id.ts"
import { addAudienceArgument, EXAMPLE_AUDIENCE } from "./destination-id.ts"
import {
  addDestinationOptions,
  ALL_EVENTS,
  givenList,
  type DestinationOptions,
} from "./destination-options.ts"

/** As commander hands them over. */
interface CreateOptions extends GlobalOptions, DestinationOptions {
  readonly account?: string
}

/** Adds the command to its group. */
export const addDestinationsCreate = (destinations: Command, terminal: Terminal): void => {
  addDestinationOptions(
    addAudienceArgument(
      destinations
        .command("create")
        .summary("make a destination, as a draft")
        .description(
          "Make a destination, as a draft: of a webhook with --url, of a mailing list with --account.\n" +
            "The secret of a webhook is shown once: keep it at once, it cannot be shown again.",
        ),
    ).argument("<name>", "name of the destination"),
  )
    .addOption(
      new Option("--account <id>", "mailing list: the connected account").argParser(accountId),
    )
    .addHelpText(
      "after",
      examples(
        `footfall destinations create ${EXAMPLE_AUDIENCE} 'CRM intake' --url https://crm.example/footfall`,
        `footfall destinations create ${EXAMPLE_AUDIENCE} Newsletter --account 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 --list buyers --field FNAME=firstName`,
      ),
    )
    .action(async (audienceId: string, name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>()
      const params = givenDestination(name, options)
      const client = await connect(terminal, command, "either")

      const created = await client.destinations.create(audienceId, params)

      const { destination, webhookSecret } = created
      await printResult(terminal, options, created, () =>
        lines(
          `The destination ${destination.name} is made, as a draft: ${destination.id}`,
          ...(webhookSecret === null
            ? []
            : ["This is its secret, shown only now:", "", `  ${webhookSecret}`, ""]),
          `Activate it with: footfall destinations activate ${audienceId} ${destination.id}`,
        ),
      )
    })
}

const givenDestination = (name: string, options: CreateOptions): DestinationCreateParams => {
  const { account, event = ALL_EVENTS, timeout, url, validation } = options
  const validationPolicy = validation
  const config = givenList(options)
  if (url !== undefined && account === undefined && config === undefined) {
    return {
      destinationType: "webhook",
      name,
      url,
      eventTypes: event,
      timeoutMs: timeout,
      validationPolicy,
    }
  }
  if (account === undefined || config === undefined || url !== undefined) {
    throw usageError(
      "Expected either --url for a webhook, or --account and --list for a mailing list.",
    )
  }
  return {
    destinationType: "automation",
    name,
    appSlug: "mailer",
    connectedAccountId: account,
    config,
    validationPolicy,
  }
}
