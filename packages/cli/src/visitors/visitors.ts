// `footfall visitors`: the people identified on your sites.

import type {
  Footfall,
  Qualification,
  SessionListMeta,
  SessionSummary,
  Visitor,
  VisitorListMeta,
  VisitorQueryMeta,
} from "@footfall/sdk"
import { InvalidArgumentError, Option } from "commander"
import { extname } from "node:path"
import { define } from "../command/define.ts"
import { pixelId, segmentId } from "../command/ids.ts"
import { addListOptions, type ListOptions } from "../command/list-options.ts"
import { wholeNumber } from "../command/values.ts"
import { extra, ifAvailable } from "../connection/extra.ts"
import { usageError } from "../errors/cli-error.ts"
import type { ExportFormat } from "../export/export-file.ts"
import type { ExportMode } from "../export/run-export.ts"
import { type OutputOptions } from "../output/output-format.ts"
import type { ListPage } from "../output/limited-pages.ts"
import type { ListForm } from "../output/print-list.ts"
import { factsText, view } from "../output/print-result.ts"
import { addRuleOptions, givenRule, type RuleOptions, withNodeShown } from "../segments/rule.ts"
import { withListIds } from "../segments/rule-lists.ts"
import { explainedText } from "../score/explained.ts"
import { ownerOption, recordCommands } from "../teamwork/record-commands.ts"
import { researchedText } from "../topics/researched.ts"
import { requireConsent } from "../terminal/consent.ts"
import { lines, type Terminal } from "../terminal/terminal.ts"
import { visitorColumns } from "./columns.ts"
import { addSessionArgument, eventListForm, EVENTS_PAGE_MAX, sessionNamed } from "./session.ts"
import {
  addPeriodOptions,
  addSelectionOptions,
  type PeriodOptions,
  periodParams,
  type SelectionOptions,
  selectionParams,
  sortOption,
  suppressedOption,
  timeframes,
  visitorNamed,
  windowInWords,
} from "./selection.ts"

/** The API accepts any page; a higher number is a typo. */
const PAGE_MAX = 1_000_000

interface EraseOptions {
  readonly suppress?: true
  readonly yes?: true
}

interface ExportOptions extends SelectionOptions {
  readonly format?: ExportFormat
  readonly resume?: true
  readonly restart?: true
  readonly overwrite?: true
}

interface ListVisitorsOptions extends SelectionOptions, ListOptions {
  readonly sort?: "last_seen" | "score"
  readonly search?: string
  readonly owner?: string
  readonly tag?: string
  readonly page?: number
}

interface QueryOptions extends RuleOptions, ListOptions {
  readonly segment?: string
  readonly from?: string
  readonly to?: string
  readonly pixel?: string
  readonly suppressed: SelectionOptions["suppressed"]
  readonly sort?: "last_seen" | "score"
  readonly page?: number
}

/** Visitors per page if all are requested, the API's maximum. */
const PAGE_SIZE_MAX = 100

interface SessionsOptions extends ListOptions, PeriodOptions {
  readonly pixel?: string
}

/** Every field of spec 2.2, in its order. A test compares them with the SDK's type. */
const sessionColumns = [
  "sessionId",
  "startTime",
  "endTime",
  "durationSeconds",
  "pageviews",
  "uniquePages",
  "pricingPageViews",
  "demoPageViews",
  "entryPage",
  "exitPage",
  "channel",
  "utmSource",
  "utmMedium",
  "utmCampaign",
  "clickIdTypes",
  "pixelId",
  "deviceType",
  "country",
  "isFirstSession",
  "isBounce",
  "converted",
] as const satisfies ReadonlyArray<keyof SessionSummary>

