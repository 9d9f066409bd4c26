// `footfall inbound`: where vendors of identification, forms and calendars send. The URL is shown once.

import type {
  Inbound,
  InboundConsent,
  InboundMappingCreateParams,
  InboundPreset,
  InboundRequest,
} from "@footfall/sdk"
import { Option } from "commander"
import { define } from "../command/define.ts"
import { addWholeListOptions } from "../command/list-options.ts"
import { named } from "../command/names.ts"
import { wholeNumber } from "../command/values.ts"
import { usageError } from "../errors/cli-error.ts"
import { listForm } from "../output/print-list.ts"
import { factsText } from "../output/print-result.ts"
import { pixelIdOf } from "../pixels/pixel-id.ts"
import { requireConsent } from "../terminal/consent.ts"
import { givenJson } from "../terminal/given-json.ts"
import { lines, plainText, type Terminal } from "../terminal/terminal.ts"
import { counted, countText, timeAgo } from "../ui/text.ts"

const LIST_COMMAND = "footfall inbound list"
const SOURCE_WORDS = "id or name of the inbound source"
const PRESETS = ["rb2b", "typeform", "tally", "calcom", "calendly", "generic"]
/** Maximum time that the former URL works. spec 5.22. */
const HOURS_MAX = 72

const inboundId = named("inbound source", LIST_COMMAND, (client) => client.inbound.list())

const presetOption = () => new Option("--preset <preset>", "who sends").choices(PRESETS)
const MAPPING_WORDS = "mapping as JSON, a file with it, or - for standard input"

interface CreateOptions {
  readonly preset: InboundPreset
  readonly mapping?: string
  readonly signingSecret?: string
  readonly consent?: InboundConsent
}

export const inboundCommands = [
  define("list", {
    description: "list the inbound sources, newest first",
    takes: (command) => addWholeListOptions(command, "inbound sources"),
    fields: "id,name,preset",
    examples: [LIST_COMMAND],
    credential: "either",
    run: async ({ connect, printWhole }) => {
      const client = await connect()
      await printWhole(await client.inbound.list(), inboundList)
    },
  }),

  define<object, [id: string]>("get", {
    description: "show one inbound source, without its URL",
    takes: (command) => command.argument("<source>", SOURCE_WORDS, inboundId),
    fields: "name,preset,status",
    examples: ["footfall inbound get RB2B"],
    credential: "either",
    run: async ({ connect, print, terminal }, id) => {
      const client = await connect()
      const { now } = terminal
      const source = await client.inbound.get(id)
      const { formerUrlUntil, lastRequestAt } = source
      await print(
        source,
        factsText([
          ["Name", plainText(source.name)],
          ["Preset", source.preset],
          ["Status", source.status],
          ["URL", `…/in/in_…${source.last4}`],
          [
            "Former URL",
            formerUrlUntil === null ? "no longer works" : `works until ${formerUrlUntil}`,
          ],
          ["Signed", source.isSigned ? "yes" : "no"],
          ["Last request", lastRequestAt === null ? "never" : timeAgo(lastRequestAt, now)],
          ["Id", source.id],
        ]),
      )
    },
  }),

  define<CreateOptions, [pixel: string, name: string]>("create", {
    description:
      "Create an inbound source of a site. Its URL is shown once: enter it at the vendor. Whoever has it\n" +
      "can send, so keep it secret.",
    summary: "create a URL for a vendor; it is shown once",
    takes: (command) =>
      command
        .argument("<pixel>", "id or domain of the pixel")
        .argument("<name>", "name of the source")
        .addOption(presetOption().makeOptionMandatory())
        .option("--mapping <json>", MAPPING_WORDS)
        .option("--signing-secret <secret>", "secret with which the vendor signs")
        .addOption(
          new Option(
            "--consent <consent>",
            "who has asked for consent: the vendor, or the pixel (default: vouched)",
          ).choices(["vouched", "pixel"]),
        ),
    examples: [
      "footfall inbound create example.com RB2B --preset rb2b",
      "footfall inbound create example.com Demos --preset calendly --signing-secret SECRET",
      "footfall inbound create example.com CRM --preset generic --mapping mapping.json",
    ],
    credential: "either",
    creates: true,
    run: async ({ connect, creation, options, print, terminal }, pixel, name) => {
      const mapping = await mappingIn(terminal, options.mapping)
      const client = await connect()
      const pixelId = await pixelIdOf(client, pixel)
      const { consent, preset, signingSecret } = options
      const created = await client.inbound.create(
        { name, pixelId, preset, mapping, signingSecret, consent },
        creation,
      )
      await print(created, () =>
        lines(
          `Created inbound source ${plainText(created.inbound.name)}. Its URL is shown only once:`,
          "",
          `  ${created.url}`,
          "",
          "To see what arrives: footfall inbound history " + created.inbound.id,
        ),
      )
    },
  }),

  define<{ readonly preset: InboundPreset; readonly mapping?: string }, [sample: string]>("test", {
    description:
      "Show what a sample of a vendor would become. The sample is JSON, a file with it, or - for standard\n" +
      "input. Nothing is kept.",
    summary: "show what a sample would become",
    takes: (command) =>
      command
        .argument("<sample>", "body as the vendor sends it")
        .addOption(presetOption().makeOptionMandatory())
        .option("--mapping <json>", MAPPING_WORDS),
    examples: [
      `footfall inbound test --preset rb2b '{"Business Email":"jane@acme.example"}'`,
      "footfall inbound test --preset generic --mapping mapping.json sample.json",
    ],
    credential: "either",
    run: async ({ connect, options, print, terminal }, given) => {
      const mapping = await mappingIn(terminal, options.mapping)
      const sample = await givenJson(terminal, given, "sample")
      const client = await connect()
      const result = await client.inbound.test({ preset: options.preset, mapping, sample })
      await print(result, () =>
        lines(
          ...result.records.flatMap(({ fields, kind }) => [
            kind === "person" ? "A person:" : "A visit of a company:",
            ...Object.entries(fields).map(
              ([field, value]) => `  ${plainText(field)}: ${plainText(String(value))}`,
            ),
          ]),
          ...result.rejected.map(
            ({ index, message }) => `Record ${index + 1} is rejected. ${plainText(message)}`,
          ),
        ),
      )
    },
  }),

  define<{ readonly graceHours?: number; readonly yes?: true }, [id: string]>("rotate", {
    description: "replace the URL of a source; the new one is shown once",
    takes: (command) =>
      command
        .argument("<source>", SOURCE_WORDS, inboundId)
        .option(
          "--grace-hours <hours>",
          "hours that the former URL works (default: 24)",
          wholeNumber(HOURS_MAX, 0),
        )
        .option("-y, --yes", "do not ask for confirmation"),
    examples: ["footfall inbound rotate RB2B", "footfall inbound rotate RB2B --grace-hours 0"],
    credential: "either",
    run: async ({ connect, options, print, terminal }, id) => {
      const { graceHours, yes } = options
      const client = await connect()
      const { name } = await client.inbound.get(id)
      await requireConsent(terminal, {
        what: `The URL of ${plainText(name)} will work for ${counted(graceHours ?? 24, "hour")} more.`,
        isConfirmed: yes === true,
      })
      const rotated = await client.inbound.rotate(id, { graceHours })
      await print(rotated, () => lines("The new URL is shown only once:", "", `  ${rotated.url}`))
    },
  }),

  define<{ readonly yes?: true }, [id: string]>("delete", {
    description: "delete a source with its history; the visits it brought stay",
    takes: (command) =>
      command
        .argument("<source>", SOURCE_WORDS, inboundId)
        .option("-y, --yes", "do not ask for confirmation"),
    examples: ["footfall inbound delete RB2B"],
    credential: "either",
    run: async ({ connect, options, print, terminal }, id) => {
      const client = await connect()
      const { name } = await client.inbound.get(id)
      await requireConsent(terminal, {
        what: `Inbound source ${plainText(name)} will be deleted. Its URL stops working.`,
        isConfirmed: options.yes === true,
      })
      const deleted = await client.inbound.delete(id)
      await print({ id, ...deleted }, () => lines(`Deleted inbound source ${plainText(name)}.`))
    },
  }),

  define<object, [id: string]>("history", {
    description: "list what arrived in the last 7 days, newest first; it names no one",
    takes: (command) =>
      addWholeListOptions(command.argument("<source>", SOURCE_WORDS, inboundId), "requests"),
    fields: "id,receivedAt,records",
    examples: ["footfall inbound history RB2B"],
    credential: "either",
    run: async ({ connect, printWhole }, id) => {
      const client = await connect()
      await printWhole(await client.inbound.history(id), historyList)
    },
  }),
]

