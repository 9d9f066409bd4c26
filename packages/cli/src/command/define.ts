// A command as a value: its help, its arguments and options, and what it does.

import type { CreateOptions, Footfall } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../connection/connect.ts"
import type { Credential } from "../connection/credential.ts"
import type { GlobalOptions } from "../connection/global-options.ts"
import { type CutMeta, limitedPages, type ListPage } from "../output/limited-pages.ts"
import { fieldsOption, outputOf } from "../output/output-format.ts"
import { type ListForm, printList } from "../output/print-list.ts"
import { type PeopleText, printResult, printRows, type RowsForm } from "../output/print-result.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { examples } from "./examples.ts"
import { cutList, type ListOptions, rowsMax } from "./list-options.ts"
import { resolveReferences } from "./reference.ts"

/** What a command runs with. */
interface Run<Options> {
  readonly terminal: Terminal
  readonly options: GlobalOptions & Options
  /** The options of the call that creates something. */
  readonly creation: CreateOptions
  readonly command: Command
  /** Connects on first use, so that an invalid command line is rejected first. */
  readonly connect: () => Promise<Footfall>
  /** Prints one object: as JSON for programs, as text for people. */
  readonly print: (data: object, text: PeopleText) => Promise<void>
  /** Prints a list page by page, up to the rows of `--limit` or `--all`. */
  readonly printList: <Row extends object, Meta extends CutMeta>(
    list: { readonly pages: () => AsyncIterable<ListPage<Row, Meta>> },
    form: ListForm<Row, Meta>,
  ) => Promise<void>
  /** Prints a list that the server sent as a whole, up to `--limit`. */
  readonly printWhole: <Row extends object>(
    rows: ReadonlyArray<Row>,
    form: ListForm<Row, WholeMeta>,
  ) => Promise<void>
  /** Prints rows with a custom JSON document. */
  readonly printRows: (form: RowsForm) => Promise<void>
  /** The program with every command loaded, for generated output such as completion. */
  readonly wholeProgram: () => Promise<Command>
}

type WholeMeta = ReturnType<typeof cutList>["meta"]

interface Definition<Options, Args extends ReadonlyArray<unknown>> {
  /** Top-level commands have theirs in `nouns.ts`. */
  readonly description?: string
  /** Shown in the list of commands if the description is longer than a line. */
  readonly summary?: string
  /** Adds arguments and options. */
  readonly takes?: (command: Command) => Command
  readonly examples: ReadonlyArray<string>
  /** Marks a command that only reads and has `--fields`; an example of its value. */
  readonly fields?: string
  /** Marks a command that creates one object and has `--idempotency-key`. */
  readonly creates?: true
  /** Default: an API key. */
  readonly credential?: Credential
  readonly run: (run: Run<Options>, ...args: Args) => Promise<void>
}

/** A command that can be added to the program. */
export interface Defined {
  readonly name: string
  /** Adds the description, arguments, options and action to `command`. */
  readonly define: (
    command: Command,
    terminal: Terminal,
    wholeProgram: () => Promise<Command>,
  ) => void
}

export const define = <Options = object, Args extends ReadonlyArray<unknown> = []>(
  name: string,
  definition: Definition<Options, Args>,
): Defined => ({
  name,
  define: (command, terminal, wholeProgram) => {
    const { creates, credential, description, fields, run, summary, takes } = definition
    if (description !== undefined) command.description(description)
    if (summary !== undefined) command.summary(summary)
    takes?.(command)
    if (fields !== undefined) command.addOption(fieldsOption(fields))
    if (creates === true) {
      command.option(
        "--idempotency-key <key>",
        "sending the same key again within 24 hours creates nothing twice",
      )
    }
    if (credential === "accessToken") command.addHelpText("after", LOGIN_NEEDED)
    command.addHelpText("after", examples(...definition.examples)).action(async () => {
      type Given = GlobalOptions & ListOptions & CreateOptions & Options
      const output = outputOf(command.optsWithGlobals<Given>(), terminal)
      let client: Promise<Footfall> | undefined
      // Only once, because an API key on standard input can only be read once.
      const connectOnce = () => (client ??= connect(terminal, command, credential))
      await resolveReferences(command, connectOnce)
      const options = command.optsWithGlobals<Given>()
      await run(
        {
          terminal,
          options,
          creation: { idempotencyKey: options.idempotencyKey },
          command,
          connect: connectOnce,
          print: (data, text) => printResult(terminal, options, data, text),
          printList: (list, form) =>
            printList(terminal, output, limitedPages(list.pages(), rowsMax(options)), form),
          printWhole: (whole, { csvColumns, drawn, hint }) => {
            const { rows, meta } = cutList(whole, options)
            const isHinted = whole.length === 0 && hint !== undefined
            const page = { data: rows, meta: isHinted ? { ...meta, hint } : meta }
            return printRows(terminal, options, {
              ...page,
              rows,
              csvColumns,
              drawn: (columns) => drawn(page, columns, terminal.now),
            })
          },
          printRows: (form) => printRows(terminal, options, form),
          wholeProgram,
        },
        ...(command.processedArgs as unknown as Args),
      )
    })
  },
})

const LOGIN_NEEDED = "\nSign in first (footfall login): an API key is not enough."

/** A group of commands within a group. */
export const defineGroup = (
  name: string,
  description: string,
  commands: ReadonlyArray<Defined>,
): Defined => ({
  name,
  define: (command, terminal, wholeProgram) => {
    addCommands(
      command.description(description).helpCommand(false),
      commands,
      terminal,
      wholeProgram,
    )
  },
})

/** Adds the commands to their group. */
export const addCommands = (
  group: Command,
  commands: ReadonlyArray<Defined>,
  terminal: Terminal,
  wholeProgram: () => Promise<Command>,
): void => {
  for (const { name, define } of commands) define(group.command(name), terminal, wholeProgram)
}
