// `footfall webhooks`: visitor webhooks and their deliveries.

import type { VisitorWebhookUpdateParams, WebhookDeliveryStatus } from "@footfall/sdk"
import { type Command, InvalidArgumentError, Option } from "commander"
import { define } from "../command/define.ts"
import { addListOptions, addWholeListOptions, type ListOptions } from "../command/list-options.ts"
import { uuid, wholeNumber } from "../command/values.ts"
import { usageError } from "../errors/cli-error.ts"
import { fieldsOption } from "../output/output-format.ts"
import { view } from "../output/print-result.ts"
import { requireConsent } from "../terminal/consent.ts"
import { lines } from "../terminal/terminal.ts"
import { webhookDeliveryList, webhookList } from "./lists.ts"
import { addSecretOptions } from "./secrets.ts"
import type { VerifyOptions } from "./verifying.ts"

/** A parser of the ids of visitor webhooks. Errors: InvalidArgumentError. */
export const webhookId = uuid("a visitor webhook", "footfall webhooks list")

/** A parser of the ids of what was sent to one. Errors: InvalidArgumentError. */
const webhookDeliveryId = uuid("a webhook delivery", "footfall webhooks deliveries <webhook>")

/** Longest time a receiver may take. spec 2.20. */
const TIMEOUT_MAX = 30_000

interface WebhookOptions {
  readonly trigger?: "first_match" | "every_update"
  readonly segment?: string
  readonly pixel?: string
  readonly timeout?: number
  readonly status?: "active" | "inactive"
}

/** Longest time two secrets sign. spec 5.6. */
const HOURS_MAX = 72

interface DeliveriesOptions extends ListOptions {
  readonly status?: WebhookDeliveryStatus
}

interface UpdateOptions extends WebhookOptions {
  readonly name?: string
  readonly url?: string
  readonly allPeople?: true
  readonly allPixels?: true
}

/** Ten years. */
const TOLERANCE_MAX = 315_360_000

