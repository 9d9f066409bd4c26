// `footfall integrations`: accounts at mailing list providers and CRMs, and their lists.

import type { AppSlug, ConnectedAccount, Footfall, Integration, MailingList } from "@footfall/sdk"
import { defineDelete } from "../command/define-delete.ts"
import { define, defineGroup } from "../command/define.ts"
import { accountId } from "../command/ids.ts"
import { addWholeListOptions, type ListOptions } from "../command/list-options.ts"
import { readSecretInput } from "../connection/secret-input.ts"
import { CliError, ExitCode, usageError } from "../errors/cli-error.ts"
import { listForm } from "../output/print-list.ts"
import { factsText } from "../output/print-result.ts"
import { canAsk, lines, type Terminal } from "../terminal/terminal.ts"
import { countText, timeAgo } from "../ui/text.ts"

interface CreateOptions {
  readonly app: AppSlug
  readonly user?: string
  readonly name?: string
  readonly providerUrl?: string
  readonly keyStdin?: true
}

const accountCommands = [
  define<ListOptions>("list", {
    description: "list the connected accounts, newest first",
    takes: (command) => addWholeListOptions(command, "accounts"),
    fields: "id,accountName,status",
    examples: ["footfall integrations accounts list"],
    credential: "accessToken",
    run: async ({ connect, printWhole }) => {
      const client = await connect()
      await printWhole(await client.integrations.accounts(), accountList)
    },
  }),

  define<object, [id: string]>("get", {
    description: "show one connected account",
    takes: (command) => command.argument("<id>", "id or name of the account", accountId),
    fields: "accountName,status",
    examples: ["footfall integrations accounts get Newsletter"],
    credential: "accessToken",
    run: async ({ connect, print, terminal }, id) => {
      const client = await connect()

      const account = await accountOf(client, id)
      const text = factsText([
        ["App", account.appName],
        ["Name", account.accountName],
        ["Status", account.status],
        ["Checked", timeAgo(account.lastSyncedAt, terminal.now)],
        ["Id", account.id],
      ])
      await print(account, text)
    },
  }),

  define<CreateOptions>("create", {
    description:
      "Connect an account at a mailing list provider or CRM. Prompts for its API key unless you add --key-stdin.",
    summary: "connect an account at a mailing list provider or CRM",
    takes: (command) =>
      command
        .option("--app <app>", "the service; to list them: footfall integrations apps", "mailer")
        .option("--name <name>", "name of the account, for display")
        .option("--user <name>", "name of the API user, for a service that asks for one")
        .option("--provider-url <url>", "URL of the service (default: its own)")
        .option("--key-stdin", "read the service's key from standard input"),
    examples: [
      "footfall integrations accounts create --app emailoctopus --name Newsletter",
      "footfall integrations accounts create --app listmonk --user footfall --provider-url https://lists.example --key-stdin < key.txt",
    ],
    credential: "accessToken",
    run: async ({ connect, options, print, terminal }) => {
      const client = await connect()
      const apiKey = await givenKey(terminal, options)
      const { app: appSlug, name: accountName, providerUrl: baseUrl, user: username } = options

      const account = await client.integrations.connect({
        appSlug,
        accountName,
        credentials: { apiKey, username, baseUrl },
      })

      await print(account, () => lines(accountSentence(account)))
    },
  }),

  define<object, [id: string]>("check", {
    description: "check with the provider that the account works",
    takes: (command) => command.argument("<id>", "id or name of the account", accountId),
    fields: "id,status",
    examples: ["footfall integrations accounts check Newsletter"],
    credential: "accessToken",
    run: async ({ connect, print }, id) => {
      const client = await connect()
      const account = await client.integrations.check(id)
      await print(account, () => lines(accountSentence(account)))
    },
  }),

  defineDelete({
    description: "disconnect an account; destinations that use it stop",
    id: ["id or name of the account", accountId],
    example: "footfall integrations accounts delete Newsletter",
    credential: "accessToken",
    warning: (id) => `Account ${id} will be disconnected, and destinations that use it will stop.`,
    run: ({ integrations }, id) => integrations.disconnect(id),
    done: (id) => `Disconnected account ${id}.`,
  }),
]

export const integrationCommands = [
  define<ListOptions>("apps", {
    description: "list the services that accounts can be connected to",
    takes: (command) => addWholeListOptions(command, "services"),
    fields: "appSlug,appName,hasTags",
    examples: ["footfall integrations apps"],
    credential: "accessToken",
    run: async ({ connect, printWhole }) => {
      const client = await connect()
      await printWhole(await client.integrations.list(), integrationList)
    },
  }),

  defineGroup("accounts", "connected accounts", accountCommands),

  define<ListOptions & { readonly readable?: true }, [account: string]>("lists", {
    description: "list the lists of a connected account, with their fields",
    takes: (command) =>
      addWholeListOptions(
        command
          .argument("<account>", "id or name of the account", accountId)
          .option("--readable", "those that a suppression source can read, also dynamic ones"),
        "lists",
      ),
    fields: "id,name,counts.subscribed",
    examples: [
      "footfall integrations lists Newsletter",
      "footfall integrations lists HubSpot --readable",
    ],
    credential: "accessToken",
    run: async ({ connect, options, printWhole }, id) => {
      const client = await connect()
      const { integrations } = client
      const { appSlug } = await accountOf(client, id)
      const lists =
        options.readable === true
          ? integrations.readableLists(appSlug, id)
          : integrations.mailingLists(appSlug, id)
      await printWhole(await lists, mailingLists)
    },
  }),
]

