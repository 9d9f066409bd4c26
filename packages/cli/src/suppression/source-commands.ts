// `footfall suppression sources`: lists elsewhere that are mirrored into rules.

import type {
  Footfall,
  SuppressionRuleType,
  SuppressionSource,
  SuppressionSourceKind,
  SuppressionSourcePeople,
  SuppressionSourceSchedule,
} from "@footfall/sdk"
import { type Command, Option } from "commander"
import { define } from "../command/define.ts"
import { accountId, listId } from "../command/ids.ts"
import { addWholeListOptions } from "../command/list-options.ts"
import { named } from "../command/names.ts"
import { usageError } from "../errors/cli-error.ts"
import { listForm } from "../output/print-list.ts"
import { requireConsent } from "../terminal/consent.ts"
import { lines, plainText } from "../terminal/terminal.ts"
import { counted, countText, timeAgo } from "../ui/text.ts"
import { isRuleType } from "./options.ts"
import { ruleTypes } from "./rule-types.ts"

const LIST_COMMAND = "footfall suppression sources list"
const SOURCE_WORDS = "id or name of the source"

const sourceId = named("source", LIST_COMMAND, (client) => client.suppressionSources.list())

interface Settings {
  readonly account?: string
  readonly serviceList?: string
  readonly people?: SuppressionSourcePeople
  readonly url?: string
  readonly types?: string
  readonly column?: string
  readonly header?: ReadonlyArray<string>
  readonly schedule?: SuppressionSourceSchedule
}

interface CreateOptions extends Settings {
  readonly list?: string
  readonly service?: SuppressionSourceKind
}

interface UpdateOptions extends Settings {
  readonly name?: string
  readonly wholeAccount?: true
  readonly status?: "active" | "paused"
}

const services = ["hubspot", "emailoctopus", "mailchimp", "listmonk", "klaviyo", "brevo"]

const addSettings = (command: Command): Command =>
  command
    .option(
      "--account <account>",
      "id or name of a connected account whose people are read",
      accountId,
    )
    .option(
      "--service-list <id>",
      "id of the list there; to find it: footfall integrations lists ACCOUNT --readable",
    )
    .addOption(
      new Option(
        "--people <people>",
        "all, or only those who refused: unsubscribed, bounced, complained, suppressed there",
      ).choices(["all", "refused"]),
    )
    .option("--url <url>", "https URL of a CSV, text or NDJSON file, also compressed with gzip")
    .option("--types <types>", "types of the rules, separated by commas")
    .option("--column <name>", "column that contains the values, by name or by number from 1")
    .option(
      "--header <header>",
      "header of the request, such as 'authorization: Bearer …'; repeatable",
      (header: string, before: ReadonlyArray<string> = []) => [...before, header],
    )
    .addOption(
      new Option("--schedule <schedule>", "how often it is synced").choices(["hourly", "daily"]),
    )

