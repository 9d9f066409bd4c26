// `footfall sync` and `footfall deliveries`: deliveries of an audience to its destinations.

import type {
  Delivery,
  DeliveryContact,
  DeliveryContactsMeta,
  DeliveryFailure,
  DeliveryStatus,
  Footfall,
  ListMeta,
  SyncParams,
} from "@footfall/sdk"
import { type Command, Option } from "commander"
import { define } from "../command/define.ts"
import {
  addDestinationArguments,
  audienceId,
  DESTINATION_EXAMPLE,
  destinationId,
} from "../command/ids.ts"
import { addListOptions, type ListOptions } from "../command/list-options.ts"
import { latest } from "../command/latest.ts"
import type { GlobalOptions } from "../connection/global-options.ts"
import { ExitCode, exitCodeOf } from "../errors/cli-error.ts"
import { listForm } from "../output/print-list.ts"
import { printResult } from "../output/print-result.ts"
import { seeCommand } from "../terminal/see-command.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { showWork } from "../terminal/work.ts"
import { countText, timeAgo } from "../ui/text.ts"
import { deliveryStatusText } from "./words.ts"

/** Parses a delivery's id or `latest`. Errors: InvalidArgumentError. */
const deliveryId = latest(
  "a delivery",
  "footfall deliveries list <audience-id>",
  (client, [audience = ""]) => client.deliveries.list(audience, { limit: 1 }),
  ([audience]) => [
    "This audience has no deliveries.",
    `Run: footfall sync ${audience} <destination-id>`,
  ],
)

/** For examples in help texts. */
const EXAMPLE = "'Warehouse buyers' latest"

const EXAMPLE_HASH = "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9"

interface RetryOptions {
  readonly contact?: string
  readonly wait: boolean
}

interface DeliveriesListOptions extends ListOptions {
  readonly destination?: string
  readonly status?: DeliveryStatus
}

const statuses = [
  "queued",
  "processing",
  "completed",
  "failed",
  "cancelled",
] satisfies ReadonlyArray<DeliveryStatus>

interface ContactsOptions extends ListOptions {
  readonly outcome?: DeliveryContact["outcome"]
}

const outcomes = ["sent", "failed", "skipped", "removed"] satisfies ReadonlyArray<
  DeliveryContact["outcome"]
>

interface SyncOptions {
  readonly mode?: SyncParams["mode"]
  readonly idempotencyKey?: string
  readonly wait: boolean
}

export const syncCommand = define<SyncOptions, [audienceId: string, id: string]>("sync", {
  takes: (command) =>
    addDestinationArguments(command)
      .addOption(
        new Option("--mode <mode>", "send what changed (default), or everyone").choices([
          "incremental",
          "full_resync",
        ]),
      )
      .option(
        "--idempotency-key <key>",
        "sending the same key within 24 hours returns the same delivery",
      )
      .addOption(
        // The default is set explicitly, because commander fills it in before a top-level command is loaded.
        new Option("--no-wait", "do not wait for the delivery to finish").default(true),
      ),
  examples: [
    `footfall sync ${DESTINATION_EXAMPLE}`,
    `footfall sync ${DESTINATION_EXAMPLE} --mode full_resync`,
    `footfall sync ${DESTINATION_EXAMPLE} --no-wait --json | jq -r .data.id`,
  ],
  credential: "accessToken",
  run: async ({ connect, options, terminal }, audienceId, id) => {
    const { idempotencyKey, mode } = options
    const client = await connect()

    const queued = await client.deliveries.sync(audienceId, id, { mode, idempotencyKey })
    const delivery = options.wait ? await watchedDelivery(terminal, client, queued) : queued

    await printDelivery(terminal, options, delivery)
    deliveryExit(terminal, delivery)
  },
})

/** Maximum time between two reads, so that the display keeps moving. */
const lookMaxMs = 1_000

