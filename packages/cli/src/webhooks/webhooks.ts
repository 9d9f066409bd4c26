// `footfall webhooks`: visitor webhooks and their deliveries.

import type {
  Footfall,
  VisitorWebhookAgain,
  VisitorWebhookDigest,
  VisitorWebhookFormat,
  VisitorWebhookIdentified,
  VisitorWebhookPreview,
  VisitorWebhookTrigger,
  VisitorWebhookUpdateParams,
} from "@footfall/sdk"
import { type Command, InvalidArgumentError, Option } from "commander"
import { defineDelete } from "../command/define-delete.ts"
import { define } from "../command/define.ts"
import { addWholeListOptions, type ListOptions } from "../command/list-options.ts"
import { listId, pixelId, segmentId, webhookId } from "../command/ids.ts"
import { wholeNumber } from "../command/values.ts"
import { ExitCode, usageError } from "../errors/cli-error.ts"
import { memberOf, organizationIdOf, withSession } from "../members/reference.ts"
import { view } from "../output/print-result.ts"
import { lines, plainText } from "../terminal/terminal.ts"
import { counted, timeAgo } from "../ui/text.ts"
import { webhookDeliveryCommands } from "./deliveries.ts"
import { webhookList } from "./lists.ts"
import { addSecretOptions } from "./secrets.ts"
import type { VerifyOptions } from "./verifying.ts"

/** Maximum time a receiver may take. spec 2.20. */
const TIMEOUT_MAX = 30_000
/** Maximum time that a page may have to be visible. spec 2.20. */
const SECONDS_MAX = 600

interface WebhookOptions {
  readonly recipients?: ReadonlyArray<string>
  readonly trigger?: VisitorWebhookTrigger
  readonly path?: string
  readonly minSeconds?: number
  readonly segment?: string
  readonly list?: string
  readonly identified?: VisitorWebhookIdentified
  readonly again?: VisitorWebhookAgain
  readonly pixel?: string
  readonly format?: VisitorWebhookFormat
  readonly digest?: VisitorWebhookDigest
  readonly digestHour?: number
  readonly digestDay?: number
  readonly timeout?: number
  readonly status?: "active" | "inactive"
}

interface PreviewOptions extends WebhookOptions {
  readonly timeframe?: "24h" | "7d" | "30d"
}

/** Maximum time that two secrets sign. spec 5.6. */
const HOURS_MAX = 72

interface UpdateOptions extends WebhookOptions {
  readonly name?: string
  readonly url?: string
  readonly allPages?: true
  readonly allPeople?: true
  readonly allLists?: true
  readonly allPixels?: true
}

/** Ten years. */
const TOLERANCE_MAX = 315_360_000

