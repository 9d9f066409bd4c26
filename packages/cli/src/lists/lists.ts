// `footfall lists`: companies or people that a team has put together, for rules.

import type {
  List,
  ListMember,
  ListMembersMeta,
  ListMeta,
  ListWrite,
  RejectedListValue,
} from "@footfall/sdk"
import { type Command, Option } from "commander"
import { defineDelete } from "../command/define-delete.ts"
import { define } from "../command/define.ts"
import { listId } from "../command/ids.ts"
import { addListOptions, type ListOptions } from "../command/list-options.ts"
import { givenValues } from "../command/values.ts"
import type { GlobalOptions } from "../connection/global-options.ts"
import { exitCodeOf, usageError } from "../errors/cli-error.ts"
import { listForm } from "../output/print-list.ts"
import { requireConsent } from "../terminal/consent.ts"
import { lines, plainText, type Terminal } from "../terminal/terminal.ts"
import { counted, timeAgo } from "../ui/text.ts"
import { listImportCommand } from "./import.ts"

/** Values in one request. */
const VALUES_MAX = 25_000
/** Characters of standard input. */
const INPUT_LENGTH_MAX = 16_777_216

const LIST_WORDS = "id or name of the list"
const VALUES_WORDS =
  "domains, or email addresses or their SHA-256; `-` reads them from standard input, one per line"

const takesValues = (command: Command): Command =>
  command.argument("<list>", LIST_WORDS, listId).argument("<values...>", VALUES_WORDS)

const readValues = (terminal: Terminal, words: ReadonlyArray<string>, options: GlobalOptions) =>
  givenValues(terminal, words, options, {
    max: VALUES_MAX,
    inputLengthMax: INPUT_LENGTH_MAX,
    tooMany: () =>
      usageError(
        `A request takes at most ${VALUES_MAX.toLocaleString("en")} values.`,
        "Use a file of any size: footfall lists import <list> <file>",
      ),
  })

interface ValuesOptions extends ListOptions {
  readonly contains?: string
}

export const listCommands = [
  define("list", {
    description: "list the lists, newest first",
    takes: (command) => addListOptions(command, "lists"),
    fields: "id,name,size",
    examples: ["footfall lists list", "footfall lists list --all --json"],
    credential: "either",
    run: async ({ connect, printList }) => {
      const client = await connect()
      await printList(client.lists.list(), listList)
    },
  }),

  define<object, [id: string]>("get", {
    description: "show one list with its size",
    takes: (command) => command.argument("<list>", LIST_WORDS, listId),
    fields: "name,size",
    examples: ["footfall lists get 'Target accounts'"],
    credential: "either",
    run: async ({ connect, print }, id) => {
      const client = await connect()
      const list = await client.lists.get(id)
      await print(list, () =>
        lines(
          plainText(list.name),
          `${sizeText(list)} · changed ${timeAgo(list.updatedAt, new Date())} · id ${list.id}`,
        ),
      )
    },
  }),

  define<{ readonly of: List["subject"] }, [name: string, values: ReadonlyArray<string>]>(
    "create",
    {
      description: "create a list of companies or people",
      takes: (command) =>
        command
          .argument("<name>", "name of the list")
          .argument("[values...]", VALUES_WORDS)
          .addOption(
            new Option("--of <subject>", "what the list contains; it never changes")
              .choices(["companies", "people"])
              .default("companies"),
          ),
      examples: [
        "footfall lists create 'Target accounts' acme.com globex.com",
        "footfall lists create 'Event guests' --of people - < guests.txt",
      ],
      credential: "either",
      creates: true,
      run: async ({ connect, creation, options, print, terminal }, name, words) => {
        const values = words.length === 0 ? [] : await readValues(terminal, words, options)
        const client = await connect()
        const list = await client.lists.create({ name, subject: options.of }, creation)
        const written =
          values.length === 0 ? null : await client.lists.addMembers(list.id, { values })
        await print({ ...list, size: written?.size ?? list.size, written }, () =>
          lines(
            `Created list ${plainText(list.name)} with ${sizeText({ ...list, size: written?.size ?? 0 })}: ${list.id}`,
            ...rejectedLines(written),
          ),
        )
        if (written !== null) terminal.endWith(exitCodeAfter(written))
      },
    },
  ),

  define<object, [id: string, name: string]>("rename", {
    description: "rename a list",
    takes: (command) =>
      command.argument("<list>", LIST_WORDS, listId).argument("<name>", "new name"),
    examples: ["footfall lists rename 'Target accounts' 'Target accounts 2027'"],
    credential: "either",
    run: async ({ connect, print }, id, name) => {
      const client = await connect()
      const list = await client.lists.update(id, { name })
      await print(list, () => lines(`Renamed the list to ${plainText(list.name)}.`))
    },
  }),

  defineDelete({
    description: "delete a list and its values, unless something uses it",
    id: [LIST_WORDS, listId],
    example: "footfall lists delete 'Event guests'",
    credential: "either",
    warning: (id) => `List ${id} will be deleted with its values.`,
    run: ({ lists }, id) => lists.delete(id),
    done: (id) => `Deleted list ${id}.`,
  }),

  define<ValuesOptions, [id: string]>("values", {
    description: "list the values of a list, in their order",
    takes: (command) =>
      addListOptions(command.argument("<list>", LIST_WORDS, listId), "values").option(
        "--contains <text>",
        "only values that contain this text",
      ),
    fields: "value",
    examples: [
      "footfall lists values 'Target accounts'",
      "footfall lists values 'Target accounts' --all --output csv > accounts.csv",
    ],
    credential: "either",
    run: async ({ connect, options, printList }, id) => {
      const client = await connect()
      await printList(client.lists.members(id, { q: options.contains }), memberList)
    },
  }),

  define<object, [id: string, values: ReadonlyArray<string>]>("add", {
    description: "add values to a list",
    takes: takesValues,
    examples: [
      "footfall lists add 'Target accounts' acme.com https://www.globex.com",
      "cut -d, -f3 accounts.csv | footfall lists add 'Target accounts' -",
    ],
    credential: "either",
    run: async ({ connect, options, print, terminal }, id, words) => {
      const values = await readValues(terminal, words, options)
      const client = await connect()
      const written = await client.lists.addMembers(id, { values })
      await print(written, () =>
        lines(
          `Added ${counted(written.added, "value")}. ${written.present.toLocaleString("en")} were in the list. It has ${counted(written.size, "value")} now.`,
          ...rejectedLines(written),
        ),
      )
      terminal.endWith(exitCodeAfter(written))
    },
  }),

  listImportCommand,

  define<{ readonly yes?: true }, [id: string, values: ReadonlyArray<string>]>("replace", {
    description: "make a list contain these values and no others",
    takes: (command) => takesValues(command).option("-y, --yes", "do not ask for confirmation"),
    examples: ["footfall lists replace 'Target accounts' - --yes < accounts.txt"],
    credential: "either",
    run: async ({ connect, options, print, terminal }, id, words) => {
      const values = await readValues(terminal, words, options)
      const client = await connect()
      const { name, size } = await client.lists.get(id)
      await requireConsent(terminal, {
        what: `The ${counted(size, "value")} of ${plainText(name)} will be replaced by ${values.length.toLocaleString("en")}.`,
        isConfirmed: options.yes === true,
      })
      const written = await client.lists.replaceMembers(id, { values })
      await print(written, () =>
        lines(
          `Added ${counted(written.added, "value")} and removed ${written.removed.toLocaleString("en")}. The list has ${counted(written.size, "value")} now.`,
          ...rejectedLines(written),
        ),
      )
      terminal.endWith(exitCodeAfter(written))
    },
  }),

  define<object, [id: string, values: ReadonlyArray<string>]>("remove", {
    description: "remove values from a list; those that are not in it are skipped",
    takes: takesValues,
    examples: ["footfall lists remove 'Target accounts' acme.com"],
    credential: "either",
    run: async ({ connect, options, print, terminal }, id, words) => {
      const values = await readValues(terminal, words, options)
      const client = await connect()
      const removal = await client.lists.removeMembers(id, { values })
      await print(removal, () =>
        lines(
          `Removed ${counted(removal.removed, "value")}. The list has ${counted(removal.size, "value")} now.`,
        ),
      )
    },
  }),
]