export const visitorCommands = [
  define<ListVisitorsOptions>("list", {
    description: "list visitors, newest activity first",
    takes: (command) =>
      addListOptions(
        addSelectionOptions(command, "7d")
          .option("--search <text>", "part of the name or of an email address")
          .addOption(ownerOption())
          .option("--tag <tag>", "only those with this tag")
          .addOption(sortOption())
          .addOption(pageOption()),
        "visitors",
      ),
    fields: "email,companyName,emailHashes.md5",
    examples: [
      "footfall visitors list",
      "footfall visitors list --timeframe 30d --domain example.com --suppressed include",
      "footfall visitors list --timeframe all --search nakamura",
      "footfall visitors list --sort score --fields fullName,companyName,score.total",
      "footfall visitors list --limit 10 --json | jq '.data[].email'",
      "footfall visitors list --all --output csv > visitors.csv",
      "footfall visitors list --all --output ndjson | jq -c 'select(.pricingPageViews > 0)'",
    ],
    run: async ({ connect, options, printList, terminal }) => {
      const client = await connect()
      const list = client.visitors.list({
        ...selectionParams(options),
        q: options.search,
        ownerId: options.owner,
        tag: options.tag,
        sort: options.sort,
        page: options.page,
      })
      const form = visitorListForm(terminal, windowInWords(options), options.sort)
      await printList(list, form)
    },
  }),

  define<SelectionOptions, [email: string]>("get", {
    description: "show one visitor with their sessions",
    takes: (command) =>
      addSelectionOptions(
        command.argument("<email>", "any email address of the visitor", emailAddress),
        "all",
        "include",
      ),
    fields: "email,companyName,journey",
    examples: [
      "footfall visitors get nadia.osei@northwind-robotics.example",
      "footfall visitors get nadia.osei@northwind-robotics.example --timeframe 7d --json",
    ],
    run: async ({ connect, options, print, terminal }, email) => {
      const client = await connect()
      const visitor = await client.visitors.get({ email, ...selectionParams(options) })

      await print(
        visitor,
        view(async () => (await import("./views.tsx")).VisitorView, { visitor, now: terminal.now }),
      )
    },
  }),

  define<QueryOptions>("query", {
    description:
      "List the visitors who match a rule or a saved segment, newest activity first.\n" +
      "For fields and operators see: footfall visitors fields. Uses no credits.",
    summary: "list the visitors who match a rule or a segment",
    takes: (command) =>
      addListOptions(
        addRuleOptions(command)
          .addOption(
            new Option("--segment <segment>", "a segment of people instead of a rule")
              .argParser(segmentId)
              .conflicts(["rule", "where", "any"]),
          )
          .addOption(
            new Option(
              "--window <window>",
              "how far back to look, instead of the window of the rule",
            ).choices(timeframes),
          )
          .addOption(
            new Option("--from <day>", "first day to look at, for example 2026-03-01").conflicts(
              "window",
            ),
          )
          .option("--to <day>", "last day to look at; without it, today")
          .addOption(new Option("--pixel <pixel>", "only this pixel").argParser(pixelId))
          .addOption(suppressedOption("visitors"))
          .addOption(sortOption())
          .addOption(pageOption()),
        "visitors",
      ),
    fields: "email,companyName",
    examples: [
      "footfall visitors query --where 'behavior.pricing_page_views gte 1'",
      "footfall visitors query --any --where 'company.seniority eq vp' " +
        "--where 'company.job_title contains director' --window 7d",
      "footfall visitors query --rule rule.json --all --output csv > leads.csv",
      "footfall visitors query --segment 3f0c8a52-… --json",
    ],
    run: async ({ connect, options, printList, terminal }) => {
      const given = await givenQualification(terminal, options)
      const client = await connect()
      const qualification: Qualification =
        given.ruleAst === undefined ? given : { ruleAst: await withListIds(client, given.ruleAst) }
      const list = client.visitors.query({
        ...qualification,
        window: options.window,
        from: options.from,
        to: options.to,
        pixelId: options.pixel,
        suppressed: options.suppressed,
        sort: options.sort,
        page: options.page,
        // With a different page size, the `--page` that the table suggests would start elsewhere.
        limit: options.all ? PAGE_SIZE_MAX : undefined,
      })
      const form = visitorListForm(terminal, windowText(options, qualification), options.sort)
      const withMeanings = { pages: () => meantPages(client, list.pages(), qualification) }
      await withNodeShown(qualification.ruleAst ?? null, () => printList(withMeanings, form))
    },
  }),

  define<OutputOptions>("fields", {
    description: "list the fields of --where with their types and operators",
    fields: "field,type",
    examples: ["footfall visitors fields", "footfall visitors fields --output csv | grep ^company"],
    run: async ({ printRows }) => {
      const { operatorsOf, ruleFields } = await import("../segments/rule.ts")
      const data = ruleFields.map((one) => ({ ...one, operators: operatorsOf(one.type) }))
      await printRows({
        data,
        rows: data,
        csvColumns: ["field", "type", "operators"],
        drawn: view(async () => (await import("./views.tsx")).RuleFieldsView, {}),
      })
    },
  }),

  define<SessionsOptions, [person: string]>("sessions", {
    description: "list the sessions of one visitor, newest first",
    takes: (command) =>
      addListOptions(
        addPeriodOptions(
          command.argument("<email>", "one of their email addresses, or its hash"),
          "30d",
        ).addOption(new Option("--pixel <pixel>", "only this pixel").argParser(pixelId)),
        "sessions",
      ),
    fields: "startTime,pageviews",
    examples: [
      "footfall visitors sessions nadia.osei@northwind-robotics.example",
      "footfall visitors sessions nadia.osei@northwind-robotics.example --timeframe all --all",
      "footfall visitors sessions 930ddda8… --json | jq '.data[].entryPage'",
    ],
    run: async ({ connect, options, printList }, person) => {
      const { id } = await visitorNamed(person)
      const client = await connect()
      const list = client.visitors.sessions(id, {
        ...periodParams(options),
        pixelId: options.pixel,
      })
      const form = sessionListForm(windowInWords(options))
      await printList(list, form)
    },
  }),

  define<ListOptions, [person: string, session: string]>("session", {
    description: "show what a visitor read in one session: pages, times and custom events",
    takes: (command) =>
      addSessionArgument(command.argument("<email>", "one of their email addresses, or its hash")),
    fields: "at,path,secondsVisible",
    examples: [
      "footfall visitors session nadia.osei@northwind-robotics.example",
      "footfall visitors session nadia.osei@northwind-robotics.example 44b6a991",
      "footfall visitors session 930ddda8… latest --json | jq '.data[].path'",
    ],
    run: async ({ connect, options, printList }, person, session) => {
      const { id } = await visitorNamed(person)
      const client = await connect()
      const sessionId = await sessionNamed(session, () =>
        client.visitors.sessions(id, {
          timeframe: "all",
          ...(session === "latest" ? { limit: 1 } : {}),
        }),
      )
      const limit = options.all ? EVENTS_PAGE_MAX : undefined
      await printList(client.visitors.sessions.events(id, sessionId, { limit }), eventListForm)
    },
  }),

  define<object, [person: string]>("score", {
    description: "show how right and how interested a visitor is, and why",
    takes: (command) => command.argument("<email>", "one of their email addresses, or its hash"),
    fields: "total,hot",
    examples: ["footfall visitors score nadia.osei@northwind-robotics.example"],
    credential: "either",
    run: async ({ connect, print, terminal }, person) => {
      const { id } = await visitorNamed(person)
      const client = await connect()
      const score = await client.visitors.score(id)
      await print(score, explainedText(score, terminal.now))
    },
  }),

  define<object, [person: string]>("topics", {
    description: "show which topics a visitor researches, and how that has changed",
    takes: (command) => command.argument("<email>", "one of their email addresses, or its hash"),
    fields: "dataDate,topics",
    examples: ["footfall visitors topics nadia.osei@northwind-robotics.example"],
    credential: "either",
    run: async ({ connect, print }, person) => {
      const { id } = await visitorNamed(person)
      const client = await connect()
      const topics = await client.visitors.topics(id)
      await print(topics, researchedText(topics))
    },
  }),

  ...recordCommands({
    noun: "visitors",
    one: "visitor",
    argument: ["<email>", "one of their email addresses, or its hash"],
    example: "nadia.osei@northwind-robotics.example",
    named: visitorNamed,
    calls: ({ visitors }) => ({
      update: (id, change) => visitors.update(id, change),
      notes: visitors.notes,
    }),
  }),

  define<object, [person: string]>("origins", {
    description: "show the source of each email address and profile value of a visitor",
    takes: (command) => command.argument("<email>", "one of their email addresses, or its hash"),
    fields: "values",
    examples: ["footfall visitors origins nadia.osei@northwind-robotics.example"],
    run: async ({ connect, print }, person) => {
      const { id } = await visitorNamed(person)
      const client = await connect()
      const found = await client.visitors.origins(id)
      await print(
        found,
        factsText([
          ...found.addresses.map(
            ({ email, emailHash, origin, way }) =>
              [email ?? emailHash, way === null ? origin : `${origin} (${way})`] as const,
          ),
          ...found.values.map(({ field, origin }) => [field, origin] as const),
        ]),
      )
    },
  }),

  define<ExportOptions, [file: string]>("export", {
    description:
      "Write every visitor in a timeframe to a file as CSV or NDJSON. The file appears when it is\n" +
      "complete; until then the rows are in a partial file next to it, and --resume continues an\n" +
      "interrupted export. Progress is shown on standard error.",
    summary: "write every visitor to a file",
    takes: (command) =>
      addSelectionOptions(
        command.argument("<file>", "file to write, or `-` for standard output"),
        "all",
      )
        .addOption(
          new Option(
            "--format <format>",
            "format of the rows (default: from the file name)",
          ).choices(["csv", "ndjson"]),
        )
        .addOption(new Option("--resume", "continue an export that stopped").conflicts("restart"))
        .option("--restart", "discard an export that stopped, and start over")
        .option("--overwrite", "replace the file if it exists"),
    examples: [
      "footfall visitors export visitors.csv",
      "footfall visitors export visitors.csv --resume",
      "footfall visitors export everyone.ndjson --timeframe 30d --suppressed include",
      "footfall visitors export - --format csv | gzip > visitors.csv.gz",
    ],
    run: async ({ connect, options, print, terminal }, file) => {
      const client = await connect()
      const question = selectionParams(options)
      const format = options.format ?? formatByName(file)
      if (file === "-") {
        const { exportToStdout } = await import("../export/export-pages.ts")
        return exportToStdout(terminal, client, { question, format })
      }
      const { runExport } = await import("../export/run-export.ts")
      const { counted, sizeText } = await import("../ui/text.ts")
      const { journal, rowsBefore } = await runExport(terminal, client, {
        file,
        mode: modeOf(options),
        isOverwriting: options.overwrite === true || options.restart === true,
        question,
        format,
      })
      const { rows, bytes } = journal
      const data = { file, format, rows, bytes, rowsResumedFrom: rowsBefore }
      await print(data, () => lines(`${counted(rows, "visitor")} in ${file} (${sizeText(bytes)}).`))
    },
  }),

  define<{ readonly file?: string }, [person: string]>("archive", {
    description: "download everything kept about a person, as a ZIP file",
    takes: (command) =>
      command
        .argument("<email>", "one of their email addresses, or its hash")
        .option(
          "--file <file>",
          "where to write it (default: the beginning of the hash, and .zip)",
        ),
    examples: [
      "footfall visitors archive nadia.osei@northwind-robotics.example",
      "footfall visitors archive nadia.osei@northwind-robotics.example --file nadia.zip",
    ],
    credential: "accessToken",
    run: async ({ connect, options, print }, person) => {
      const { id, name } = await visitorNamed(person)
      const client = await connect()
      const file = options.file ?? `${id.slice(0, 8)}.zip`

      const bytes = await (await client.visitors.archive(id)).toFile(file)

      const { sizeText } = await import("../ui/text.ts")
      await print({ visitorId: id, file, bytes }, () =>
        lines(`Everything kept about ${name} is in ${file} (${sizeText(bytes)}).`),
      )
    },
  }),

  define<EraseOptions, [person: string]>("erase", {
    description:
      "Permanently delete a person: profile, addresses, sessions and events. A new visit does not\n" +
      "bring them back. The server keeps only a keyed hash of each address.",
    summary: "permanently delete a person",
    takes: (command) =>
      command
        .argument("<email>", "one of their email addresses, or its hash")
        .option("--suppress", "also add every known email address to the suppression list")
        .option("-y, --yes", "do not ask for confirmation"),
    examples: [
      "footfall visitors erase nadia.osei@northwind-robotics.example",
      "footfall visitors erase nadia.osei@northwind-robotics.example --suppress --yes",
    ],
    run: async ({ connect, options, print, terminal }, person) => {
      const { id, name } = await visitorNamed(person)
      const suppress = options.suppress === true
      const client = await connect()
      await requireConsent(terminal, {
        what: `${name} will be permanently erased${suppress ? " and suppressed" : ""}.`,
        phrase: name,
        isConfirmed: options.yes === true,
      })

      const erased = await client.visitors.erase(id, { suppress })

      const data = { visitorId: id, suppress, ...erased }
      await print(data, () =>
        lines(`Erased ${name}${suppress ? " and suppressed their addresses" : ""}.`),
      )
    },
  }),
]