export const webhookCommands = [
  define<ListOptions>("list", {
    description: "list the visitor webhooks and their success rates",
    takes: (command) => addWholeListOptions(command, "webhooks"),
    examples: [
      "footfall webhooks list",
      "footfall webhooks list --json | jq -r '.data[] | select(.status == \"auto_disabled\") | .id'",
    ],
    credential: "either",
    run: async ({ connect, printWhole }) => {
      const client = await connect()
      await printWhole(await client.webhooks.list(), webhookList)
    },
  }),

  define<object, [id: string]>("get", {
    description: "show one visitor webhook and its success rate",
    takes: (command) =>
      command.argument("<id>", "id of the webhook", webhookId).addOption(fieldsOption()),
    examples: ["footfall webhooks get 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11"],
    credential: "either",
    run: async ({ connect, print, terminal }, id) => {
      const client = await connect()

      const webhook = await client.webhooks.get(id)

      await print(
        webhook,
        view(async () => (await import("./views.tsx")).VisitorWebhookView, {
          webhook,
          now: terminal.now,
        }),
      )
    },
  }),

  define<WebhookOptions, [name: string, url: string]>("create", {
    description: "create a visitor webhook, and show its signing secret",
    takes: (command) =>
      addWebhookOptions(
        command
          .argument("<name>", "name of the webhook")
          .argument("<url>", "URL to send events to, https"),
      ),
    examples: [
      "footfall webhooks create CRM https://hooks.example.com/footfall",
      "footfall webhooks create Sales https://hooks.example.com/sales --segment 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11",
    ],
    credential: "either",
    run: async ({ connect, options, print }, name, url) => {
      const client = await connect()

      const created = await client.webhooks.create({ name, url, ...webhookParams(options) })

      await print(created, () =>
        lines(
          `Created webhook ${created.webhook.name}: ${created.webhook.id}`,
          "Signing secret (shown only once):",
          created.webhookSecret,
        ),
      )
    },
  }),

  define<UpdateOptions, [id: string]>("update", {
    description: "update, pause or resume a visitor webhook",
    takes: (command) =>
      addWebhookOptions(
        command
          .argument("<id>", "id of the webhook", webhookId)
          .option("--name <name>", "new name")
          .option("--url <url>", "new address"),
      )
        .option("--all-people", "send events for every person, not a segment")
        .option("--all-pixels", "send events of every pixel"),
    examples: [
      "footfall webhooks update 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 --status active",
      "footfall webhooks update 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 --trigger every_update --all-people",
    ],
    credential: "either",
    run: async ({ connect, options, print }, id) => {
      const changes = {
        ...(options.name === undefined ? {} : { name: options.name }),
        ...(options.url === undefined ? {} : { url: options.url }),
        ...webhookParams(options),
        ...(options.allPeople === undefined ? {} : { segmentId: null }),
        ...(options.allPixels === undefined ? {} : { pixelId: null }),
      }
      if (Object.keys(changes).length === 0) {
        throw usageError("Nothing to update.", "Run: footfall webhooks update --help")
      }
      const client = await connect()

      const webhook = await client.webhooks.update(id, changes)

      await print(webhook, () => lines(`Updated webhook ${webhook.name} (${webhook.status}).`))
    },
  }),

  define<{ readonly yes?: true }, [id: string]>("delete", {
    description: "delete a visitor webhook; queued events are not sent",
    takes: (command) =>
      command
        .argument("<id>", "id of the webhook", webhookId)
        .option("--yes", "do not ask for confirmation"),
    examples: ["footfall webhooks delete 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11"],
    credential: "either",
    run: async ({ connect, options, print, terminal }, id) => {
      const client = await connect()
      await requireConsent(terminal, {
        what: `Webhook ${id} will be deleted. Its queued events will not be sent.`,
        isGiven: options.yes === true,
      })

      const deleted = await client.webhooks.delete(id)

      await print({ id, ...deleted }, () => lines(`Deleted webhook ${id}.`))
    },
  }),

  define<{ readonly graceHours?: number }, [id: string]>("rotate-secret", {
    description: "create a new signing secret, and show it",
    takes: (command) =>
      command
        .argument("<id>", "id of the webhook", webhookId)
        .addOption(
          new Option(
            "--grace-hours <hours>",
            "hours the old secret signs too, 0 to 72 (default: 24)",
          ).argParser(graceHours),
        ),
    examples: [
      "footfall webhooks rotate-secret 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11",
      "footfall webhooks rotate-secret 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 --grace-hours 0",
    ],
    credential: "either",
    run: async ({ connect, options, print }, id) => {
      const client = await connect()

      const rotated = await client.webhooks.rotateSecret(id, { graceHours: options.graceHours })

      await print(rotated, () =>
        lines(
          `${rotated.webhook.name} has a new signing secret (shown only once):`,
          rotated.webhookSecret,
        ),
      )
    },
  }),

  define<object, [id: string]>("test", {
    description: "send a test visitor now, and show the response",
    takes: (command) => command.argument("<id>", "id of the webhook", webhookId),
    examples: ["footfall webhooks test 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11"],
    credential: "either",
    run: async ({ connect, print }, id) => {
      const client = await connect()

      const result = await client.webhooks.test(id)

      await print(result, () =>
        lines(
          result.ok
            ? `The receiver responded with ${result.statusCode} after ${result.latencyMs} ms.`
            : `Failed after ${result.latencyMs} ms: ${result.error}`,
        ),
      )
    },
  }),

  define<DeliveriesOptions, [id: string]>("deliveries", {
    description: "list the deliveries of a visitor webhook, newest first",
    takes: (command) =>
      addListOptions(
        command
          .argument("<id>", "id of the webhook", webhookId)
          .addOption(
            new Option("--status <status>", "only with this status").choices([
              "queued",
              "succeeded",
              "failed",
              "skipped",
            ]),
          ),
        "deliveries",
      ),
    examples: [
      "footfall webhooks deliveries 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 --status failed",
      "footfall webhooks deliveries 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 --all --output ndjson",
    ],
    credential: "either",
    run: async ({ connect, options, printList }, id) => {
      const client = await connect()
      await printList(
        client.webhooks.deliveries(id, { status: options.status }),
        webhookDeliveryList,
      )
    },
  }),

  define<object, [webhook: string, deliveryId: string]>("redeliver", {
    description: "send one delivery again",
    takes: (command) =>
      command
        .argument("<webhook>", "id of the webhook", webhookId)
        .argument("<delivery>", "id of the delivery", webhookDeliveryId),
    examples: [
      "footfall webhooks redeliver 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 9b2c1b8e-3f57-4d39-8a55-6a3b0c1d2e3f",
    ],
    credential: "either",
    run: async ({ connect, print }, webhook, deliveryId) => {
      const client = await connect()

      const delivery = await client.webhooks.redeliver(webhook, deliveryId)

      await print(delivery, () =>
        lines(`Queued again. To see it: footfall webhooks deliveries ${webhook}`),
      )
    },
  }),

  define<VerifyOptions, [file: string]>("verify", {
    description: "verify the signature of a saved request; exits with 0 if valid, 1 if not",
    takes: (command) =>
      addSecretOptions(
        command
          .argument(
            "<file>",
            "a raw request, a line of footfall listen --json, or a body; `-` for standard input",
          )
          .addOption(
            new Option(
              "--header <line>",
              "a header, if the file is only the body; can be repeated",
            ).argParser((line, lines: ReadonlyArray<string> = []) => [...lines, line]),
          )
          .addOption(
            new Option("--tolerance <seconds>", "maximum age of the request").argParser(
              wholeNumber(TOLERANCE_MAX),
            ),
          ),
      ),
    examples: [
      "footfall webhooks verify request.http --secret-file secret.txt",
      "FOOTFALL_WEBHOOK_SECRET=… footfall webhooks verify request.http",
      "footfall webhooks verify body.json --header 'webhook-id: msg_…' --header 'webhook-timestamp: 1773219901' --header 'webhook-signature: v1,…' --secret-file secret.txt",
    ],
    run: async ({ options, terminal }, file) => {
      const { verifyStored } = await import("./verifying.ts")
      await verifyStored(terminal, file, options)
    },
  }),
]