const sizeText = ({ size, subject }: List): string =>
  subject === "companies"
    ? counted(size, "company", "companies")
    : counted(size, "person", "people")

/** Rejected values on the screen. `--json` has up to 100. */
const REJECTED_SHOWN = 10

const rejectedLines = (written: ListWrite | null): ReadonlyArray<string> => {
  if (written === null || written.rejectedCount === 0) return []
  const shown = written.rejected.slice(0, REJECTED_SHOWN)
  const more = written.rejectedCount - shown.length
  return [
    `Rejected ${counted(written.rejectedCount, "value")}:`,
    ...shown.map(
      ({ message, reason, value }) =>
        `  ${plainText(value ?? "(no text)")}  ${message ?? rejections[reason]}`,
    ),
    ...(more > 0 ? [`  and ${more.toLocaleString("en")} more`] : []),
  ]
}

const rejections: Readonly<Record<RejectedListValue["reason"], string>> = {
  not_a_text: "is not a text",
  empty_value: "is empty",
  value_too_long: "is too long",
  invalid_email: "is not an email address",
  invalid_domain: "is not a domain",
  public_suffix: "is a public suffix, not the domain of a company",
  erased: "belongs to a person you erased",
}

const exitCodeAfter = ({ added, present, rejectedCount }: ListWrite): number =>
  exitCodeOf({ accepted: added + present, rejected: rejectedCount })

const listList = listForm<List, ListMeta>({
  csvColumns: ["id", "name", "subject", "size", "createdAt", "updatedAt"],
  nouns: ["list", "lists"],
  empty: { message: "There are no lists yet.", next: "Run: footfall lists create <name>" },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id },
    { title: "Name", cell: ({ name }) => name, widthMin: 10, widthKept: 20 },
    { title: "Contains", cell: (list) => sizeText(list), align: "right" },
    {
      title: "Changed",
      cell: ({ updatedAt }) => timeAgo(updatedAt, now),
      align: "right",
      dropRank: 1,
    },
  ],
})

const memberList = listForm<ListMember, ListMembersMeta>({
  csvColumns: ["value", "addedAt"],
  nouns: ["value", "values"],
  empty: { message: "No values match.", next: "Run: footfall lists add <list> <values...>" },
  columns: ({ now }) => [
    { title: "Value", cell: ({ value }) => value, widthMin: 20 },
    { title: "Added", cell: ({ addedAt }) => timeAgo(addedAt, now), align: "right", dropRank: 1 },
  ],
})
