// `footfall pixels`: the organization's pixels. Commands take a pixel's id or domain.

import type {
  Pixel,
  PixelSettingsChanges,
  PixelStatus,
  PixelUpdateParams,
  PixelWithCode,
} from "@footfall/sdk"
import { InvalidArgumentError, Option } from "commander"
import { define, defineGroup } from "../command/define.ts"
import { addWholeListOptions, type ListOptions } from "../command/list-options.ts"
import { ExitCode, usageError } from "../errors/cli-error.ts"
import { listForm } from "../output/print-list.ts"
import type { PeopleText } from "../output/print-result.ts"
import { requireConsent } from "../terminal/consent.ts"
import { lines, note, plainText, type Terminal } from "../terminal/terminal.ts"
import { counted, timeAgo } from "../ui/text.ts"
import { pixelIdOf, pixelOf } from "./pixel-id.ts"
import { siteFinding, suggestionText, verificationFinding, verificationText } from "./words.ts"
import { sharedUserIdCommands } from "./shared-user-ids.ts"
import { writeKeyCommands } from "./write-keys.ts"

/** Lines are not wrapped to the screen's width, so that people can copy a tag. */
const COLUMNS_UNBROKEN = 1_000

interface CreateOptions {
  readonly name?: string
  readonly set?: PixelSettingsChanges
}

/** The fields of a pixel (spec 2.3). Settings are one JSON cell. */
const pixelColumns = [
  "id",
  "domain",
  "name",
  "status",
  "pausedReason",
  "excludedPaths",
  "includedPaths",
  "settings",
  "verifiedAt",
  "lastEventAt",
  "createdAt",
  "updatedAt",
] as const

/** The server reads up to 20 pages before it responds. */
const SUGGEST_TIMEOUT_MS = 60_000

interface SuggestOptions {
  readonly url?: string
  readonly apply?: true
  readonly yes?: true
}

interface UpdateOptions {
  readonly name?: string
  readonly status?: PixelStatus
  readonly exclude?: ReadonlyArray<string>
  readonly include?: ReadonlyArray<string>
  readonly allPaths?: true
  readonly set?: PixelSettingsChanges
}

