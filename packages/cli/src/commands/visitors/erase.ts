// `footfall visitors erase`: deletes a person for good. It asks for the address to be typed, because
// nothing brings the person back.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { requireConsent } from "../../terminal/consent.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { visitorNamed } from "./visitor-id.ts"

/** As commander hands them over. */
interface EraseOptions extends GlobalOptions {
  readonly suppress?: true
  readonly yes?: true
}

/** Adds the command to its group. */
export const addVisitorsErase = (visitors: Command, terminal: Terminal): void => {
  visitors
    .command("erase")
    .summary("delete a person for good")
    .description(
      "Delete a person for good: profile, addresses, sessions and events. A new visit does not\n" +
        "bring them back. What is left is a keyed hash of each address.",
    )
    .argument("<email>", "any of their addresses, or the hash of one")
    .option("--suppress", "also add every known address to the suppression list")
    .option("--yes", "do it without asking")
    .addHelpText(
      "after",
      examples(
        "footfall visitors erase nadia.osei@northwind-robotics.example",
        "footfall visitors erase nadia.osei@northwind-robotics.example --suppress --yes",
      ),
    )
    .action(async (person: string, _options, command: Command) => {
      const options = command.optsWithGlobals<EraseOptions>()
      const { id, name } = await visitorNamed(person)
      const suppress = options.suppress === true
      const client = await connect(terminal, command)
      await requireConsent(terminal, {
        what: `${name} will be erased for good${suppress ? " and suppressed" : ""}.`,
        phrase: name,
        isGiven: options.yes === true,
      })

      const erased = await client.visitors.erase(id, { suppress })

      const data = { visitorId: id, suppress, ...erased }
      await printResult(terminal, options, data, () =>
        lines(`${name} is erased${suppress ? " and suppressed" : ""}.`),
      )
    })
}
