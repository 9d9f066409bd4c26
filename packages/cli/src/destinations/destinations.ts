// `footfall destinations`: webhooks and mailing lists that receive an audience.

import type {
  AutomationDestinationCreateParams,
  Destination,
  DestinationEventType,
  DestinationRequest,
  DestinationTest,
  DestinationUpdateParams,
  WebhookDestinationCreateParams,
} from "@footfall/sdk"
import { InvalidArgumentError, Option } from "commander"
import { define, type Defined } from "../command/define.ts"
import {
  accountId,
  addAudienceArgument,
  addDestinationArguments,
  AUDIENCE_EXAMPLE,
  DESTINATION_EXAMPLE,
} from "../command/ids.ts"
import { addWholeListOptions, type ListOptions } from "../command/list-options.ts"
import { CliError, ExitCode, usageError } from "../errors/cli-error.ts"
import { accountOf } from "../integrations/integrations.ts"
import { type OutputOptions } from "../output/output-format.ts"
import { listForm } from "../output/print-list.ts"
import { printResult, view } from "../output/print-result.ts"
import { requireConsent } from "../terminal/consent.ts"
import { lines, plainText, type Terminal } from "../terminal/terminal.ts"
import { countText, timeAgo } from "../ui/text.ts"
import {
  addDestinationOptions,
  addRequestOptions,
  DEFAULT_EVENTS,
  type DestinationOptions,
  givenList,
  givenRequest,
  type GivenRequest,
} from "./options.ts"
import { destinationStatusText, destinationTarget } from "./words.ts"

type PreviewOptions = Pick<DestinationOptions, "body" | "header" | "template">

interface CreateOptions extends DestinationOptions {
  readonly account?: string
}

const GRACE_HOURS_DEFAULT = 24

interface UpdateOptions extends DestinationOptions {
  readonly name?: string
  readonly removeHeader?: ReadonlyArray<string>
  readonly active?: true
}

const statusCommand = (
  name: "activate" | "pause",
  status: "active" | "paused",
  description: string,
): Defined =>
  define<object, [audienceId: string, id: string]>(name, {
    description,
    takes: addDestinationArguments,
    examples: [`footfall destinations ${name} ${DESTINATION_EXAMPLE}`],
    credential: "either",
    run: async ({ connect, options, terminal }, audienceId, id) => {
      const client = await connect()
      const destination = await client.destinations.update(audienceId, id, { status })
      await printDestination(terminal, options, destination)
    },
  })

