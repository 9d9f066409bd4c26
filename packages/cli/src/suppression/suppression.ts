// `footfall suppression`: rules for visitors that use no credits and trigger nothing.

import type {
  SuppressionListMeta,
  SuppressionRule,
  SuppressionRuleType,
  SuppressionWrite,
} from "@footfall/sdk"
import { define, defineGroup } from "../command/define.ts"
import {
  addBoundedListOptions,
  addListOptions,
  boundedLimit,
  type ListOptions,
  rowsMax,
} from "../command/list-options.ts"
import type { GlobalOptions } from "../connection/global-options.ts"
import { exitCodeOf, usageError } from "../errors/cli-error.ts"
import type { ListForm } from "../output/print-list.ts"
import { view } from "../output/print-result.ts"
import { lines, plainText, type Terminal, warnOn } from "../terminal/terminal.ts"
import { visitorNamed } from "../visitors/selection.ts"
import { fileCommands } from "./file-commands.ts"
import { isRuleType, ruleTypeOption, ruleValues } from "./options.ts"
import { importCommands } from "./import-commands.ts"
import { sourceCommands } from "./source-commands.ts"
import { removeCommands } from "./remove-commands.ts"
import { uuid } from "../command/values.ts"
import { wantedListCommands } from "./wanted-list-commands.ts"

interface SuppressionListOptions extends ListOptions {
  readonly type?: SuppressionRuleType
  readonly search?: string
  readonly origin?: string
}

/** Default rows per page. */
const PAGE_SIZE = 50

/** The server's maximum per page (spec 1.6). */
const PAGE_SIZE_MAX = 5_000

type IndustriesOptions = GlobalOptions & ListOptions

/** Source: spec 5.5. */
const bound = { default: 100, max: 1_000 }

interface AddOptions {
  readonly type?: SuppressionRuleType
  readonly note?: string
}

export const suppressionCommands = [
  define<SuppressionListOptions>("list", {
    description: "list the rules, newest first, and their number by type",
    takes: (command) =>
      addListOptions(
        command
          .addOption(ruleTypeOption("only rules of this type"))
          .option("--search <text>", "only rules whose value contains this text, in any case")
          .option(
            "--origin <id>",
            "only rules of this import or source",
            uuid("an origin", "footfall suppression imports list"),
          ),
        "rules",
      ),
    fields: "type,value",
    examples: [
      "footfall suppression list",
      "footfall suppression list --type domain --search acme",
      "footfall suppression list --limit 1 --json | jq .meta.counts",
    ],
    run: async ({ connect, options, printList, terminal }) => {
      const { origin, type, search } = options
      const rows = rowsMax(options)
      const client = await connect()
      const { pagesWithRetries } = await import("../retry/retry.ts")
      const { reportWaits } = await import("../terminal/work.ts")

      const limit = rows === null ? PAGE_SIZE : Math.min(rows, PAGE_SIZE_MAX)
      const list = client.suppression.list(
        { type, q: search, originId: origin, limit },
        { maxRetries: 0 },
      )
      const pages = pagesWithRetries(list, reportWaits(terminal))
      await printList({ pages: () => pages }, ruleListForm(terminal))
    },
  }),

  define<AddOptions, [words: ReadonlyArray<string>]>("add", {
    description:
      "Add rules of one type (email, domain, company_domain, industry). Existing rules do not\n" +
      "change. Rules take effect in the next sync cycle.",
    summary: "add rules",
    takes: (command) =>
      command
        .argument(
          "<type-and-values...>",
          "a type and values, or values with --type; `-` for standard input",
        )
        .addOption(ruleTypeOption("type of the values, instead of the first word"))
        .option("--note <text>", "why the rules are there, at most 500 characters"),
    examples: [
      "footfall suppression add domain acme.example contoso.example",
      "footfall suppression add industry 'computer software'",
      "cut -d, -f2 staff.csv | footfall suppression add --type email -",
    ],
    run: async ({ connect, options, print, terminal }, words) => {
      const { type, rest } = typeAndRest(words, options.type)
      const values = await ruleValues(terminal, rest, options, tooMany)
      const client = await connect()
      await warnOfFreeMail(terminal, type, values)

      const write = await client.suppression.add(
        values.map((value) => ({ type, value })),
        { note: options.note },
      )

      await print(write, async () => {
        const { reasonText } = await import("./rule-types.ts")
        return addedText(write, reasonText)
      })
      const accepted = values.length - write.rejectedCount
      terminal.endWith(exitCodeOf({ accepted, rejected: write.rejectedCount }))
    },
  }),

  ...removeCommands,
  ...fileCommands,
  ...wantedListCommands,
  defineGroup("sources", "lists elsewhere that are mirrored into rules", sourceCommands),
  defineGroup("imports", "files that were imported, and undoing them", importCommands),

  define<IndustriesOptions>("industries", {
    description: "list the industries of identified visitors, most visitors first",
    takes: (command) => addBoundedListOptions(command, "industries", bound),
    fields: "value,visitors",
    examples: ["footfall suppression industries --limit 20"],
    run: async ({ connect, options, printRows }) => {
      const client = await connect()
      const { data, meta } = await client.suppression.industries({
        limit: boundedLimit(options, bound),
      })
      await printRows({
        data,
        meta,
        rows: data,
        csvColumns: ["value", "visitors", "suppressed"],
        drawn: view(async () => (await import("./views.tsx")).IndustryTable, {
          industries: data,
          meta,
        }),
      })
    },
  }),

  define<object, [person: string]>("why", {
    description:
      "Show whether a person is suppressed, and by which rules. For an email address\n" +
      "without a visitor, it checks the rules for addresses and domains.",
    summary: "show whether a person is suppressed, and by which rules",
    takes: (command) => command.argument("<person>", "one of their email addresses, or its hash"),
    fields: "suppressed,rules",
    examples: [
      "footfall suppression why nadia.osei@northwind-robotics.example",
      "footfall suppression why someone@acme.example --json | jq .data.suppressed",
    ],
    run: async ({ connect, print, terminal }, person) => {
      const { id, name } = await visitorNamed(person)
      const client = await connect()

      const { whySuppressed } = await import("./why-suppressed.ts")

      const why = await whySuppressed(client, { id, name })

      const data = { visitorId: id, ...why }
      await print(
        data,
        view(async () => (await import("./views.tsx")).SuppressionWhyView, {
          name,
          ...why,
          now: terminal.now,
        }),
      )
    },
  }),
]

