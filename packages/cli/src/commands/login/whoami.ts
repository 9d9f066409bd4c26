// `footfall whoami`: whose credentials are in use: of a user who is logged in, or of a key.

import type { Command } from "commander"
import { clientOf } from "../../connection/connect.ts"
import { credentialsMissing } from "../../connection/credential.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { credentialSent, settle } from "../../connection/settle.ts"
import { factsText } from "../../output/facts-text.ts"
import { fieldsOption } from "../../output/output-format.ts"
import { printResult } from "../../output/print-result.ts"
import type { Fact } from "../../screens/Facts.tsx"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"

/** What the command takes and does. */
export const defineWhoami = (command: Command, terminal: Terminal): void => {
  command
    .addOption(fieldsOption())
    .addHelpText("after", examples("footfall whoami", "footfall whoami --json | jq -r .data.role"))
    .action(async () => {
      const settled = await settle(terminal, command)
      const { baseUrl, sessionProfile, apiKey } = settled.settings
      const options = command.optsWithGlobals<GlobalOptions>()
      const hasKey = apiKey !== undefined
      if (credentialSent(settled.settings, "accessToken") === null) {
        if (!hasKey) throw credentialsMissing("either")
        const client = await clientOf(settled, "apiKey")
        const { organization } = await client.account.get()
        const data = { user: null, role: null, organization, server: baseUrl, hasApiKey: true }
        return printResult(terminal, options, data, factsText(keyFacts(organization.name, baseUrl)))
      }
      const client = await clientOf(settled, "accessToken")
      const { user, role, organization, organizations } = await client.auth.me()
      const data = { user, role, organization, organizations, server: baseUrl, hasApiKey: hasKey }
      return printResult(
        terminal,
        options,
        data,
        factsText([
          ["User", user.name === null ? user.email : `${user.name} <${user.email}>`],
          ["Organization", `${organization.name} (${organization.slug})`],
          ["Role", role],
          ["Others", others(organizations, organization.id)],
          ["Server", baseUrl],
          ["Profile", sessionProfile ?? null],
          ["API key", hasKey ? "yes" : "none. Run: footfall keys create <name> --save"],
        ]),
      )
    })
}

const keyFacts = (organization: string, baseUrl: string): ReadonlyArray<Fact> => [
  ["User", "none: an API key"],
  ["Organization", organization],
  ["Server", baseUrl],
]

const others = (
  organizations: ReadonlyArray<{ readonly id: string; readonly slug: string }>,
  idInUse: string,
): string =>
  organizations
    .filter(({ id }) => id !== idInUse)
    .map(({ slug }) => slug)
    .join(", ")