export const destinationCommands = [
  define<ListOptions, [audienceId: string]>("list", {
    description: "list the destinations of an audience, newest first",
    takes: (command) => addWholeListOptions(addAudienceArgument(command), "destinations"),
    fields: "id,name,status",
    examples: [`footfall destinations list ${AUDIENCE_EXAMPLE}`],
    credential: "either",
    run: async ({ connect, printWhole }, audienceId) => {
      const client = await connect()
      await printWhole(await client.destinations.list(audienceId), destinationList)
    },
  }),

  define<object, [audienceId: string, id: string]>("get", {
    description: "show one destination",
    takes: (command) => addDestinationArguments(command),
    fields: "name,status,stats.totalSynced",
    examples: [`footfall destinations get ${DESTINATION_EXAMPLE}`],
    credential: "either",
    run: async ({ connect, options, terminal }, audienceId, id) => {
      const client = await connect()
      const destination = await client.destinations.get(audienceId, id)
      await printDestination(terminal, options, destination)
    },
  }),

  define<CreateOptions, [audienceId: string, name: string]>("create", {
    description:
      "Create a destination as a draft: a webhook with --url, or a list at a service with --account.\n" +
      "The signing secret of a webhook is shown once. Save it now.",
    summary: "create a destination as a draft",
    takes: (command) =>
      addDestinationOptions(
        addAudienceArgument(command).argument("<name>", "name of the destination"),
      ).addOption(
        new Option("--account <id>", "mailing list: id or name of the connected account").argParser(
          accountId,
        ),
      ),
    examples: [
      `footfall destinations create ${AUDIENCE_EXAMPLE} 'CRM intake' --url https://crm.example/footfall`,
      `footfall destinations create ${AUDIENCE_EXAMPLE} CRM --url https://crm.example/leads --header 'Authorization: Bearer 4f9c1b7e' --template @lead.json`,
      `footfall destinations create ${AUDIENCE_EXAMPLE} Newsletter --account Newsletter --list buyers --field FNAME=firstName`,
    ],
    credential: "either",
    creates: true,
    run: async ({ connect, creation, options, print, terminal }, audienceId, name) => {
      const given = givenDestination(name, options, await givenRequest(terminal, options))
      const client = await connect()
      const params =
        given.destinationType === "webhook"
          ? given
          : { ...given, appSlug: (await accountOf(client, given.connectedAccountId)).appSlug }

      const created = await client.destinations.create(audienceId, params, creation)

      const { destination, webhookSecret } = created
      await print(created, () =>
        lines(
          `Created destination ${destination.name} (draft): ${destination.id}`,
          ...(webhookSecret === null
            ? []
            : ["Signing secret (shown only once):", "", `  ${webhookSecret}`, ""]),
          `To activate it: footfall destinations activate ${audienceId} ${destination.id}`,
        ),
      )
    },
  }),

  define<UpdateOptions, [audienceId: string, id: string]>("update", {
    description:
      "Update a destination. Changing the URL, events, headers, body or list makes it a draft again;\n" +
      "--active activates it in the same step. Headers that you don't name stay as they are.",
    summary: "update a destination",
    takes: (command) =>
      addDestinationOptions(addDestinationArguments(command).option("--name <name>", "new name"))
        .option("--remove-header <name...>", "webhook: headers to remove")
        .option("--active", "activate it with the update"),
    examples: [
      `footfall destinations update ${DESTINATION_EXAMPLE} --timeout 5000`,
      `footfall destinations update ${DESTINATION_EXAMPLE} --url https://crm.example/v2 --active`,
      `footfall destinations update ${DESTINATION_EXAMPLE} --template @lead.json --remove-header x-api-key`,
    ],
    credential: "either",
    run: async ({ connect, options, terminal }, audienceId, id) => {
      const change = givenChange(options, await givenRequest(terminal, options))
      const client = await connect()
      const destination = await client.destinations.update(audienceId, id, change)
      await printDestination(terminal, options, destination)
    },
  }),

  statusCommand("activate", "active", "approve a destination and start deliveries to it"),
  statusCommand("pause", "paused", "pause a destination; queued deliveries wait"),

  define<{ readonly yes?: true }, [audienceId: string, id: string]>("delete", {
    description: "delete a destination; queued deliveries are canceled",
    takes: (command) =>
      addDestinationArguments(command).option("-y, --yes", "do not ask for confirmation"),
    examples: [`footfall destinations delete ${DESTINATION_EXAMPLE}`],
    credential: "either",
    run: async ({ connect, options, print, terminal }, audienceId, id) => {
      const client = await connect()
      await requireConsent(terminal, {
        what: `Destination ${id} will be deleted. The receiver keeps contacts already delivered.`,
        isConfirmed: options.yes === true,
      })
      const deleted = await client.destinations.delete(audienceId, id)
      await print({ id, ...deleted }, () => lines(`Deleted destination ${id}.`))
    },
  }),

  define<{ readonly graceHours?: number }, [audienceId: string, id: string]>("rotate-secret", {
    description:
      "Create a new signing secret, which is shown once. Sign in first. The old secret keeps signing\n" +
      "for some hours, so that you can update the receiver.",
    summary: "create a new signing secret, shown once",
    takes: (command) =>
      addDestinationArguments(command).addOption(
        new Option(
          "--grace-hours <hours>",
          "hours to keep signing with the old secret, 0 to 72 (default: 24)",
        ).argParser(graceHours),
      ),
    examples: [
      `footfall destinations rotate-secret ${DESTINATION_EXAMPLE}`,
      `footfall destinations rotate-secret ${DESTINATION_EXAMPLE} --json | jq -r .data.webhookSecret`,
    ],
    credential: "accessToken",
    run: async ({ connect, options, print }, audienceId, id) => {
      const { graceHours: given } = options
      const client = await connect()

      const params = given === undefined ? {} : { graceHours: given }
      const rotated = await client.destinations.rotateSecret(audienceId, id, params)

      await print(rotated, () =>
        lines(
          "New signing secret (shown only once):",
          "",
          `  ${rotated.webhookSecret}`,
          "",
          given === 0
            ? "The old secret is no longer used."
            : `The old secret keeps signing for ${given ?? GRACE_HOURS_DEFAULT} hours.`,
        ),
      )
    },
  }),

  define<PreviewOptions, [audienceId: string]>("preview", {
    description:
      "Show the request that a webhook would send for a sample contact, without a destination. A\n" +
      "template is checked as it is when it is saved. Nothing is sent or stored.",
    summary: "show the request that a webhook would send",
    takes: (command) => addRequestOptions(addAudienceArgument(command)),
    fields: "headers,body",
    examples: [
      `footfall destinations preview ${AUDIENCE_EXAMPLE} --template @lead.json`,
      `footfall destinations preview ${AUDIENCE_EXAMPLE} --body cloudevents --json | jq -r .data.body`,
    ],
    credential: "either",
    run: async ({ connect, options, print, terminal }, audienceId) => {
      const given = await givenRequest(terminal, options)
      const client = await connect()
      const request = await client.destinations.preview(audienceId, given)
      await print(request, () => lines(...requestLines(request)))
    },
  }),

  define<{ readonly event?: DestinationEventType }, [audienceId: string, id: string]>("test", {
    description: "send a test event, or check write access to the list",
    takes: (command) =>
      addDestinationArguments(command).option(
        "--event <type>",
        "full name of the event type (default: the first subscribed one)",
      ),
    examples: [`footfall destinations test ${DESTINATION_EXAMPLE}`],
    credential: "either",
    run: async ({ connect, options, print }, audienceId, id) => {
      const client = await connect()

      const params = options.event === undefined ? {} : { eventType: options.event }
      const result = await client.destinations.test(audienceId, id, params)

      await print(result, () => lines(sentence(result)))
      if (!result.ok) {
        throw new CliError({
          code: result.error ?? "TEST_FAILED",
          message: "The destination rejected the test.",
          exitCode: ExitCode.failed,
        })
      }
    },
  }),

  define<CertifyOptions, [account: string]>("certify", {
    description:
      "Check a service with your own account: writes two invented contacts to an empty list, and checks that no one who " +
      "unsubscribed is subscribed again, and that removing, returning and erasing take effect. Deletes them at the end.",
    summary: "check a service with your own account, on an empty list",
    takes: (command) =>
      command
        .argument("<account>", "id or name of the connected account", accountId)
        .option("--list <id>", "an empty list (default: one that is made and deleted)")
        .option("--domain <domain>", "domain of the invented contacts (default: example.com)"),
    fields: "hasPassed,checks",
    examples: [
      "footfall destinations certify Newsletter",
      "footfall destinations certify Mailchimp --list 57afe96172 --domain tidewater.example",
    ],
    credential: "accessToken",
    run: async ({ connect, options, print }, id) => {
      const { domain, list: listId } = options
      const client = await connect()

      const params = {
        ...(listId === undefined ? {} : { listId }),
        ...(domain === undefined ? {} : { domain }),
      }
      const certificate = await client.integrations.certify(id, params, {
        timeoutMs: CERTIFY_TIMEOUT_MS,
        maxRetries: 0,
      })

      await print(certificate, () =>
        lines(
          ...certificate.checks.map((check) => `${check.status}  ${check.name}: ${check.message}`),
        ),
      )
      if (!certificate.hasPassed) {
        throw new CliError({
          code: "CHECK_FAILED",
          message: "The service does not do what Footfall relies on.",
          exitCode: ExitCode.failed,
        })
      }
    },
  }),
]

