// The commands for the owner, the tags and the notes of a person or a company: the same for both nouns.

import type { Company, Footfall, Note, NoteListMeta, Visitor, VisitorNotes } from "@footfall/sdk"
import { InvalidArgumentError, Option } from "commander"
import { define } from "../command/define.ts"
import { addListOptions, type ListOptions } from "../command/list-options.ts"
import { asId } from "../command/reference.ts"
import { usageError } from "../errors/cli-error.ts"
import {
  memberOf,
  organizationOption,
  type OrganizationOption,
  withSession,
} from "../members/reference.ts"
import { listForm } from "../output/print-list.ts"
import { requireConsent } from "../terminal/consent.ts"
import { lines, plainText } from "../terminal/terminal.ts"
import { timeAgo } from "../ui/text.ts"

interface Records {
  readonly noun: "companies" | "visitors"
  readonly one: "company" | "visitor"
  /** The argument, and what it is. */
  readonly argument: readonly [name: string, words: string]
  readonly example: string
  /** Errors: usage. */
  readonly named: (text: string) => Promise<{ readonly id: string; readonly name: string }>
  readonly calls: (client: Footfall) => {
    readonly update: (
      id: string,
      change: { readonly ownerId?: string | null; readonly tags?: ReadonlyArray<string> },
    ) => PromiseLike<Company | Visitor>
    readonly notes: Pick<VisitorNotes, "create" | "delete" | "list" | "update">
  }
}

interface NotesOptions extends ListOptions {
  readonly edit?: string
  readonly delete?: string
  readonly yes?: true
}

export const recordCommands = ({ argument, calls, example, named, noun, one }: Records) => [
  define<OrganizationOption, [record: string, member: string]>("assign", {
    description: `say which member looks after a ${one}; \`none\` for no one`,
    takes: (command) =>
      command
        .argument(...argument)
        .argument("<member>", "email address or user id of the member, or none")
        .addOption(organizationOption()),
    fields: "owner",
    examples: [
      `footfall ${noun} assign ${example} sam@tidewater.example`,
      `footfall ${noun} assign ${example} none`,
    ],
    credential: "either",
    run: async ({ connect, options, print }, record, member) => {
      const { id, name } = await named(record)
      const client = await connect()
      const found = await calls(client).update(id, {
        ownerId: await ownerIdOf(client, member, options),
      })
      await print(found, () =>
        lines(
          found.owner === null
            ? `${name} has no owner now.`
            : `${plainText(found.owner.name ?? found.owner.email)} looks after ${name} now.`,
        ),
      )
    },
  }),

  define<{ readonly remove?: true }, [record: string, tags: ReadonlyArray<string>]>("tag", {
    description: `add tags to a ${one}, or remove them with --remove`,
    takes: (command) =>
      command
        .argument(...argument)
        .argument("<tags...>", "tags of 1 to 50 characters")
        .option("--remove", "remove these tags instead"),
    fields: "tags",
    examples: [
      `footfall ${noun} tag ${example} Q3 'Renewal at risk'`,
      `footfall ${noun} tag ${example} Q3 --remove`,
    ],
    credential: "either",
    run: async ({ connect, options, print }, record, tags) => {
      const { id, name } = await named(record)
      const { update } = calls(await connect())
      // An empty change returns the record, and changes nothing.
      const before = await update(id, {})
      const given = new Set(tags.map(comparable))
      const kept = before.tags.filter((tag) => !given.has(comparable(tag)))
      const found = await update(id, {
        tags: options.remove === true ? kept : [...kept, ...tags],
      })
      const all = found.tags.map(plainText).join(", ")
      await print(found, () => lines(`Tags of ${name}: ${all === "" ? "none" : all}`))
    },
  }),

  define<NotesOptions, [record: string, text: string | undefined]>("notes", {
    description:
      `List the notes about a ${one}, newest first. With a text, add a note; --edit replaces the\n` +
      "text of one, and --delete deletes one.",
    summary: `list notes about a ${one}, or add, edit or delete one`,
    takes: (command) =>
      addListOptions(
        command
          .argument(...argument)
          .argument("[text]", "text of the note, at most 5,000 characters"),
        "notes",
      )
        .addOption(new Option("--edit <note>", "id of a note to change").argParser(noteId))
        .addOption(
          new Option("--delete <note>", "id of a note to delete")
            .argParser(noteId)
            .conflicts("edit"),
        )
        .option("-y, --yes", "do not ask for confirmation"),
    fields: "text,author.name",
    examples: [
      `footfall ${noun} notes ${example}`,
      `footfall ${noun} notes ${example} 'Call back on Monday'`,
      `footfall ${noun} notes ${example} --delete 4f3a2b1c-0d9e-4f7a-8b6c-5d4e3f2a1b0c --yes`,
    ],
    credential: "either",
    run: async ({ connect, options, print, printList, terminal }, record, text) => {
      const { id, name } = await named(record)
      const { delete: deleted, edit } = options
      if (deleted !== undefined) {
        if (text !== undefined) throw usageError("--delete takes no text.")
        const { notes } = calls(await connect())
        const isConfirmed = options.yes === true
        await requireConsent(terminal, { what: `Note ${deleted} will be deleted.`, isConfirmed })
        const done = await notes.delete(id, deleted)
        return print({ id: deleted, ...done }, () => lines(`Deleted note ${deleted}.`))
      }
      if (edit !== undefined) {
        if (text === undefined) throw usageError("--edit needs the new text of the note.")
        const { notes } = calls(await connect())
        const note = await notes.update(id, edit, text)
        return print(note, () => lines(`Changed note ${edit}.`))
      }
      const { notes } = calls(await connect())
      if (text === undefined) return printList(notes.list(id), noteList)
      const note = await notes.create(id, text)
      return print(note, () => lines(`Added a note to ${name}: ${note.id}`))
    },
  }),
]