/** The pages. A page without matches also has suggestions for the rule's values. */
async function* meantPages<Row, Meta extends VisitorQueryMeta>(
  client: Footfall,
  pages: AsyncIterable<ListPage<Row, Meta>>,
  { ruleAst, segmentId }: Qualification,
): AsyncGenerator<ListPage<Row, Meta & { readonly meanings?: ReadonlyArray<string> }>> {
  for await (const page of pages) {
    if (page.meta.total !== 0) yield page
    else {
      const { meaningsOfRule } = await import("../audiences/other-meaning.ts")
      const rule = ruleAst ?? (await ifAvailable(client.segments.get(segmentId, extra)))?.ruleAst
      const meanings = rule === undefined ? [] : await meaningsOfRule(client, rule)
      yield meanings.length === 0 ? page : { ...page, meta: { ...page.meta, meanings } }
    }
  }
}

/** `window` is in words, to follow `12 visitors`. */
const visitorListForm = <Meta extends VisitorListMeta | VisitorQueryMeta>(
  terminal: Terminal,
  window: string,
  sort: "last_seen" | "score" = "last_seen",
): ListForm<Visitor, Meta> => ({
  csvColumns: visitorColumns,
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { VisitorTable }] = await Promise.all([
      import("../ui/drawn.ts"),
      import("./views.tsx"),
    ])
    const props = { visitors: data, meta, window, sort, now: terminal.now, screenColumns: columns }
    return drawn(VisitorTable, props, columns)
  },
})