interface CertifyOptions {
  readonly list?: string
  readonly domain?: string
}

/** The server ends a check after four minutes. */
const CERTIFY_TIMEOUT_MS = 300_000

/** The service of a list is its account's. */
const givenDestination = (
  name: string,
  options: CreateOptions,
  request: GivenRequest,
): WebhookDestinationCreateParams | Omit<AutomationDestinationCreateParams, "appSlug"> => {
  const { account, event = DEFAULT_EVENTS, timeout, url, validation } = options
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
      ...request,
    }
  }
  const isRequest = Object.keys(request).length > 0
  if (account === undefined || config === undefined || url !== undefined || isRequest) {
    throw usageError("Add --url for a webhook, or --account and --list for a mailing list.")
  }
  return {
    destinationType: "automation",
    name,
    connectedAccountId: account,
    config,
    validationPolicy,
  }
}

export const destinationList = listForm<Destination>({
  csvColumns: [
    "id",
    "name",
    "destinationType",
    "status",
    "validationPolicy",
    "configRevision",
    "webhook.url",
    "webhook.eventTypes",
    "webhook.timeoutMs",
    "webhook.headers",
    "webhook.body",
    "automation.connectedAccount.id",
    "automation.config.listId",
    "stats.totalSynced",
    "stats.totalSkipped",
    "stats.totalFailed",
    "stats.totalRemoved",
    "stats.lastDeliveredAt",
    "stats.lastErrorCode",
    "retrying.count",
    "retrying.errorMessage",
    "createdAt",
    "updatedAt",
  ],
  nouns: ["destination", "destinations"],
  empty: {
    message: "There are no destinations yet.",
    next: "Run: footfall destinations create <audience-id> <name>",
  },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id },
    { title: "Name", cell: ({ name }) => name, widthMin: 8, widthKept: 16 },
    { title: "To", cell: destinationTarget, widthMin: 8, widthKept: 24, dropRank: 1 },
    { title: "Status", cell: destinationStatusText, widthMin: 8, widthKept: 32 },
    {
      title: "Sent",
      cell: ({ stats }) => countText(stats.totalSynced),
      align: "right",
      dropRank: 3,
    },
    {
      title: "Last sent",
      cell: ({ stats: { lastDeliveredAt } }) =>
        lastDeliveredAt === null ? "never" : timeAgo(lastDeliveredAt, now),
      align: "right",
      dropRank: 2,
    },
  ],
  isDim: ({ status }) => status === "draft" || status === "paused",
})