export const pixelCommands = [
  define<ListOptions>("list", {
    description: "list the pixels and when each last received an event",
    takes: (command) => addWholeListOptions(command, "pixels"),
    fields: "id,domain,status",
    examples: [
      "footfall pixels list",
      "footfall pixels list --json | jq -r '.data[] | select(.status == \"paused\") | .domain'",
    ],
    run: async ({ connect, printWhole }) => {
      const client = await connect()
      await printWhole(await client.pixels.list(), pixelList)
    },
  }),

  define<object, [reference: string]>("get", {
    description: "show one pixel and its tag",
    takes: (command) => command.argument("<pixel>", "id or domain of the pixel"),
    fields: "domain,status,lastEventAt",
    examples: [
      "footfall pixels get example.com",
      "footfall pixels get example.com --json | jq -r .data.code",
    ],
    run: async ({ connect, print, terminal }, reference) => {
      const client = await connect()
      const pixel = await client.pixels.get(await pixelIdOf(client, reference))
      await print(pixel, pixelText(terminal, pixel))
    },
  }),

  define<CreateOptions, [domain: string]>("create", {
    description: "create a pixel for a site, and show the tag to paste",
    takes: (command) =>
      command
        .argument("<domain>", "domain of the site")
        .option("--name <name>", "name of the pixel (default: the domain)")
        .addOption(settingOption()),
    examples: [
      "footfall pixels create example.com",
      "footfall pixels create example.com --name Shop --set consent=required --set spa=hash",
    ],
    creates: true,
    run: async ({ connect, creation, options, print, terminal }, domain) => {
      const client = await connect()
      const pixel = await client.pixels.create(
        { domain, name: options.name, settings: options.set },
        creation,
      )
      // The tag works on both; only the name is shorter.
      if (/^(?:https?:\/\/)?www\./i.test(domain) && !pixel.domain.startsWith("www.")) {
        note(
          terminal,
          plainText(`The pixel's domain is ${pixel.domain}, without www. It counts both.`),
        )
      }
      await print(pixel, pixelText(terminal, pixel))
    },
  }),

  define<UpdateOptions, [reference: string]>("update", {
    description: "update, pause or resume a pixel",
    takes: (command) =>
      command
        .argument("<pixel>", "id or domain of the pixel")
        .option("--name <name>", "new name")
        .addOption(
          new Option("--status <status>", "a paused pixel records nothing").choices([
            "active",
            "paused",
          ]),
        )
        .addOption(
          new Option("--exclude <path...>", "record nothing under these paths").conflicts([
            "include",
            "allPaths",
          ]),
        )
        .addOption(
          new Option("--include <path...>", "record nothing outside these paths").conflicts(
            "allPaths",
          ),
        )
        .option("--all-paths", "record every path again")
        .addOption(settingOption()),
    examples: [
      "footfall pixels update example.com --status paused",
      "footfall pixels update example.com --exclude /account /checkout",
      "footfall pixels update example.com --set consent=required --set cookieDomain=null",
    ],
    run: async ({ connect, options, print }, reference) => {
      const changes = changesOf(options)
      if (Object.keys(changes).length === 0) {
        throw usageError("Nothing to update.", "Run: footfall pixels update --help")
      }
      const client = await connect()

      const pixel = await client.pixels.update(await pixelIdOf(client, reference), changes)

      await print(pixel, () => lines(`Updated the pixel of ${pixel.domain} (${pixel.status}).`))
    },
  }),

  define<{ readonly yes?: true }, [reference: string]>("delete", {
    description: "delete a pixel; recorded data stays",
    takes: (command) =>
      command
        .argument("<pixel>", "id or domain of the pixel")
        .option("-y, --yes", "do not ask for confirmation"),
    examples: ["footfall pixels delete old.example.com"],
    run: async ({ connect, options, print, terminal }, reference) => {
      const client = await connect()
      const { domain, id } = await pixelOf(client, reference)
      await requireConsent(terminal, {
        what: `The pixel of ${domain} (${id}) will be deleted, and its tag will stop recording.`,
        isConfirmed: options.yes === true,
      })

      const deleted = await client.pixels.delete(id)

      await print({ id, ...deleted }, () =>
        lines(`Deleted the pixel of ${domain}. You can remove the tag from the page.`),
      )
    },
  }),

  define<object, [reference: string]>("verify", {
    description: "check whether events arrive, and if not, why",
    takes: (command) => command.argument("<pixel>", "id or domain of the pixel"),
    fields: "verified,reason",
    examples: [
      "footfall pixels verify example.com",
      "until footfall pixels verify example.com; do sleep 10; done",
    ],
    run: async ({ connect, print, terminal }, reference) => {
      const client = await connect()
      const id = await pixelIdOf(client, reference)
      const { domain } = await client.pixels.get(id)
      const verification = await client.pixels.verify(id)
      const finding = verificationFinding({ domain }, verification, terminal.now)
      const findings = verification.findings.map((found) => ({
        ...found,
        ...siteFinding({ domain }, found),
      }))
      const data = { id, domain, ...verification, ...finding, findings }
      await print(data, () => verificationText(finding, findings))
      if (!verification.verified) terminal.endWith(ExitCode.failed)
    },
  }),

  define<SuggestOptions, [reference: string]>("suggest-topics", {
    description:
      "Read up to 20 pages of the site and suggest topic rules: which pages are about which topic.\n" +
      "With --apply, the command adds the rules to the pixel's existing ones.",
    summary: "suggest topic rules from the pages of the site",
    takes: (command) =>
      command
        .argument("<pixel>", "id or domain of the pixel")
        .option("--url <url>", "page to start from (default: the home page)")
        .option("--apply", "add the suggested rules to the pixel")
        .option("-y, --yes", "do not ask for confirmation"),
    fields: "domain,rules",
    examples: [
      "footfall pixels suggest-topics example.com",
      "footfall pixels suggest-topics example.com --apply --yes",
      "footfall pixels suggest-topics example.com --json | jq '.data.rules[].topicName'",
    ],
    run: async ({ connect, options, print, terminal }, reference) => {
      const client = await connect()
      const id = await pixelIdOf(client, reference)
      const { domain } = await client.pixels.get(id)
      const suggested = await client.pixels.suggestTopics(
        id,
        { url: options.url },
        { timeoutMs: SUGGEST_TIMEOUT_MS },
      )
      const { rules } = suggested
      const isApplied = options.apply === true && rules.length > 0
      if (isApplied) {
        await requireConsent(terminal, {
          what: `${counted(rules.length, "topic rule")} will be added to ${domain}.`,
          isConfirmed: options.yes === true,
        })
        // Read again, because someone else may have changed the rules in the meantime.
        const { settings } = await client.pixels.get(id)
        const added = rules.map(({ path, topicId }) => ({ path, topicId }))
        await client.pixels.update(id, {
          settings: { topicRules: [...settings.topicRules, ...added] },
        })
      }
      const { extra, ifAvailable } = await import("../connection/extra.ts")
      const hasTopics =
        rules.length > 0 || (await ifAvailable(client.topics.facets(extra)))?.total !== 0
      await print({ id, domain, ...suggested, applied: isApplied }, () =>
        suggestionText({ domain }, suggested, { hasTopics, isApplied }),
      )
    },
  }),

  defineGroup(
    "write-keys",
    "keys that send events to a pixel from a backend or from Segment's clients",
    writeKeyCommands,
  ),

  defineGroup(
    "shared-user-ids",
    "user ids that strangers share, which no longer join browsers",
    sharedUserIdCommands,
  ),
]