export const sourceCommands = [
  define("list", {
    description: "list the sources, newest first, with their last sync",
    takes: (command) => addWholeListOptions(command, "sources"),
    fields: "id,name,status",
    examples: [LIST_COMMAND, `${LIST_COMMAND} --json`],
    credential: "either",
    run: async ({ connect, printWhole }) => {
      const client = await connect()
      await printWhole(await client.suppressionSources.list(), sourceList)
    },
  }),

  define<object, [id: string]>("get", {
    description: "show one source and what its last sync did",
    takes: (command) => command.argument("<source>", SOURCE_WORDS, sourceId),
    fields: "name,status,lastSync",
    examples: ["footfall suppression sources get 'CRM customers'"],
    credential: "either",
    run: async ({ connect, print, terminal }, id) => {
      const client = await connect()
      const source = await client.suppressionSources.get(id)
      await print(source, () => lines(...sourceLines(source, terminal.now)))
    },
  }),

  define<CreateOptions, [name: string]>("create", {
    description:
      "Create a source: the people of a connected account (--account), a file on a web server (--url) or\n" +
      "one of your lists (--list). Its rules follow it: they are added and removed on the schedule, and a\n" +
      "list also within a minute of each change. Rules that you have added yourself stay.",
    summary: "mirror a mailing list or CRM, a file, or a list into rules",
    takes: (command) =>
      addSettings(
        command
          .argument("<name>", "name of the source")
          .option("--list <list>", "id or name of a list of companies or people", listId)
          .addOption(
            new Option(
              "--service <service>",
              "the service of the account (default: looked up, which needs a sign-in)",
            ).choices(services),
          ),
      ),
    examples: [
      "footfall suppression sources create Customers --account HubSpot --service-list 91",
      "footfall suppression sources create Unsubscribed --account Newsletter --people refused",
      "footfall suppression sources create 'CRM customers' --url https://crm.example/customers.csv --types email",
      "footfall suppression sources create Customers --list 'Event guests' --schedule hourly",
    ],
    credential: "either",
    creates: true,
    run: async ({ connect, creation, options, print }, name) => {
      const { account, list, service, url } = options
      if ([account, url, list].filter((one) => one !== undefined).length !== 1) {
        throw usageError("Name what the source mirrors: --account, --url or --list.")
      }
      const settings = settingsIn(options)
      if (url !== undefined && settings.types === undefined) {
        throw usageError("A file needs --types.", "Add --types email, domain or company_domain.")
      }
      const client = await connect()
      const ofAccount =
        account === undefined ? undefined : (service ?? (await serviceOf(client, account)))
      const kind = ofAccount ?? (url === undefined ? "list" : "url")
      const source = await client.suppressionSources.create(
        { ...settings, name, kind, listId: list ?? options.serviceList },
        creation,
      )
      await print(source, () =>
        lines(
          `Created source ${plainText(source.name)}: ${source.id}`,
          "Its first sync begins now. To see it: footfall suppression sources list",
        ),
      )
    },
  }),

  define<UpdateOptions, [id: string]>("update", {
    description:
      "Change a source, which is then synced. A paused source keeps its rules as they are. To replace a\n" +
      "key, connect the account again and give the source the new one with --account.",
    summary: "change, pause or resume a source",
    takes: (command) =>
      addSettings(
        command
          .argument("<source>", SOURCE_WORDS, sourceId)
          .option("--name <name>", "new name")
          .addOption(
            new Option("--status <status>", "a paused source is not synced").choices([
              "active",
              "paused",
            ]),
          )
          .addOption(
            new Option(
              "--whole-account",
              "read everyone in the account instead of a list",
            ).conflicts("serviceList"),
          ),
      ),
    examples: [
      "footfall suppression sources update 'CRM customers' --status paused",
      "footfall suppression sources update Customers --account 'HubSpot 2'",
    ],
    credential: "either",
    run: async ({ connect, options, print }, id) => {
      const { name, serviceList, status, wholeAccount } = options
      const listOfService = wholeAccount === true ? null : serviceList
      const changes = Object.fromEntries(
        Object.entries({ ...settingsIn(options), name, status, listId: listOfService }).filter(
          ([, value]) => value !== undefined,
        ),
      )
      if (Object.keys(changes).length === 0) {
        throw usageError("Nothing to update.", "Run: footfall suppression sources update --help")
      }
      const client = await connect()
      const source = await client.suppressionSources.update(id, changes)
      await print(source, () =>
        lines(`Updated source ${plainText(source.name)} (${stateOf(source)}).`),
      )
    },
  }),

  define<object, [id: string]>("sync", {
    description: "sync a source as soon as possible",
    takes: (command) => command.argument("<source>", SOURCE_WORDS, sourceId),
    examples: ["footfall suppression sources sync 'CRM customers'"],
    credential: "either",
    run: async ({ connect, print }, id) => {
      const client = await connect()
      const source = await client.suppressionSources.sync(id)
      await print(source, () => lines(`The sync of ${plainText(source.name)} begins now.`))
    },
  }),

  define<{ readonly yes?: true }, [id: string]>("approve", {
    description: "let a source that needs attention remove as many rules as it wanted to",
    takes: (command) =>
      command
        .argument("<source>", SOURCE_WORDS, sourceId)
        .option("-y, --yes", "do not ask for confirmation"),
    examples: ["footfall suppression sources approve 'CRM customers'"],
    credential: "either",
    run: async ({ connect, options, print, terminal }, id) => {
      const client = await connect()
      const { attention, name } = await client.suppressionSources.get(id)
      if (attention === null) {
        throw usageError(`${plainText(name)} needs no approval. Nothing was changed.`)
      }
      await requireConsent(terminal, {
        what: `${countText(attention.removals)} of ${counted(attention.present, "rule")} of ${plainText(name)} will be removed.`,
        isConfirmed: options.yes === true,
      })
      const source = await client.suppressionSources.approve(id)
      await print(source, () => lines(`Approved. The sync of ${plainText(name)} begins now.`))
    },
  }),

  define<{ readonly yes?: true; readonly keepRules?: true }, [id: string]>("delete", {
    description: "delete a source with its rules; rules that you have added yourself stay",
    takes: (command) =>
      command
        .argument("<source>", SOURCE_WORDS, sourceId)
        .option("--keep-rules", "keep all of its rules")
        .option("-y, --yes", "do not ask for confirmation"),
    examples: ["footfall suppression sources delete 'CRM customers' --keep-rules"],
    credential: "either",
    run: async ({ connect, options, print, terminal }, id) => {
      const client = await connect()
      const { name, rules } = await client.suppressionSources.get(id)
      const isKeeping = options.keepRules === true
      const fate = isKeeping ? "will stay" : "will be removed"
      await requireConsent(terminal, {
        what: `Source ${plainText(name)} will be deleted. Its ${counted(rules, "rule")} ${fate}.`,
        isConfirmed: options.yes === true,
      })
      const deleted = await client.suppressionSources.delete(id, {
        rules: isKeeping ? "keep" : "remove",
      })
      await print({ id, ...deleted }, () => lines(`Deleted source ${plainText(name)}.`))
    },
  }),
]