/** `--page`, for lists of visitors. */
const pageOption = (): Option =>
  new Option("--page <number>", "page to start from, with 50 visitors per page")
    .argParser(wholeNumber(PAGE_MAX))
    .conflicts("all")

const modeOf = ({ resume, restart }: ExportOptions): ExportMode => {
  if (restart) return "restart"
  return resume ? "resume" : "new"
}

/** CSV for spreadsheets; programs read lines. */
const formatByName = (file: string): ExportFormat =>
  [".ndjson", ".jsonl"].includes(extname(file)) || file === "-" ? "ndjson" : "csv"

const emailAddress = (text: string): string => {
  const email = text.trim()
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email
  throw new InvalidArgumentError("Expected an email address.")
}

const givenQualification = async (
  terminal: Terminal,
  options: QueryOptions,
): Promise<Qualification> => {
  if (options.segment !== undefined) return { segmentId: options.segment }
  // The window is reported next to the rule, not in it.
  const { window: _asked, ...rule } = options
  const ruleAst = await givenRule(terminal, rule)
  if (ruleAst !== null) return { ruleAst }
  throw usageError(
    "No rule given. Add a rule or a segment.",
    "For example: footfall visitors query --where 'behavior.pageviews gte 3'",
  )
}

/** A segment's window is unknown here. A rule's own window is 30 days by default. */
const windowText = (
  { from, to, window }: Pick<QueryOptions, "from" | "to" | "window">,
  { ruleAst, segmentId }: Qualification,
): string => {
  if (segmentId !== undefined && from === undefined && window === undefined) {
    return "match the segment"
  }
  const timeframe = window ?? ruleAst?.window ?? "30d"
  return `match ${windowInWords({ timeframe, ...(from && { from }), ...(to && { to }) })}`
}

const sessionListForm = (window: string): ListForm<SessionSummary, SessionListMeta> => ({
  csvColumns: sessionColumns,
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { SessionList }] = await Promise.all([
      import("../ui/drawn.ts"),
      import("./views.tsx"),
    ])
    return drawn(SessionList, { sessions: data, hasMore: meta.hasMore, window }, columns)
  },
})