/** The option, which can be repeated. */
const settingOption = (): Option =>
  new Option(
    "--set <key=value>",
    "a setting, for example consent=required; null unsets it; can be repeated",
  ).argParser((text: string, before: PixelSettingsChanges = {}) => ({
    ...before,
    ...setting(text),
  }))

const setting = (text: string): PixelSettingsChanges => {
  const [, key, value] = /^([A-Za-z]+)=([^]*)$/.exec(text) ?? []
  if (key === undefined || value === undefined) {
    throw new InvalidArgumentError("Expected key=value, for example spa=hash.")
  }
  return { [key]: settingValue(value) }
}

/** `true`, `null`, lists and objects are parsed as JSON; everything else is text. */
const settingValue = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Renders a pixel. */
const pixelText =
  (terminal: Terminal, pixel: PixelWithCode): PeopleText =>
  async () => {
    const [{ drawn }, { PixelView }] = await Promise.all([
      import("../ui/drawn.ts"),
      import("./views.tsx"),
    ])
    return drawn(PixelView, { pixel, now: terminal.now }, COLUMNS_UNBROKEN)
  }

/** A pixel has at most one list of paths, so setting one clears the other. */
const changesOf = (options: UpdateOptions): PixelUpdateParams => ({
  ...(options.name === undefined ? {} : { name: options.name }),
  ...(options.status === undefined ? {} : { status: options.status }),
  ...(options.exclude === undefined ? {} : { excludedPaths: options.exclude, includedPaths: null }),
  ...(options.include === undefined ? {} : { includedPaths: options.include, excludedPaths: null }),
  ...(options.allPaths === undefined ? {} : { includedPaths: null, excludedPaths: null }),
  ...(options.set === undefined ? {} : { settings: options.set }),
})

export const pixelList = listForm<Pixel>({
  csvColumns: pixelColumns,
  nouns: ["pixel", "pixels"],
  empty: { message: "There are no pixels yet.", next: "Run: footfall pixels create <domain>" },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id },
    { title: "Domain", cell: ({ domain }) => domain, widthMin: 10, widthKept: 24 },
    { title: "Name", cell: ({ name }) => name, widthMin: 8, widthKept: 12, dropRank: 1 },
    { title: "Status", cell: statusCell, widthMin: 8 },
    {
      title: "Last event",
      cell: ({ lastEventAt }) => (lastEventAt === null ? "never" : timeAgo(lastEventAt, now)),
      align: "right",
    },
  ],
  isDim: (pixel) => pixel.status === "paused",
})

const statusCell = ({ status, pausedReason }: Pixel): string =>
  pausedReason === null ? status : `${status} (${pausedReason.replaceAll("_", " ")})`