export const deliveryCommands = [
  define<DeliveriesListOptions, [id: string]>("list", {
    description: "list the deliveries of an audience, newest first",
    takes: (command) =>
      addListOptions(
        command
          .argument("<audience-id>", "id or name of the audience", audienceId)
          .addOption(
            new Option(
              "--destination <destination>",
              "only to this destination: its id or name",
            ).argParser(destinationId),
          )
          .addOption(new Option("--status <status>", "only with this status").choices(statuses)),
        "deliveries",
      ),
    fields: "id,status,failedCount",
    examples: [
      "footfall deliveries list 'Warehouse buyers'",
      "footfall deliveries list 'Warehouse buyers' --status failed --json",
    ],
    credential: "accessToken",
    run: async ({ connect, options, printList }, id) => {
      const { destination: destinationId, status } = options
      const client = await connect()
      await printList(client.deliveries.list(id, { destinationId, status }), deliveryList)
    },
  }),

  define<object, [audienceId: string, id: string]>("get", {
    description: "show one delivery",
    takes: (command) => addDeliveryArguments(command),
    fields: "status,sentCount,failedCount",
    examples: [`footfall deliveries get ${EXAMPLE}`],
    credential: "accessToken",
    run: async ({ connect, options, terminal }, audienceId, id) => {
      const client = await connect()
      await printDelivery(terminal, options, await client.deliveries.get(audienceId, id))
    },
  }),

  define<ContactsOptions, [audienceId: string, id: string]>("contacts", {
    description: "list what became of each contact, failed ones first",
    takes: (command) =>
      addListOptions(
        addDeliveryArguments(command).addOption(
          new Option("--outcome <outcome>", "only with this outcome").choices(outcomes),
        ),
        "contacts",
      ),
    fields: "name,email,outcome",
    examples: [
      `footfall deliveries contacts ${EXAMPLE} --outcome failed`,
      `footfall deliveries contacts ${EXAMPLE} --all --output csv > contacts.csv`,
    ],
    credential: "accessToken",
    run: async ({ connect, options, printList }, audienceId, id) => {
      const { outcome } = options
      const client = await connect()
      await printList(client.deliveries.contacts(audienceId, id, { outcome }), contactList)
    },
  }),

  define<object, [audienceId: string, id: string]>("failures", {
    description: "list the contacts that failed, latest attempt first",
    takes: (command) => addListOptions(addDeliveryArguments(command), "contacts"),
    fields: "hashedEmail,errorCode",
    examples: [
      `footfall deliveries failures ${EXAMPLE}`,
      `footfall deliveries failures ${EXAMPLE} --all --output csv > failures.csv`,
    ],
    credential: "accessToken",
    run: async ({ connect, printList }, audienceId, id) => {
      const client = await connect()
      await printList(client.deliveries.failures(audienceId, id), failureList)
    },
  }),

  define<object, [audienceId: string, id: string, hashedEmail: string]>("failure", {
    description: "show one failed contact: each attempt, and the payload",
    takes: (command) =>
      addDeliveryArguments(command).argument(
        "<hashed-email>",
        "SHA-256 of the email address, as shown by `deliveries failures`",
      ),
    fields: "errorCode,tries",
    examples: [`footfall deliveries failure ${EXAMPLE} ${EXAMPLE_HASH}`],
    credential: "accessToken",
    run: async ({ connect, options, terminal }, audienceId, id, hashedEmail) => {
      const client = await connect()
      const failure = await client.deliveries.failure(audienceId, id, hashedEmail)
      await printResult(terminal, options, failure, async (columns) => {
        const [{ drawn }, { FailedContactView }] = await Promise.all([
          import("../ui/drawn.ts"),
          import("./views.tsx"),
        ])
        return drawn(FailedContactView, { failure, screenColumns: columns }, columns)
      })
    },
  }),

  define<RetryOptions, [audienceId: string, id: string]>("retry", {
    description: "retry the failed contacts as a new delivery, and wait for it",
    takes: (command) =>
      addDeliveryArguments(command)
        .option("--contact <hashed-email>", "retry only this failed contact")
        .option("--no-wait", "do not wait for the delivery to finish"),
    examples: [
      `footfall deliveries retry ${EXAMPLE}`,
      `footfall deliveries retry ${EXAMPLE} --contact ${EXAMPLE_HASH}`,
    ],
    credential: "accessToken",
    run: async ({ connect, options, terminal }, audienceId, id) => {
      const { contact } = options
      const client = await connect()

      const queued = await (contact === undefined
        ? client.deliveries.retry(audienceId, id)
        : client.deliveries.retryFailure(audienceId, id, contact))
      const delivery = options.wait ? await watchedDelivery(terminal, client, queued) : queued

      await printDelivery(terminal, options, delivery)
      deliveryExit(terminal, delivery)
    },
  }),

  define<object, [audienceId: string, id: string]>("approve", {
    description: "let a delivery remove more than half of the contacts",
    takes: (command) => addDeliveryArguments(command),
    examples: [`footfall deliveries approve ${EXAMPLE}`],
    credential: "accessToken",
    run: async ({ connect, options, terminal }, audienceId, id) => {
      const client = await connect()
      await printDelivery(terminal, options, await client.deliveries.approve(audienceId, id))
    },
  }),

  define<object, [audienceId: string, id: string]>("cancel", {
    description: "cancel a queued delivery",
    takes: (command) => addDeliveryArguments(command),
    examples: [`footfall deliveries cancel ${EXAMPLE}`],
    credential: "accessToken",
    run: async ({ connect, options, terminal }, audienceId, id) => {
      const client = await connect()
      await printDelivery(terminal, options, await client.deliveries.cancel(audienceId, id))
    },
  }),
]

/** Adds `<audience-id>` and `<delivery-id>`. */
const addDeliveryArguments = (command: Command): Command =>
  command
    .argument("<audience-id>", "id or name of the audience", audienceId)
    .argument("<delivery-id>", "id of the delivery, or `latest`", deliveryId)

const deliveryExit = (
  terminal: Terminal,
  { failedCount, sentCount, skippedCount, status }: Delivery,
): void => {
  if (status === "failed" || status === "cancelled") terminal.endWith(ExitCode.failed)
  else if (status === "completed") {
    terminal.endWith(exitCodeOf({ accepted: sentCount + skippedCount, rejected: failedCount }))
  }
}