export const accountList = listForm<ConnectedAccount>({
  csvColumns: [
    "id",
    "automationAccountId",
    "appSlug",
    "appName",
    "accountName",
    "status",
    "lastSyncedAt",
  ],
  nouns: ["account", "accounts"],
  empty: {
    message: "There are no connected accounts yet.",
    next: "Run: footfall integrations accounts create",
  },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id },
    { title: "App", cell: ({ appName }) => appName, widthMin: 6, dropRank: 1 },
    { title: "Name", cell: ({ accountName }) => accountName ?? "", widthMin: 8, widthKept: 16 },
    { title: "Status", cell: ({ status }) => status },
    {
      title: "Checked",
      cell: ({ lastSyncedAt }) => timeAgo(lastSyncedAt, now),
      align: "right",
      dropRank: 2,
    },
  ],
  isDim: ({ status }) => status === "disconnected",
})

export const integrationList = listForm<Integration>({
  csvColumns: ["appSlug", "appName", "newContactStatuses", "onLeave", "hasTags", "canErase"],
  nouns: ["service", "services"],
  empty: { message: "This server has no integrations.", next: "Update the server." },
  columns: () => [
    { title: "App", cell: ({ appSlug }) => appSlug },
    { title: "Name", cell: ({ appName }) => appName, widthMin: 8, dropRank: 2 },
    {
      title: "Credentials",
      cell: ({ credentials }) =>
        credentials.map(({ isRequired, name }) => (isRequired ? name : `[${name}]`)).join(", "),
      widthMin: 12,
    },
    { title: "Tags", cell: ({ hasTags }) => (hasTags ? "yes" : "no"), dropRank: 3 },
  ],
})

/** The account, which also says its service. */
export const accountOf = async (client: Footfall, id: string): Promise<ConnectedAccount> => {
  const account = (await client.integrations.accounts()).find((one) => one.id === id)
  if (account === undefined) throw accountNotFound(id)
  return account
}

/** One account as a sentence. */
const accountSentence = ({ accountName, appName, id, status }: ConnectedAccount): string =>
  `${appName}${accountName === null ? "" : ` (${accountName})`} is ${status}: ${id}`

const accountNotFound = (id: string): CliError =>
  new CliError({
    code: "NOT_FOUND",
    message: `Connected account not found: ${id}`,
    exitCode: ExitCode.notFound,
    nextStep: "Run: footfall integrations accounts list",
  })

const givenKey = async (terminal: Terminal, { keyStdin }: CreateOptions): Promise<string> => {
  const isSent = keyStdin === true && !terminal.stdin.isTTY
  const key = isSent ? await readSecretInput(terminal) : await promptForKey(terminal)
  if (key.trim() !== "") return key.trim()
  throw usageError(
    "The API key of the service is empty.",
    "Pass it on standard input: … --key-stdin < key.txt",
  )
}

const promptForKey = async (terminal: Terminal): Promise<string> => {
  if (!canAsk(terminal)) {
    throw usageError(
      "Can't prompt for the API key of the service: this is not a terminal.",
      "Pass it on standard input: footfall integrations accounts create --key-stdin < key.txt",
    )
  }
  const { ask } = await import("../terminal/ask.tsx")
  return ask(terminal, { question: "API key", isHidden: true })
}

export const mailingLists = listForm<MailingList>({
  csvColumns: [
    "id",
    "name",
    "doubleOptIn",
    "tags",
    "counts.pending",
    "counts.subscribed",
    "counts.unsubscribed",
  ],
  nouns: ["list", "lists"],
  empty: {
    message: "There are no lists in this account.",
    next: "Create one at the service.",
  },
  columns: () => [
    { title: "Id", cell: ({ id }) => id },
    { title: "Name", cell: ({ name }) => name, widthMin: 8, widthKept: 20 },
    {
      title: "Subscribed",
      cell: ({ counts }) => (counts === null ? "" : countText(counts.subscribed)),
      align: "right",
    },
    {
      title: "Pending",
      cell: ({ counts }) => (counts === null ? "" : countText(counts.pending)),
      align: "right",
      dropRank: 2,
    },
    {
      title: "Opt-in",
      cell: ({ doubleOptIn }) => (doubleOptIn ? "double" : "single"),
      dropRank: 1,
    },
    {
      title: "Fields",
      cell: ({ fields }) => fields.map(({ tag }) => tag).join(", "),
      widthMin: 8,
      dropRank: 3,
    },
  ],
})
