// `footfall keys get`: one API key by the public form of it. The API has no such request, so the list is read.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { CliError } from "../../errors/cli-error.ts"
import { ExitCode } from "../../errors/exit-code.ts"
import { factsText } from "../../output/facts-text.ts"
import { fieldsOption } from "../../output/output-format.ts"
import { printResult } from "../../output/print-result.ts"
import { keyState } from "../../screens/key-words.ts"
import { timeAgo } from "../../screens/time.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { keyId } from "./key-id.ts"

/** The most the server gives at once; source: spec 1.6. */
const PAGE_ROWS = 100

/** Adds the command to its group. */
export const addKeysGet = (keys: Command, terminal: Terminal): void => {
  keys
    .command("get")
    .description("show one API key, without its secret")
    .argument("<id>", "id of the key", keyId)
    .addOption(fieldsOption())
    .addHelpText("after", examples("footfall keys get 5a8d6a3e-6a0f-4a37-8f7b-6a0a3f1d2c44"))
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "accessToken")

      for await (const key of client.apiKeys.list({ limit: PAGE_ROWS })) {
        if (key.id !== id) continue
        const { now } = terminal
        const text = factsText([
          ["Name", key.name],
          ["Key", `${key.prefix}…${key.last4}`],
          ["State", keyState(key, now)],
          ["Last used", key.lastUsedAt === null ? "never" : timeAgo(key.lastUsedAt, now)],
          ["Created", timeAgo(key.createdAt, now)],
          ["Id", key.id],
        ])
        return printResult(terminal, options, key, text)
      }
      throw new CliError({
        code: "NOT_FOUND",
        message: `This organization has no key ${id}.`,
        exitCode: ExitCode.notFound,
        nextStep: "Run: footfall keys list",
      })
    })
}
