// `footfall companies`: the companies your visitors come from.

import type {
  Company,
  CompanyQueryMeta,
  RecordOwner,
  Score,
  SuppressedFilter,
  Timeframe,
} from "@footfall/sdk"
import { type Command, Option } from "commander"
import { define } from "../command/define.ts"
import { pixelId, segmentId } from "../command/ids.ts"
import { addListOptions, type ListOptions } from "../command/list-options.ts"
import { wholeNumber } from "../command/values.ts"
import { listForm } from "../output/print-list.ts"
import { view } from "../output/print-result.ts"
import { explainedText, scoreText } from "../score/explained.ts"
import { ownerOption, recordCommands } from "../teamwork/record-commands.ts"
import { researchedText } from "../topics/researched.ts"
import { withListIds } from "../segments/rule-lists.ts"
import { addRuleOptions, requiredRule, type RuleOptions, withNodeShown } from "../segments/rule.ts"
import { addDayOptions, type DayOptions, dayParams } from "../overview/days.ts"
import { timeAgo } from "../ui/text.ts"
import {
  addPeriodOptions,
  type PeriodOptions,
  periodParams,
  sortOption,
  suppressedOption,
  timeframes,
} from "../visitors/selection.ts"
import {
  addSessionArgument,
  eventListForm,
  EVENTS_PAGE_MAX,
  sessionNamed,
} from "../visitors/session.ts"

interface ListCompaniesOptions extends ListOptions, PeriodOptions {
  readonly pixel?: string
  readonly domain?: string
  readonly search?: string
  readonly minSessions?: number
  readonly anonymous?: true
  readonly owner?: string
  readonly tag?: string
  readonly suppressed: SuppressedFilter
  readonly sort?: "last_seen" | "score"
}

interface QueryCompaniesOptions extends ListOptions, RuleOptions {
  readonly segment?: string
  readonly from?: string
  readonly to?: string
  readonly pixel?: string
  readonly suppressed: SuppressedFilter
}

interface GetOptions extends PeriodOptions {
  readonly pixel?: string
}

interface ActivityOptions extends DayOptions {
  readonly pixel?: string
}

/** Companies per page, the API's maximum. */
const PAGE_SIZE_MAX = 100
const SESSIONS_MAX = 1_000_000

/** Every field of spec 13.1.4, in order. A test compares them with the SDK's type. */
export const companyColumns = [
  "domain",
  "name",
  "industry",
  "employeeCount",
  "totalRevenue",
  "linkedinUrl",
  "city",
  "state",
  "country",
  "firstSeenAt",
  "lastSeenAt",
  "sessions",
  "anonymousSessions",
  "pageviews",
  "pricingPageViews",
  "demoPageViews",
  "peopleCount",
  "suppressedPeopleCount",
  "landingPage",
  "referrerDomain",
  "utmSource",
  "utmMedium",
  "utmCampaign",
  "suppressed",
  "score.total",
  "score.fit",
  "score.interest",
  "score.hot",
  "score.top.code",
  "owner.id",
  "owner.name",
  "owner.email",
  "tags",
] as const satisfies ReadonlyArray<
  keyof Company | `score.${keyof Score}` | "score.top.code" | `owner.${keyof RecordOwner}`
>

