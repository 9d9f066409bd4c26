// `footfall listen`: a receiver of webhooks on this computer, which checks and shows each as it comes.

import { InvalidArgumentError, Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { type ListenOptions, refuseIdleOptions } from "../../webhook/listen-options.ts"
import { addSecretOptions } from "../../webhook/secret-options.ts"
import { examples } from "../examples.ts"
import { segmentId } from "../segments/segment-id.ts"
import { pixelId } from "../visitors/question.ts"
import { wholeNumber } from "../whole-number.ts"

/** What the command takes and does. */
export const defineListen = (command: Command, terminal: Terminal): void => {
  const listen = command
    .addOption(
      new Option("--port <n>", "port to listen on; 0 is any that is free")
        .argParser(port)
        .default(4242),
    )
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .addOption(new Option("--forward-to <url>", "hand each on to this address").argParser(httpUrl))
    .addOption(
      new Option("--status <n>", "answer each with this status, to try retries").argParser(status),
    )
    .addOption(new Option("--count <n>", "end after this many").argParser(wholeNumber(1_000_000)))
    .option("--create", "register a visitor webhook that leads here, and remove it at the end")
    .addOption(
      new Option(
        "--public-url <url>",
        "with --create: the address of a tunnel that leads here",
      ).argParser(httpUrl),
    )
    .addOption(
      new Option("--trigger <kind>", "with --create: what the webhook tells of").choices([
        "first_match",
        "every_update",
      ]),
    )
    .addOption(
      new Option("--segment <id>", "with --create: only visitors of it").argParser(segmentId),
    )
    .addOption(new Option("--pixel <id>", "with --create: only visitors it saw").argParser(pixelId))
  addSecretOptions(listen)
    .addHelpText(
      "after",
      examples(
        "footfall listen --create                              # what comes, from now on",
        "footfall listen --port 4242 --secret-file secret.txt  # of a webhook that leads here",
        "footfall listen --forward-to http://localhost:3000/hooks",
        "footfall listen --status 503                          # see the retries",
        "footfall listen --count 1 --json | footfall webhooks verify - --secret-file secret.txt",
      ),
    )
    .action(async () => {
      const options = command.optsWithGlobals<ListenOptions>()
      refuseIdleOptions(options)
      const client = options.create ? await connect(terminal, command, "either") : null
      const { listen } = await import("../../webhook/listening.ts")
      await listen(terminal, client, options)
    })
}

const port = (text: string): number => {
  const number = Number(text)
  if (/^\d+$/.test(text) && number <= 65_535) return number
  throw new InvalidArgumentError("Expected a port from 0 to 65535.")
}

const status = (text: string): number => {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= 200 && number <= 599) return number
  throw new InvalidArgumentError("Expected a status from 200 to 599.")
}

const httpUrl = (text: string): URL => {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text)
  throw new InvalidArgumentError("Expected an address that begins with http:// or https://.")
}