/** Adds the options to a command. */
const addWebhookOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--trigger <trigger>",
        "first_match: once per person; every_update: each session and change too",
      ).choices(["first_match", "every_update"]),
    )
    .addOption(
      new Option("--segment <id>", "only people in this segment").argParser(
        uuid("a segment", "footfall segments list"),
      ),
    )
    .addOption(
      new Option("--pixel <id>", "only events of this pixel").argParser(
        uuid("a pixel", "footfall pixels list"),
      ),
    )
    .addOption(
      new Option("--timeout <ms>", "timeout of a request, 1000 to 30000").argParser(
        wholeNumber(TIMEOUT_MAX),
      ),
    )
    .addOption(
      new Option("--status <status>", "an inactive webhook receives nothing").choices([
        "active",
        "inactive",
      ]),
    )

/** What was given; nothing else. */
const webhookParams = (
  options: WebhookOptions,
): Omit<VisitorWebhookUpdateParams, "name" | "url"> => ({
  ...(options.trigger === undefined ? {} : { trigger: options.trigger }),
  ...(options.segment === undefined ? {} : { segmentId: options.segment }),
  ...(options.pixel === undefined ? {} : { pixelId: options.pixel }),
  ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout }),
  ...(options.status === undefined ? {} : { status: options.status }),
})

/** A parser of hours, from none on. Errors: InvalidArgumentError. */
export const graceHours = (text: string): number => {
  const hours = Number(text)
  if (/^\d{1,2}$/.test(text) && hours <= HOURS_MAX) return hours
  throw new InvalidArgumentError(`Expected a whole number from 0 to ${HOURS_MAX}.`)
}
