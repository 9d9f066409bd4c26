// `footfall listen`: receives webhooks on this computer, verifies them and shows them.

import { InvalidArgumentError, Option } from "commander"
import { define } from "../command/define.ts"
import { pixelId, segmentId } from "../command/ids.ts"
import { wholeNumber } from "../command/values.ts"
import { addSecretOptions } from "../webhooks/secrets.ts"
import { type ListenOptions, refuseIdleOptions } from "./listen-options.ts"

export const listenCommand = define<ListenOptions>("listen", {
  takes: (command) =>
    addSecretOptions(
      command
        .addOption(
          new Option("--port <n>", "port to listen on; 0 picks a free one")
            .argParser(port)
            .default(4242),
        )
        .option("--host <address>", "address to listen on", "127.0.0.1")
        .addOption(
          new Option("--forward-to <url>", "forward each request to this URL").argParser(httpUrl),
        )
        .addOption(
          new Option("--status <n>", "respond with this status, to test retries").argParser(status),
        )
        .addOption(
          new Option("--count <n>", "stop after this many requests").argParser(
            wholeNumber(1_000_000),
          ),
        )
        .option("--verbose", "also show the headers and the payload of each event")
        .option("--create", "create a visitor webhook that points here, and delete it on exit")
        .addOption(
          new Option(
            "--public-url <url>",
            "with --create: public URL of a tunnel to this computer",
          ).argParser(httpUrl),
        )
        .addOption(
          new Option("--trigger <kind>", "with --create: when the webhook fires").choices([
            "first_match",
            "every_update",
            "company_seen",
            "page_viewed",
            "entered_segment",
            "left_segment",
          ]),
        )
        .addOption(
          new Option(
            "--segment <segment>",
            "with --create: only visitors in this segment",
          ).argParser(segmentId),
        )
        .addOption(
          new Option("--pixel <pixel>", "with --create: only visitors of this pixel").argParser(
            pixelId,
          ),
        ),
    ),
  examples: [
    "footfall listen --create                              # events from now on",
    "footfall listen --port 4242 --secret-file secret.txt  # a webhook that points here",
    "footfall listen --forward-to http://localhost:3000/hooks",
    "footfall listen --create --verbose                    # with headers and payload",
    "footfall listen --status 503                          # watch the retries",
    "footfall listen --count 1 --json | footfall webhooks verify - --secret-file secret.txt",
  ],
  credential: "either",
  run: async ({ connect, options, terminal }) => {
    refuseIdleOptions(options)
    const client = options.create ? await connect() : null
    const { listen } = await import("./listening.ts")
    await listen(terminal, client, options)
  },
})

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
  throw new InvalidArgumentError("Expected a URL that starts with http:// or https://.")
}