export const companyCommands = [
  define<ListCompaniesOptions>("list", {
    description: "list companies, newest activity first",
    takes: (command) =>
      addListOptions(
        windowOptions(command, "7d")
          .option("--domain <name>", "only visits to this domain")
          .option("--search <text>", "part of the company's name or domain")
          .addOption(
            new Option(
              "--min-sessions <count>",
              "only companies with at least this many sessions",
            ).argParser(wholeNumber(SESSIONS_MAX)),
          )
          .option("--anonymous", "only companies where no one is identified")
          .addOption(ownerOption())
          .option("--tag <tag>", "only companies with this tag")
          .addOption(suppressedOption("companies, and with sessions of suppressed people"))
          .addOption(sortOption()),
        "companies",
      ),
    fields: "domain,name,sessions",
    examples: [
      "footfall companies list",
      "footfall companies list --timeframe 30d --anonymous --min-sessions 3",
      "footfall companies list --sort score --fields domain,score.total,score.hot",
      "footfall companies list --all --output csv > companies.csv",
    ],
    run: async ({ connect, options, printList }) => {
      const client = await connect()
      const { anonymous, domain, minSessions, owner, pixel, search, sort, suppressed, tag } =
        options
      const list = client.companies.list({
        ...periodParams(options),
        q: search,
        minSessions,
        anonymous,
        ownerId: owner,
        tag,
        suppressed,
        sort,
        ...(pixel === undefined ? { domain } : { pixelId: pixel }),
        limit: options.all ? PAGE_SIZE_MAX : undefined,
      })
      await printList(list, companyList(sort))
    },
  }),

  define<QueryCompaniesOptions>("query", {
    description:
      "List the companies that match a rule or a segment of companies, newest activity first, also those where no one is identified.\n" +
      "For fields and operators see: footfall visitors fields.",
    summary: "list the companies that match a rule or a segment",
    takes: (command) =>
      addListOptions(
        addRuleOptions(command)
          .addOption(
            new Option("--segment <segment>", "a segment of companies instead of a rule")
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
          .addOption(suppressedOption("companies, and with sessions of suppressed people")),
        "companies",
      ),
    fields: "domain,name,sessions",
    examples: [
      "footfall companies query --where 'behavior.path_views of /pricing gte 2'",
      "footfall companies query --where 'company.employee_count gte 200' " +
        "--where 'company.list not_in_list Customers' --window 7d",
      "footfall companies query --segment 'Hot accounts'",
    ],
    run: async ({ connect, options, printList, terminal }) => {
      const { from, pixel, segment, suppressed, to, window, ...given } = options
      const rule = segment === undefined ? await requiredRule(terminal, given) : null
      const client = await connect()
      const ruleAst = rule === null ? null : await withListIds(client, rule)
      const list = client.companies.query({
        ...(ruleAst === null ? { segmentId: segment ?? "" } : { ruleAst }),
        window,
        from,
        to,
        pixelId: pixel,
        suppressed,
        limit: options.all ? PAGE_SIZE_MAX : undefined,
      })
      await withNodeShown(ruleAst, () => printList(list, matchingCompanies))
    },
  }),

  define<GetOptions, [domain: string]>("get", {
    description: "show one company with its sessions and people",
    takes: (command) =>
      windowOptions(
        command.argument("<domain>", "the company's domain, for example acme.com"),
        "all",
      ),
    fields: "name,industry,sessions",
    examples: [
      "footfall companies get northwind-robotics.example",
      "footfall companies get northwind-robotics.example --timeframe 30d --json",
    ],
    run: async ({ connect, options, print, terminal }, domain) => {
      const client = await connect()
      const company = await client.companies.get(domain, {
        ...periodParams(options),
        pixelId: options.pixel,
      })
      await print(
        company,
        view(async () => (await import("./views.tsx")).CompanyView, { company, now: terminal.now }),
      )
    },
  }),

  define<ActivityOptions, [domain: string]>("activity", {
    description: "show who of a company read how many pages on which day",
    takes: (command) =>
      addDayOptions(
        command.argument("<domain>", "the company's domain, for example acme.com"),
      ).addOption(new Option("--pixel <pixel>", "only this pixel").argParser(pixelId)),
    fields: "people,anonymous",
    examples: [
      "footfall companies activity northwind-robotics.example",
      "footfall companies activity northwind-robotics.example --timeframe 90d --json",
    ],
    run: async ({ connect, options, print }, domain) => {
      const client = await connect()
      const activity = await client.companies.activity(domain, {
        ...dayParams(options),
        pixelId: options.pixel,
      })
      await print(
        activity,
        view(async () => (await import("./views.tsx")).ActivityView, { activity }),
      )
    },
  }),

  define<object, [domain: string]>("score", {
    description: "show how right and how interested a company is, and why",
    takes: (command) => command.argument("<domain>", "the company's domain, for example acme.com"),
    fields: "total,hot",
    examples: ["footfall companies score northwind-robotics.example"],
    credential: "either",
    run: async ({ connect, print, terminal }, domain) => {
      const client = await connect()
      const score = await client.companies.score(domain)
      await print(score, explainedText(score, terminal.now))
    },
  }),

  define<object, [domain: string]>("topics", {
    description: "show which topics the people of a company research, and how that has changed",
    takes: (command) => command.argument("<domain>", "the company's domain, for example acme.com"),
    fields: "dataDate,topics",
    examples: ["footfall companies topics northwind-robotics.example"],
    credential: "either",
    run: async ({ connect, print }, domain) => {
      const client = await connect()
      const topics = await client.companies.topics(domain)
      await print(topics, researchedText(topics))
    },
  }),

  ...recordCommands({
    noun: "companies",
    one: "company",
    argument: ["<domain>", "the company's domain, for example acme.com"],
    example: "northwind-robotics.example",
    named: (domain) => Promise.resolve({ id: domain, name: domain }),
    calls: ({ companies }) => ({
      update: (domain, change) => companies.update(domain, change),
      notes: companies.notes,
    }),
  }),

  define<ListOptions, [domain: string, session: string]>("session", {
    description: "show what was read in one session of a company: pages, times and custom events",
    takes: (command) =>
      addSessionArgument(
        command.argument("<domain>", "the company's domain, for example acme.com"),
      ),
    fields: "at,path,secondsVisible",
    examples: [
      "footfall companies session northwind-robotics.example",
      "footfall companies session northwind-robotics.example 44b6a991 --json",
    ],
    run: async ({ connect, options, printList }, domain, session) => {
      const client = await connect()
      const sessionId = await sessionNamed(session, async function* () {
        const { journey } = await client.companies.get(domain, { timeframe: "all" })
        yield* journey.sessions
      })
      const limit = options.all ? EVENTS_PAGE_MAX : undefined
      await printList(client.companies.sessions.events(domain, sessionId, { limit }), eventListForm)
    },
  }),
]

const windowOptions = (command: Command, timeframeDefault: Timeframe): Command =>
  addPeriodOptions(command, timeframeDefault).addOption(
    new Option("--pixel <pixel>", "only this pixel").argParser(pixelId).conflicts("domain"),
  )

const companyForm = (
  empty: { readonly message: string; readonly next: string },
  sort: ListCompaniesOptions["sort"] = "last_seen",
) =>
  listForm<Company, CompanyQueryMeta>({
    csvColumns: companyColumns,
    nouns: ["company", "companies"],
    empty,
    isDim: ({ suppressed }) => suppressed,
    columns: ({ now }) => [
      { title: "Company", cell: ({ domain, name }) => name ?? domain, widthMin: 12, widthKept: 20 },
      { title: "Domain", cell: ({ domain }) => domain, widthMin: 12, widthKept: 20 },
      ...(sort === "score"
        ? [{ title: "Score", cell: ({ score }: Company) => scoreText(score) ?? "" }]
        : []),
      {
        title: "Industry",
        cell: ({ industry }) => industry ?? "",
        widthMin: 8,
        widthKept: 12,
        dropRank: 1,
      },
      { title: "Sessions", cell: ({ sessions }) => `${sessions}`, align: "right" },
      {
        title: "Anonymous",
        cell: ({ anonymousSessions }) => `${anonymousSessions}`,
        align: "right",
        dropRank: 2,
      },
      { title: "People", cell: ({ peopleCount }) => `${peopleCount}`, align: "right", dropRank: 3 },
      { title: "Interest", cell: interestCell, color: "cyan", widthMin: 8, widthKept: 12 },
      { title: "Last seen", cell: ({ lastSeenAt }) => timeAgo(lastSeenAt, now), align: "right" },
    ],
  })

const companyList = (sort: ListCompaniesOptions["sort"]) =>
  companyForm(
    {
      message: "There are no companies in this period.",
      next: "Try --timeframe all. For anonymous visits, the server needs IP_COMPANY_FILE. To find out what is missing: footfall doctor",
    },
    sort,
  )

export const matchingCompanies = companyForm({
  message: "No company matches the rule.",
  next: "Try a longer --window, or fewer conditions.",
})

/** Whether the company is suppressed, and what the visits were about. */
const interestCell = ({ demoPageViews, pricingPageViews, suppressed }: Company): string =>
  [suppressed && "suppressed", pricingPageViews > 0 && "pricing", demoPageViews > 0 && "demo"]
    .filter((word) => word !== false)
    .join(" ")