export const contactList = listForm<DeliveryContact, DeliveryContactsMeta>({
  csvColumns: [
    "hashedEmail",
    "outcome",
    "name",
    "email",
    "errorCode",
    "errorMessage",
    "personExists",
  ],
  nouns: ["contact", "contacts"],
  empty: { message: "No contacts have this outcome." },
  columns: () => [
    { title: "Name", cell: ({ name }) => name ?? "", widthMin: 8, widthKept: 20, dropRank: 2 },
    {
      title: "Email",
      cell: ({ email, hashedEmail }) => email ?? hashedEmail,
      widthMin: 12,
      widthKept: 28,
    },
    { title: "Outcome", cell: ({ outcome }) => outcome },
    {
      title: "Why",
      cell: ({ errorCode, errorMessage }) => errorMessage ?? errorCode ?? "",
      widthMin: 8,
      dropRank: 1,
    },
  ],
})

export const failureList = listForm<DeliveryFailure, ListMeta>({
  csvColumns: [
    "hashedEmail",
    "errorCode",
    "errorMessage",
    "statusCode",
    "attempts",
    "lastAttemptAt",
  ],
  nouns: ["contact", "contacts"],
  empty: { message: "No contacts failed." },
  columns: ({ now }) => [
    { title: "Hashed email", cell: ({ hashedEmail }) => hashedEmail, widthMin: 12 },
    { title: "Error", cell: ({ errorCode }) => errorCode },
    {
      title: "Status",
      cell: ({ statusCode }) => (statusCode === null ? "" : String(statusCode)),
      align: "right",
      dropRank: 3,
    },
    { title: "Attempts", cell: ({ attempts }) => String(attempts), align: "right", dropRank: 1 },
    {
      title: "Last",
      cell: ({ lastAttemptAt }) => timeAgo(lastAttemptAt, now),
      align: "right",
      dropRank: 2,
    },
  ],
})

export const deliveryList = listForm<Delivery, ListMeta>({
  csvColumns: [
    "id",
    "destinationId",
    "mode",
    "status",
    "sourceRunId",
    "baselineRunId",
    "sourceCount",
    "processedCount",
    "sentCount",
    "skippedCount",
    "failedCount",
    "removedCount",
    "attempts",
    "nextAttemptAt",
    "retryOfDeliveryId",
    "errorCode",
    "errorMessage",
    "startedAt",
    "completedAt",
    "createdAt",
    "updatedAt",
  ],
  nouns: ["delivery", "deliveries"],
  empty: {
    message: "There are no deliveries yet.",
    next: "Run: footfall sync <audience-id> <destination-id>",
  },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id },
    { title: "Status", cell: deliveryStatusText, widthMin: 9, widthKept: 12 },
    {
      title: "Sent",
      cell: ({ sentCount }) => countText(sentCount),
      align: "right",
      dropRank: 1,
    },
    { title: "Failed", cell: ({ failedCount }) => countText(failedCount), align: "right" },
    {
      title: "Skipped",
      cell: ({ skippedCount }) => countText(skippedCount),
      align: "right",
      dropRank: 3,
    },
    {
      title: "Queued",
      cell: ({ createdAt }) => timeAgo(createdAt, now),
      align: "right",
      dropRank: 2,
    },
    { title: "Mode", cell: ({ mode }) => mode, dropRank: 4 },
  ],
})

const printDelivery = (
  terminal: Terminal,
  options: GlobalOptions,
  delivery: Delivery,
): Promise<void> =>
  printResult(terminal, options, delivery, async (columns) => {
    const [{ drawn }, { DeliveryView }] = await Promise.all([
      import("../ui/drawn.ts"),
      import("./views.tsx"),
    ])
    const props = { delivery, now: terminal.now, screenColumns: columns }
    return drawn(DeliveryView, props, columns) + failuresHint(delivery, columns)
  })

const failuresHint = ({ audienceId, errorCode, failedCount, id }: Delivery, columns: number) => {
  const about = (action: string) =>
    `\n${seeCommand(`footfall deliveries ${action} ${audienceId} ${id}`, columns)}`
  if (errorCode === "REMOVALS_NEED_APPROVAL") return about("approve")
  return failedCount > 0 ? about("failures") : ""
}

const watchedDelivery = async (
  terminal: Terminal,
  client: Footfall,
  queued: Delivery,
): Promise<Delivery> => {
  const { deliveryFigures, deliveryFraction } = await import("./words.ts")
  const before = queued.processedCount
  let present = queued
  const work = await showWork(
    terminal,
    (elapsedMs) => ({
      title: `Delivery (${present.mode})`,
      fraction: deliveryFraction(present),
      figures: deliveryFigures(present, before, elapsedMs),
    }),
    () =>
      `The delivery continues on the server. See: footfall deliveries get ${queued.audienceId} ${queued.id}`,
  )
  try {
    return await client.deliveries.wait(queued, {
      lookMaxMs,
      onLook: (delivery) => {
        present = delivery
        work.update()
      },
    })
  } finally {
    work.end()
  }
}
