// `footfall pixels verify`: whether events of a site arrive, and if not, why and what to do. Ends with
// 1 when they do not, so that a script can wait for it.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { ExitCode } from "../../errors/exit-code.ts"
import { fieldsOption } from "../../output/output-format.ts"
import { printResult } from "../../output/print-result.ts"
import { siteFinding, verificationFinding, verificationText } from "../../screens/pixel-words.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { pixelIdOf } from "./pixel-reference.ts"

/** Adds the command to its group. */
export const addPixelsVerify = (pixels: Command, terminal: Terminal): void => {
  pixels
    .command("verify")
    .description("look whether events arrive, and say why not")
    .argument("<pixel>", "its id or its domain")
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall pixels verify example.com",
        "until footfall pixels verify example.com; do sleep 10; done",
      ),
    )
    .action(async (reference: string, _options, command: Command) => {
      const client = await connect(terminal, command)
      const id = await pixelIdOf(client, reference)
      const { domain } = await client.pixels.get(id)
      const verification = await client.pixels.verify(id)
      const finding = verificationFinding({ domain }, verification, terminal.now)
      const findings = verification.findings.map((found) => ({
        ...found,
        ...siteFinding({ domain }, found),
      }))
      const data = { id, domain, ...verification, ...finding, findings }
      await printResult(terminal, command.optsWithGlobals<GlobalOptions>(), data, () =>
        verificationText(finding, findings),
      )
      if (!verification.verified) terminal.endWith(ExitCode.failed)
    })
}