export const webhookCommands = [
  define<ListOptions>("list", {
    description: "list the visitor webhooks and their success rates",
    takes: (command) => addWholeListOptions(command, "webhooks"),
    fields: "id,name,status",
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
    takes: (command) => command.argument("<id>", "id or name of the webhook", webhookId),
    fields: "name,status,url",
    examples: ["footfall webhooks get CRM"],
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

  define<WebhookOptions, [name: string, url: string | undefined]>("create", {
    description: "create a visitor webhook, and show its signing secret if it has one",
    takes: (command) =>
      addWebhookOptions(
        command
          .argument("<name>", "name of the webhook")
          .argument("[url]", "URL to send events to, https; not for the format email"),
      ),
    examples: [
      "footfall webhooks create CRM https://hooks.example.com/footfall",
      "footfall webhooks create Sales https://hooks.example.com/sales --segment Buyers",
      "footfall webhooks create '#pricing' https://hooks.slack.com/services/T0/B0/z --format slack --trigger page_viewed --path /pricing --min-seconds 20",
      "footfall webhooks create '#buyers' https://hooks.slack.com/services/T0/B0/w --format slack --trigger entered_segment --segment Buyers",
      "footfall webhooks create '#accounts' https://hooks.slack.com/services/T0/B0/y --format slack --trigger company_seen",
      "footfall webhooks create '#sales' https://hooks.slack.com/services/T0/B0/x --format slack --digest daily --digest-hour 7",
      "footfall webhooks create 'Weekly companies' --format email --recipients ann@example.com,bob@example.com --trigger company_seen --digest weekly",
    ],
    credential: "either",
    creates: true,
    run: async ({ connect, creation, options, print }, name, url) => {
      const client = await connect()

      const created = await client.webhooks.create(
        {
          name,
          ...(url === undefined ? {} : { url }),
          ...(await webhookParams(client, options)),
        },
        creation,
      )

      await print(created, () =>
        lines(
          `Created webhook ${created.webhook.name}: ${created.webhook.id}`,
          ...(created.webhookSecret === null
            ? []
            : ["Signing secret (shown only once):", created.webhookSecret]),
        ),
      )
    },
  }),

  define<PreviewOptions>("preview", {
    description:
      "Try a visitor webhook on the sessions of the last days: how often it would have sent, and to\n" +
      "whom. Nothing is stored or sent.",
    summary: "show what a webhook would have sent in the last days",
    takes: (command) =>
      addWebhookOptions(command).addOption(
        new Option("--timeframe <timeframe>", "the sessions to try it on (default: 30d)").choices([
          "24h",
          "7d",
          "30d",
        ]),
      ),
    examples: [
      "footfall webhooks preview --trigger page_viewed --path /pricing --again 24h",
      "footfall webhooks preview --trigger company_seen --timeframe 7d --json | jq .data.byAgain",
    ],
    credential: "either",
    run: async ({ connect, options, print, terminal }) => {
      const client = await connect()

      const preview = await client.webhooks.preview({
        ...(await webhookParams(client, options)),
        ...(options.timeframe === undefined ? {} : { timeframe: options.timeframe }),
      })

      await print(preview, () =>
        lines(...previewLines(preview, options.timeframe ?? "30d", terminal.now)),
      )
    },
  }),

  define<UpdateOptions, [id: string]>("update", {
    description: "update, pause or resume a visitor webhook",
    takes: (command) =>
      addWebhookOptions(
        command
          .argument("<id>", "id or name of the webhook", webhookId)
          .option("--name <name>", "new name")
          .option("--url <url>", "new URL"),
      )
        .addOption(
          new Option("--all-people", "send events for every person, not a segment").conflicts(
            "segment",
          ),
        )
        .addOption(
          new Option("--all-pages", "send views of every page, not of a path").conflicts("path"),
        )
        .addOption(
          new Option("--all-lists", "send events about everyone, not of a list").conflicts("list"),
        )
        .addOption(new Option("--all-pixels", "send events from every pixel").conflicts("pixel")),
    examples: [
      "footfall webhooks update CRM --status active",
      "footfall webhooks update CRM --trigger every_update --all-people",
    ],
    credential: "either",
    run: async ({ connect, options, print }, id) => {
      const client = await connect()
      const changes = {
        ...(options.name === undefined ? {} : { name: options.name }),
        ...(options.url === undefined ? {} : { url: options.url }),
        ...(await webhookParams(client, options)),
        ...(options.allPages === undefined ? {} : { path: null }),
        ...(options.allPeople === undefined ? {} : { segmentId: null }),
        ...(options.allLists === undefined ? {} : { listId: null }),
        ...(options.allPixels === undefined ? {} : { pixelId: null }),
      }
      if (Object.keys(changes).length === 0) {
        throw usageError("Nothing to update.", "Run: footfall webhooks update --help")
      }

      const webhook = await client.webhooks.update(id, changes)

      await print(webhook, () => lines(`Updated webhook ${webhook.name} (${webhook.status}).`))
    },
  }),

  defineDelete({
    description: "delete a visitor webhook; queued events are not sent",
    id: ["id or name of the webhook", webhookId],
    example: "footfall webhooks delete CRM",
    credential: "either",
    warning: (id) => `Webhook ${id} will be deleted. Its queued events will not be sent.`,
    run: ({ webhooks }, id) => webhooks.delete(id),
    done: (id) => `Deleted webhook ${id}.`,
  }),

  define<{ readonly graceHours?: number }, [id: string]>("rotate-secret", {
    description: "create a new signing secret, and show it",
    takes: (command) =>
      command
        .argument("<id>", "id or name of the webhook", webhookId)
        .addOption(
          new Option(
            "--grace-hours <hours>",
            "hours to keep signing with the old secret, 0 to 72 (default: 24)",
          ).argParser(graceHours),
        ),
    examples: [
      "footfall webhooks rotate-secret CRM",
      "footfall webhooks rotate-secret CRM --grace-hours 0",
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
    description:
      "Send a test visitor now, and show the response. Exits with 0 if the receiver accepted it,\n" +
      "with 1 if not. A test is not listed among the deliveries.",
    summary: "send a test visitor now, and show the response",
    takes: (command) => command.argument("<id>", "id or name of the webhook", webhookId),
    examples: ["footfall webhooks test CRM"],
    credential: "either",
    run: async ({ connect, print, terminal }, id) => {
      const client = await connect()

      const result = await client.webhooks.test(id)

      await print(result, () =>
        lines(
          result.ok
            ? result.statusCode === null
              ? `The mail server accepted it after ${result.latencyMs} ms.`
              : `The receiver responded with ${result.statusCode} after ${result.latencyMs} ms.`
            : `Failed after ${result.latencyMs} ms: ${result.error}`,
        ),
      )
      if (!result.ok) terminal.endWith(ExitCode.failed)
    },
  }),

  ...webhookDeliveryCommands,

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
        "first_match: once per person; every_update: each session and change too; company_seen: companies that visit; page_viewed: whoever views a page; entered_segment, left_segment: people or companies that enter or leave the segment",
      ).choices([
        "first_match",
        "every_update",
        "company_seen",
        "page_viewed",
        "entered_segment",
        "left_segment",
      ]),
    )
    .option("--path <path>", "only views of pages under this path, as /pricing; for page_viewed")
    .addOption(
      new Option(
        "--min-seconds <seconds>",
        "only pages that were visible so long, 0 to 600; for page_viewed",
      ).argParser(wholeNumber(SECONDS_MAX, 0)),
    )
    .addOption(
      new Option(
        "--segment <segment>",
        "only people, or visits of companies, in this segment: its id or name",
      ).argParser(segmentId),
    )
    .addOption(
      new Option(
        "--list <list>",
        "only people or companies in this list: its id or name; for page_viewed and company_seen",
      ).argParser(listId),
    )
    .addOption(
      new Option("--identified <who>", "whose page views; for page_viewed").choices([
        "any",
        "identified",
        "anonymous",
      ]),
    )
    .addOption(
      new Option(
        "--again <when>",
        "when the same person or company is sent again; for page_viewed and company_seen",
      ).choices(["every_session", "1h", "24h", "7d", "once"]),
    )
    .addOption(
      new Option("--pixel <pixel>", "only events from this pixel: its id or domain").argParser(
        pixelId,
      ),
    )
    .addOption(
      new Option(
        "--format <format>",
        "standard: signed JSON; email: emails to members; others: a chat message to an incoming webhook",
      ).choices(["standard", "slack", "teams", "discord", "email"]),
    )
    .addOption(
      new Option(
        "--recipients <members>",
        "who gets the emails: addresses (with a sign-in) or ids of members, separated by commas; for email",
      ).argParser(recipientList),
    )
    .addOption(
      new Option(
        "--digest <digest>",
        "how often messages are sent; not for the format standard",
      ).choices(["immediate", "hourly", "daily", "weekly"]),
    )
    .addOption(
      new Option(
        "--digest-hour <hour>",
        "hour of a daily or weekly digest, 0 to 23, in the organization's time zone (default: 8)",
      ).argParser(wholeNumber(23, 0)),
    )
    .addOption(
      new Option(
        "--digest-day <day>",
        "day of a weekly digest, 1 (Monday) to 7 (default: 1)",
      ).argParser(wholeNumber(7)),
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

const previewLines = (
  { byAgain, heldBack, samples, told }: VisitorWebhookPreview,
  timeframe: NonNullable<PreviewOptions["timeframe"]>,
  now: Date,
): ReadonlyArray<string> => [
  `${counted(told, "message")} in the last ${spans[timeframe]}.`,
  `With --again every_session ${byAgain.every_session}, 1h ${byAgain["1h"]}, 24h ${byAgain["24h"]}, 7d ${byAgain["7d"]}, once ${byAgain.once}.`,
  ...(heldBack.suppressed === 0
    ? []
    : [`Not sent, because they are suppressed: ${counted(heldBack.suppressed, "session")}.`]),
  ...(samples.length === 0 ? [] : ["", "The newest:"]),
  ...samples.map(({ at, company, page, told: isTold, visitor }) => {
    const what = page === null ? "" : ` viewed ${page.path}`
    const name = company?.name ?? company?.domain ?? "a company"
    // A page is viewed by someone, and not by a company.
    const place = page === null ? name : `Someone at ${name}`
    const who = visitor === null ? place : (visitor.fullName ?? visitor.email ?? "Someone")
    return plainText(`  ${timeAgo(at, now)}: ${who}${what}${isTold ? "" : " (not sent again)"}`)
  }),
]

const spans = { "24h": "24 hours", "7d": "7 days", "30d": "30 days" } as const

/** Maximum recipients of a webhook. spec 14.5. */
const RECIPIENTS_MAX = 20

/** Parses addresses or ids. Errors: InvalidArgumentError. */
const recipientList = (text: string): ReadonlyArray<string> => {
  const all = text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
  if (all.length > 0 && all.length <= RECIPIENTS_MAX) return all
  throw new InvalidArgumentError(`Expected 1 to ${RECIPIENTS_MAX} addresses or ids.`)
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Ids of the members; addresses are looked up. Errors: those of `memberOf`. */
const recipientIds = async (
  client: Footfall,
  recipients: ReadonlyArray<string>,
): Promise<Array<string>> => {
  if (recipients.every((one) => UUID.test(one))) return [...recipients]
  return withSession(async () => {
    const organization = await organizationIdOf(client, {})
    const ids: Array<string> = []
    for (const one of recipients) {
      ids.push(UUID.test(one) ? one : (await memberOf(client, organization, one)).userId)
    }
    return ids
  })
}

/** Only the given options. */
const webhookParams = async (
  client: Footfall,
  options: WebhookOptions,
): Promise<Omit<VisitorWebhookUpdateParams, "name" | "url">> => ({
  ...(options.recipients === undefined
    ? {}
    : { recipients: await recipientIds(client, options.recipients) }),
  ...(options.trigger === undefined ? {} : { trigger: options.trigger }),
  ...(options.path === undefined ? {} : { path: options.path }),
  ...(options.minSeconds === undefined ? {} : { minSeconds: options.minSeconds }),
  ...(options.segment === undefined ? {} : { segmentId: options.segment }),
  ...(options.list === undefined ? {} : { listId: options.list }),
  ...(options.identified === undefined ? {} : { identified: options.identified }),
  ...(options.again === undefined ? {} : { again: options.again }),
  ...(options.pixel === undefined ? {} : { pixelId: options.pixel }),
  ...(options.format === undefined ? {} : { format: options.format }),
  ...(options.digest === undefined ? {} : { digest: options.digest }),
  ...(options.digestHour === undefined ? {} : { digestHour: options.digestHour }),
  ...(options.digestDay === undefined ? {} : { digestDay: options.digestDay }),
  ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout }),
  ...(options.status === undefined ? {} : { status: options.status }),
})

/** Parses hours, 0 or more. Errors: InvalidArgumentError. */
export const graceHours = (text: string): number => {
  const hours = Number(text)
  if (/^\d{1,2}$/.test(text) && hours <= HOURS_MAX) return hours
  throw new InvalidArgumentError(`Expected a whole number from 0 to ${HOURS_MAX}.`)
}
