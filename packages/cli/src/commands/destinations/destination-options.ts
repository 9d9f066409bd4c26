// The options that say what a destination is made of: those of a webhook, those of a mailing list, and
// those of both.

import type {
  AutomationConfigParams,
  DestinationEventType,
  MappedAttribute,
  ValidationPolicy,
} from "@footfall/sdk"
import { InvalidArgumentError, Option, type Command } from "commander"
import { usageError } from "../../errors/usage-error.ts"

/** As commander hands them over. */
export interface DestinationOptions {
  readonly url?: string
  readonly event?: ReadonlyArray<DestinationEventType>
  readonly timeout?: number
  readonly list?: string
  readonly listName?: string
  readonly field?: ReadonlyArray<readonly [field: string, attribute: MappedAttribute]>
  readonly tag?: ReadonlyArray<string>
  readonly validation?: ValidationPolicy
}

/** Short names of the event kinds, in the order of spec 8.3. */
const EVENTS: ReadonlyMap<string, DestinationEventType> = new Map([
  ["started", "intent.audience.sync.started"],
  ["contact", "intent.audience.contact.upserted"],
  ["completed", "intent.audience.sync.completed"],
])

/** What a webhook is told of unless it is said otherwise. */
export const ALL_EVENTS: ReadonlyArray<DestinationEventType> = [...EVENTS.values()]

/** Adds them all. */
export const addDestinationOptions = (command: Command): Command =>
  command
    .option("--url <url>", "webhook: address that is posted to")
    .addOption(
      new Option(
        "--event <kind...>",
        `webhook: what it is told of (${[...EVENTS.keys()].join(", ")})`,
      ).argParser(collected(eventKind)),
    )
    .addOption(
      new Option("--timeout <ms>", "webhook: 1000 to 30000 for one request").argParser(timeoutMs),
    )
    .option("--list <id>", "mailing list: id of the list")
    .option("--list-name <name>", "mailing list: its name, to know it by")
    .addOption(
      new Option(
        "--field <field=attribute...>",
        "mailing list: field and what is written to it, as in FNAME=firstName",
      ).argParser(collected(mapping)),
    )
    .option("--tag <tag...>", "mailing list: tags of every contact")
    .addOption(
      new Option("--validation <policy>", "contacts that are sent").choices([
        "none",
        "valid_or_catchall",
      ]),
    )

/** The configuration of a mailing list; undefined where no option speaks of one. */
export const givenList = (options: DestinationOptions): AutomationConfigParams | undefined => {
  const { field, list, listName, tag } = options
  if ([field, list, listName, tag].every((each) => each === undefined)) return undefined
  if (list === undefined) {
    throw usageError(
      "The id of the list is missing.",
      "Add --list <id>: footfall integrations lists",
    )
  }
  return {
    listId: list,
    ...(listName === undefined ? {} : { listName }),
    ...(field === undefined ? {} : { fieldMapping: Object.fromEntries(field) }),
    ...(tag === undefined ? {} : { tags: tag }),
  }
}

const collected =
  <Item>(parse: (text: string) => Item) =>
  (text: string, former: ReadonlyArray<Item> = []): ReadonlyArray<Item> => [...former, parse(text)]

const eventKind = (text: string): DestinationEventType => {
  const kind = ALL_EVENTS.find((each) => each === text) ?? EVENTS.get(text)
  if (kind !== undefined) return kind
  throw new InvalidArgumentError(`Expected one of ${[...EVENTS.keys()].join(", ")}.`)
}

/** Whether the attribute exists is the server's to say. */
const mapping = (text: string): readonly [string, MappedAttribute] => {
  const place = text.lastIndexOf("=")
  if (place > 0 && place < text.length - 1) {
    return [text.slice(0, place), text.slice(place + 1) as MappedAttribute]
  }
  throw new InvalidArgumentError("Expected a field and an attribute, as in FNAME=firstName.")
}

const timeoutMs = (text: string): number => {
  const ms = Number(text)
  if (/^\d+$/.test(text) && ms >= 1_000 && ms <= 30_000) return ms
  throw new InvalidArgumentError("Expected a whole number from 1000 to 30000.")
}