/** `--owner`, for lists. */
export const ownerOption = (): Option =>
  new Option("--owner <id>", "only those of this member, by user id, or `none`").argParser(
    (text) => {
      const id = asId(text) ?? text.trim().toLowerCase()
      if (id === "none" || asId(id) !== undefined) return id
      throw new InvalidArgumentError(
        "Expected the user id of a member, or none. To list ids: footfall members list --fields email,userId",
      )
    },
  )

const noteId = (text: string): string => {
  const id = asId(text)
  if (id !== undefined) return id
  throw new InvalidArgumentError("Expected the id of a note.")
}

const comparable = (tag: string): string => tag.trim().replaceAll(/\s+/g, " ").toLowerCase()

/** Only an address is looked up, which needs a sign-in; that of someone else, an admin's. */
const ownerIdOf = async (
  client: Footfall,
  member: string,
  options: OrganizationOption,
): Promise<string | null> => {
  if (member.trim().toLowerCase() === "none") return null
  const id = asId(member)
  if (id !== undefined) return id
  return withSession(async () => {
    const { organization, user } = await client.auth.me()
    if (user.email.toLowerCase() === member.trim().toLowerCase()) return user.id
    return (await memberOf(client, options.organization ?? organization.id, member)).userId
  })
}

const noteList = listForm<Note, NoteListMeta>({
  csvColumns: ["id", "text", "author.kind", "author.id", "author.name", "createdAt", "updatedAt"],
  nouns: ["note", "notes"],
  empty: { message: "There are no notes." },
  columns: ({ now }) => [
    { title: "Note", cell: ({ text }) => text.replaceAll("\n", " "), widthMin: 20, widthKept: 40 },
    { title: "By", cell: ({ author }) => author.name ?? "", widthMin: 8, widthKept: 16 },
    { title: "Written", cell: ({ createdAt }) => timeAgo(createdAt, now), align: "right" },
    { title: "Id", cell: ({ id }) => id, widthMin: 36, dropRank: 1 },
  ],
})