const ruleListForm = (terminal: Terminal): ListForm<SuppressionRule, SuppressionListMeta> => ({
  csvColumns: ["id", "type", "value", "createdAt"],
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { SuppressionTable }] = await Promise.all([
      import("../ui/drawn.ts"),
      import("./views.tsx"),
    ])
    const props = { rules: data, meta, now: terminal.now, screenColumns: columns }
    return drawn(SuppressionTable, props, columns)
  },
})

const tooMany = () =>
  usageError("At most 25,000 values at a time.", "Use: footfall suppression import <file>")

const typeAndRest = (
  words: ReadonlyArray<string>,
  given: SuppressionRuleType | undefined,
): { readonly type: SuppressionRuleType; readonly rest: ReadonlyArray<string> } => {
  if (given !== undefined) return { type: given, rest: words }
  const [type, ...rest] = words
  if (isRuleType(type)) return { type, rest }
  throw usageError(
    `Invalid rule type "${type}".`,
    "Put the type first: email, domain, company_domain or industry. For example: domain acme.example.",
  )
}

const warnOfFreeMail = async (
  terminal: Terminal,
  type: SuppressionRuleType,
  values: ReadonlyArray<string>,
): Promise<void> => {
  if (type !== "domain") return
  const [{ normalizeRule }, { freeMailWarning, isFreeMailRule }] = await Promise.all([
    import("@footfall/normal-form"),
    import("@footfall/normal-form/reading"),
  ])
  const domains = values
    .map((value) => normalizeRule({ type, value }))
    .filter((rule) => typeof rule !== "string")
    .filter(isFreeMailRule)
  const warning = freeMailWarning(domains.map(({ value }) => value))
  if (warning !== null) warnOn(terminal)(warning)
}

const addedText = (write: SuppressionWrite, reasonText: (reason: string) => string): string => {
  const { added, duplicates, rejected, rejectedCount, total } = write
  return lines(
    `${added} added${duplicates === 0 ? "" : `, ${duplicates} already exist`}. ` +
      `${total} ${total === 1 ? "rule" : "rules"} in total.`,
    added === 0 ? null : `${added === 1 ? "It takes" : "They take"} effect in the next sync cycle.`,
    ...rejected.map(({ value, reason, message }) =>
      plainText(`Rejected: ${value ?? ""} (${message ?? reasonText(reason)})`),
    ),
    rejectedCount > rejected.length ? `${rejectedCount} were rejected in total.` : null,
  )
}