/** Prints the document or the screen. */
const printDestination = (
  terminal: Terminal,
  options: OutputOptions,
  destination: Destination,
): Promise<void> =>
  printResult(
    terminal,
    options,
    destination,
    view(async () => (await import("./views.tsx")).DestinationView, {
      destination,
      now: terminal.now,
    }),
  )

const graceHours = (text: string): number => {
  const hours = Number(text)
  if (/^\d+$/.test(text) && hours <= 72) return hours
  throw new InvalidArgumentError("Expected a whole number from 0 to 72.")
}

/** As the request goes over the wire, with the body indented. */
const requestLines = ({ body, headers }: DestinationRequest): ReadonlyArray<string> => [
  ...Object.entries(headers).map(([name, value]) =>
    plainText(`${name}: ${value ?? "(not shown)"}`),
  ),
  "",
  ...JSON.stringify(JSON.parse(body), null, 2).split("\n").map(plainText),
]

const sentence = ({ error, latencyMs, ok, statusCode }: DestinationTest): string => {
  const answer = statusCode === null ? "no response" : `status ${statusCode}`
  return ok
    ? `Accepted: ${answer} in ${latencyMs} ms.`
    : `${error}: ${answer} after ${latencyMs} ms.`
}

const givenChange = (
  options: UpdateOptions,
  { headers, ...request }: GivenRequest,
): DestinationUpdateParams => {
  const { active, event, name, removeHeader = [], timeout, url, validation } = options
  const removed = removeHeader.map((header) => [header, null] as const)
  const changed = { ...Object.fromEntries(removed), ...headers }
  const change: DestinationUpdateParams = {
    ...request,
    headers: Object.keys(changed).length === 0 ? undefined : changed,
    name,
    url,
    eventTypes: event,
    timeoutMs: timeout,
    validationPolicy: validation,
    config: givenList(options),
    status: active === true ? "active" : undefined,
  }
  if (Object.values(change).some((value) => value !== undefined)) return change
  throw usageError(
    "Nothing to update.",
    "Add at least one option, for example --name, --url or --list.",
  )
}