/** Errors: usage, for what is no mapping. */
const mappingIn = async (
  terminal: Terminal,
  given: string | undefined,
): Promise<InboundMappingCreateParams | undefined> => {
  if (given === undefined) return undefined
  const { each, fields, kind = "person" } = await givenJson(terminal, given, "mapping")
  const isMapping =
    (kind === "person" || kind === "company") &&
    (each === undefined || typeof each === "string") &&
    isTexts(fields)
  if (!isMapping) {
    throw usageError(
      'Expected a mapping such as {"kind": "person", "fields": {"email": "$.contact.email"}}.',
    )
  }
  return { kind, fields, ...(each === undefined ? {} : { each }) }
}

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).every((one) => typeof one === "string")

const inboundList = listForm<Inbound>({
  csvColumns: ["id", "name", "preset", "status", "pixelId", "lastRequestAt"],
  nouns: ["inbound source", "inbound sources"],
  empty: {
    message: "There are no inbound sources yet.",
    next: "Run: footfall inbound create <pixel> <name> --preset rb2b",
  },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id, dropRank: 2 },
    { title: "Name", cell: ({ name }) => plainText(name), widthMin: 10, widthKept: 20 },
    { title: "Preset", cell: ({ preset }) => preset, dropRank: 3 },
    { title: "Status", cell: ({ status }) => status },
    {
      title: "Last request",
      cell: ({ lastRequestAt }) => (lastRequestAt === null ? "never" : timeAgo(lastRequestAt, now)),
      align: "right",
      dropRank: 1,
    },
  ],
})

const outcomesText = ({ outcomes }: InboundRequest): string =>
  outcomes
    .map(({ outcome, reason, records }) =>
      [countText(records), outcome, ...(reason === null ? [] : [`(${reason})`])].join(" "),
    )
    .join(", ")

const historyList = listForm<InboundRequest>({
  csvColumns: ["id", "receivedAt", "records"],
  nouns: ["request", "requests"],
  empty: {
    message: "Nothing has arrived in the last 7 days.",
    next: "Send a test from the vendor, or run: footfall inbound test --help",
  },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id, dropRank: 1 },
    { title: "Received", cell: ({ receivedAt }) => timeAgo(receivedAt, now), align: "right" },
    { title: "Records", cell: ({ records }) => countText(records), align: "right" },
    { title: "Outcomes", cell: outcomesText, widthMin: 20 },
  ],
})