/** What a request sends. Errors: usage, for types and headers that can't be read. */
const settingsIn = ({ account, column, header, people, schedule, types, url }: Settings) => ({
  types: types === undefined ? undefined : typesIn(types),
  schedule,
  connectedAccountId: account,
  people,
  url,
  column,
  headers: headersIn(header),
})

/** Errors: those of a credential that can't see accounts; usage, for an account of a service that can't be read. */
const serviceOf = async (client: Footfall, id: string): Promise<SuppressionSourceKind> => {
  const account = (await client.integrations.accounts()).find((one) => one.id === id)
  if (account === undefined) throw usageError(`No connected account has the id ${id}.`)
  const { appName, appSlug } = account
  if (!isService(appSlug)) throw usageError(`The people of ${appName} can't be read.`)
  return appSlug
}

const isService = (slug: string): slug is SuppressionSourceKind => services.includes(slug)

/** Errors: usage, for a word that is no type. */
const typesIn = (text: string): ReadonlyArray<SuppressionRuleType> =>
  text.split(",").map((word) => {
    const type = word.trim()
    if (isRuleType(type)) return type
    throw usageError(`Expected types of rules (${ruleTypes.join(", ")}), received "${type}".`)
  })

/** Errors: usage, for a header without a colon. */
const headersIn = (
  headers: ReadonlyArray<string> | undefined,
): Record<string, string> | undefined =>
  headers === undefined
    ? undefined
    : Object.fromEntries(
        headers.map((header) => {
          const at = header.indexOf(":")
          if (at > 0) return [header.slice(0, at).trim(), header.slice(at + 1).trim()]
          throw usageError(`Expected a header such as "name: value", received "${header}".`)
        }),
      )

/** The state in a word or two, and what to do about it. */
const stateOf = ({ attention, lastSync, status }: SuppressionSource): string => {
  if (attention !== null) return `needs approval: ${countText(attention.removals)} removals`
  if (status === "paused") return "paused"
  return lastSync === null ? "syncing" : lastSync.outcome
}

const sourceLines = (source: SuppressionSource, now: Date): ReadonlyArray<string> => {
  const { attention, id, lastSync, name, rules } = source
  return [
    `${plainText(name)} (${stateOf(source)}): ${counted(rules, "rule")} · id ${id}`,
    ...(lastSync === null
      ? []
      : [
          `Last sync ${timeAgo(lastSync.at, now)}: ${countText(lastSync.new)} new, ${countText(lastSync.removed)} removed.`,
        ]),
    ...(lastSync?.errorMessage == null ? [] : [plainText(lastSync.errorMessage)]),
    ...(attention === null ? [] : [`To approve: footfall suppression sources approve ${id}`]),
  ]
}

const sourceList = listForm<SuppressionSource>({
  csvColumns: ["id", "name", "kind", "people", "status", "rules", "schedule", "nextSyncAt"],
  nouns: ["source", "sources"],
  empty: {
    message: "There are no suppression sources yet.",
    next: "Run: footfall suppression sources create <name> --account <account>",
  },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id, dropRank: 2 },
    { title: "Name", cell: ({ name }) => plainText(name), widthMin: 10, widthKept: 20 },
    { title: "Kind", cell: ({ kind }) => kind, dropRank: 3 },
    { title: "Rules", cell: ({ rules }) => countText(rules), align: "right" },
    { title: "State", cell: stateOf, widthMin: 10 },
    {
      title: "Last sync",
      cell: ({ lastSync }) => (lastSync === null ? "" : timeAgo(lastSync.at, now)),
      align: "right",
      dropRank: 1,
    },
  ],
})
