// The `delete` command of a noun.

import type { Footfall } from "@footfall/sdk"
import type { Credential } from "../connection/credential.ts"
import { requireConsent } from "../terminal/consent.ts"
import { lines } from "../terminal/terminal.ts"
import { define, type Defined } from "./define.ts"

/** `delete <id>`: asks for confirmation, and prints what the server returns. */
export const defineDelete = (definition: {
  readonly description: string
  /** Its description in the help, and its parser. */
  readonly id: readonly [description: string, read: (text: string) => string]
  readonly example: string
  readonly credential: Credential
  /** What will happen, as a sentence. */
  readonly warning: (label: string) => string
  readonly run: (client: Footfall, id: string) => Promise<object>
  readonly done: (label: string) => string
}): Defined =>
  define<{ readonly yes?: true }, [id: string]>("delete", {
    description: definition.description,
    takes: (command) =>
      command.argument("<id>", ...definition.id).option("-y, --yes", "do not ask for confirmation"),
    examples: [definition.example],
    credential: definition.credential,
    run: async ({ command, connect, options, print, terminal }, id) => {
      const client = await connect()
      const [given = id] = command.args
      const label = given.toLowerCase() === id ? id : `${given} (${id})`
      const isConfirmed = options.yes === true
      await requireConsent(terminal, { what: definition.warning(label), isConfirmed })
      const deleted = await definition.run(client, id)
      await print({ id, ...deleted }, () => lines(definition.done(label)))
    },
  })
