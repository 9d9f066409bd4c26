// The options of a destination: for a webhook, for a mailing list, and for both.

import type {
  AutomationConfigParams,
  BodyTemplate,
  DestinationEventType,
  MappedAttribute,
  OnLeave,
  ValidationPolicy,
  WebhookBody,
} from "@footfall/sdk"
import { type Command, InvalidArgumentError, Option } from "commander"
import { usageError } from "../errors/cli-error.ts"
import { givenJson } from "../terminal/given-json.ts"
import type { Terminal } from "../terminal/terminal.ts"

export interface DestinationOptions {
  readonly url?: string
  readonly event?: ReadonlyArray<DestinationEventType>
  readonly timeout?: number
  readonly header?: ReadonlyArray<readonly [name: string, value: string]>
  readonly body?: WebhookBody
  readonly template?: string
  readonly list?: string
  readonly listName?: string
  readonly field?: ReadonlyArray<readonly [field: string, attribute: MappedAttribute]>
  readonly tag?: ReadonlyArray<string>
  readonly newContacts?: "own" | "subscribed"
  readonly onLeave?: OnLeave
  readonly eraseAtProvider?: boolean
  readonly validation?: ValidationPolicy
}

/** Short names of the event kinds, in the order of spec 8.3. */
const EVENTS: ReadonlyMap<string, DestinationEventType> = new Map([
  ["started", "intent.audience.sync.started"],
  ["contact", "intent.audience.contact.upserted"],
  ["removed", "intent.audience.contact.removed"],
  ["completed", "intent.audience.sync.completed"],
])

/** The events of a webhook by default: a receiver has to be able to remove someone. */
export const DEFAULT_EVENTS: ReadonlyArray<DestinationEventType> = [...EVENTS.values()].filter(
  (event) => event !== "intent.audience.contact.removed",
)

/** What the requests of a webhook look like. */
export const addRequestOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--header <header...>",
        "webhook: header of each request, as in 'Authorization: Bearer …'",
      ).argParser(collected(header)),
    )
    .addOption(
      new Option(
        "--body <kind>",
        "webhook: how contacts are sent (default: standard, or template with --template)",
      ).choices(["standard", "cloudevents", "template"]),
    )
    .option(
      "--template <json>",
      "webhook: what to send for each contact: JSON, @file, or - for stdin",
    )

/** The headers, body and template of a webhook, as far as they are given. */
export const givenRequest = async (
  terminal: Terminal,
  { body, header, template }: Pick<DestinationOptions, "body" | "header" | "template">,
): Promise<GivenRequest> => ({
  ...(header === undefined ? {} : { headers: Object.fromEntries(header) }),
  ...(body === undefined ? {} : { body }),
  ...(template === undefined
    ? {}
    : {
        body: body ?? "template",
        template: await givenJson(terminal, template.replace(/^@/, ""), "template"),
      }),
})

export interface GivenRequest {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: WebhookBody
  readonly template?: BodyTemplate
}

export const addDestinationOptions = (command: Command): Command =>
  addRequestOptions(
    command
      .option("--url <url>", "webhook: URL to send events to")
      .addOption(
        new Option(
          "--event <kind...>",
          `webhook: events to send (${[...EVENTS.keys()].join(", ")})`,
        ).argParser(collected(eventKind)),
      )
      .addOption(
        new Option(
          "--timeout <ms>",
          "webhook: timeout of a request in ms, 1000 to 30000",
        ).argParser(timeoutMs),
      ),
  )
    .option("--list <id>", "mailing list: id of the list")
    .option("--list-name <name>", "mailing list: name of the list, for display")
    .addOption(
      new Option(
        "--field <field=attribute...>",
        "mailing list: attribute to write to a field, as in FNAME=firstName",
      ).argParser(collected(mapping)),
    )
    .option("--tag <tag...>", "mailing list: tags for every contact")
    .addOption(
      new Option(
        "--new-contacts <status>",
        "mailing list: the list's own opt-in for new contacts, or subscribed",
      ).choices(["own", "subscribed"]),
    )
    .addOption(
      new Option(
        "--on-leave <action>",
        "mailing list: what happens there to people who leave the audience",
      ).choices(["keep", "remove_tag", "remove_from_list"]),
    )
    .option(
      "--erase-at-provider",
      "mailing list: delete people there who are erased here, if this destination added them",
    )
    .addOption(
      new Option("--validation <policy>", "which contacts to send").choices([
        "none",
        "valid_or_catchall",
      ]),
    )

/** The configuration of a mailing list; undefined if none of its options is given. */
export const givenList = (options: DestinationOptions): AutomationConfigParams | undefined => {
  const { eraseAtProvider, field, list, listName, newContacts, onLeave, tag } = options
  const given = [eraseAtProvider, field, list, listName, newContacts, onLeave, tag]
  if (given.every((each) => each === undefined)) return undefined
  if (list === undefined) {
    throw usageError(
      "Missing the id of the mailing list.",
      "Add --list <id>. To find it: footfall integrations lists",
    )
  }
  return {
    listId: list,
    ...(listName === undefined ? {} : { listName }),
    ...(field === undefined ? {} : { fieldMapping: Object.fromEntries(field) }),
    ...(tag === undefined ? {} : { tags: tag }),
    ...(newContacts === undefined
      ? {}
      : { newContactStatus: newContacts === "own" ? null : "SUBSCRIBED" }),
    ...(onLeave === undefined ? {} : { onLeave }),
    ...(eraseAtProvider === undefined ? {} : { eraseAtProvider }),
  }
}

const collected =
  <Item>(parse: (text: string) => Item) =>
  (text: string, former: ReadonlyArray<Item> = []): ReadonlyArray<Item> => [...former, parse(text)]

const eventKind = (text: string): DestinationEventType => {
  const kind = [...EVENTS.values()].find((each) => each === text) ?? EVENTS.get(text)
  if (kind !== undefined) return kind
  throw new InvalidArgumentError(`Expected one of ${[...EVENTS.keys()].join(", ")}.`)
}

/** The server decides whether it may be set. */
const header = (text: string): readonly [string, string] => {
  const place = text.indexOf(":")
  if (place > 0) return [text.slice(0, place).trim(), text.slice(place + 1).trim()]
  throw new InvalidArgumentError("Use 'Name: value', as in 'Authorization: Bearer …'.")
}

/** The server decides whether the attribute exists. */
const mapping = (text: string): readonly [string, MappedAttribute] => {
  const place = text.lastIndexOf("=")
  if (place > 0 && place < text.length - 1) {
    return [text.slice(0, place), text.slice(place + 1) as MappedAttribute]
  }
  throw new InvalidArgumentError("Use field=attribute, as in FNAME=firstName.")
}

const timeoutMs = (text: string): number => {
  const ms = Number(text)
  if (/^\d+$/.test(text) && ms >= 1_000 && ms <= 30_000) return ms
  throw new InvalidArgumentError("Expected a whole number from 1000 to 30000.")
}
