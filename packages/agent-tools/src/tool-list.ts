// Every tool that calls one API operation. Arguments and results come from the operation. Each line here lists only
// what differs for an agent.

import type { JsonSchema } from "./operation.ts"

export interface ToolLine {
  readonly name: string
  /** Its id in the OpenAPI document. */
  readonly operation: string
  /** Replaces the operation's title. */
  readonly title?: string
  readonly description?: string
  /** It changes something, so it requires `--allow-writes` or `MCP_WRITES=on`. */
  readonly isWrite?: true
  /** The source of the texts in its results, if not the organization itself. */
  readonly wordsOf?: "visitors" | "website"
  /** The only arguments it takes. Default: all arguments of the operation. */
  readonly only?: ReadonlyArray<string>
  /** Which of `only` it requires. Default: all of them. */
  readonly required?: ReadonlyArray<string>
  /** Arguments of the operation to leave out. */
  readonly without?: ReadonlyArray<string>
  /** Additions to the schemas of arguments. */
  readonly arguments?: ReadonlyMap<string, JsonSchema>
  /** Arguments an agent can't choose. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** The API keeps its lists short, so no row is cut. */
  readonly isShort?: true
  /** Its rows are days, oldest first. The newest are kept. */
  readonly isSeries?: true
  /** Name of the response, if the operation has several and this tool returns one of them. */
  readonly answer?: string
}

export const toolList: ReadonlyArray<ToolLine> = [
  { name: "search_topics", operation: "topics.search" },
  { name: "list_topics", operation: "topics.list" },
  { name: "get_topic_trend", operation: "topicTrends.trend", isSeries: true },
  { name: "compare_topics", operation: "topicTrends.compare", isSeries: true },
  { name: "list_topic_movers", operation: "topicTrends.movers" },
  { name: "analyze_site", operation: "siteAnalysis.analyze", wordsOf: "website" },
  { name: "list_audience_filters", operation: "audienceFilters.filters" },
  { name: "preview_audience", operation: "audiencePreviews.preview", wordsOf: "visitors" },
  { name: "list_audiences", operation: "audiences.list" },
  { name: "get_audience", operation: "audiences.get", isShort: true },
  {
    name: "create_audience",
    operation: "audiences.create",
    title: "Create a draft audience",
    description: "Creates an audience as a draft. A person has to activate it.",
    isWrite: true,
    isShort: true,
    fixed: { status: "draft" },
  },
  {
    name: "start_run",
    operation: "runs.start",
    description:
      "Finds the people in an active audience and saves them as the results of a run. Call get_run until its status is completed.",
    isWrite: true,
    without: ["runType"],
  },
  { name: "list_runs", operation: "runs.list" },
  { name: "get_run", operation: "runs.get" },
  { name: "get_run_statistics", operation: "runs.stats", wordsOf: "visitors" },
  {
    name: "list_visitors",
    operation: "visitors.list",
    description:
      "Returns the people your pixels identified, most recently seen first. `q` finds people by any part of their name or of an email address. Keep the other arguments the same while you page.",
    // A page of the list is longer than a result, so a page number would skip people.
    without: ["email", "page"],
    answer: "VisitorList",
    wordsOf: "visitors",
  },
  {
    name: "get_visitor",
    operation: "visitors.list",
    title: "Get a visitor",
    description:
      "Returns one person by email address, with their journey, in a period and on one site if asked.",
    only: ["email", "timeframe", "from", "pixelId", "domain"],
    required: ["email"],
    answer: "VisitorLookUp",
    wordsOf: "visitors",
  },
  {
    name: "query_visitors",
    operation: "visitors.query",
    description:
      "Returns the visitors who match a rule. Send the rule as `ruleAst` or the id of a segment of people as `segmentId`. The resource footfall://rules describes the rule language.",
    wordsOf: "visitors",
  },
  { name: "list_visitor_sessions", operation: "sessions.list", wordsOf: "visitors" },
  {
    name: "list_visitor_session_events",
    operation: "visitorSessions.events",
    wordsOf: "visitors",
  },
  { name: "list_companies", operation: "companies.list", wordsOf: "visitors" },
  {
    name: "query_companies",
    operation: "companies.query",
    description:
      "Returns the companies that match a rule (`ruleAst`) or a segment of companies (`segmentId`), including those whose visitors are not identified. The resource footfall://rules describes the rule language.",
    wordsOf: "visitors",
  },
  { name: "get_company", operation: "companies.get", wordsOf: "visitors" },
  {
    name: "list_company_session_events",
    operation: "companySessions.events",
    wordsOf: "visitors",
  },
  { name: "get_score_settings", operation: "score.get" },
  { name: "get_visitor_score", operation: "visitorScore.get", wordsOf: "visitors" },
  { name: "list_visitor_notes", operation: "visitorNotes.list", wordsOf: "visitors" },
  { name: "list_company_notes", operation: "companyNotes.list", wordsOf: "visitors" },
  { name: "list_tags", operation: "tags.list", isShort: true },
  { name: "get_visitor_topics", operation: "visitorTopics.get", wordsOf: "visitors" },
  { name: "get_company_topics", operation: "companyTopics.get", wordsOf: "visitors" },
  { name: "get_company_score", operation: "companyScore.get", wordsOf: "visitors" },
  { name: "get_company_activity", operation: "companies.activity", wordsOf: "visitors" },
  { name: "get_overview", operation: "overview.get", isSeries: true },
  { name: "get_breakdown", operation: "overview.breakdown", wordsOf: "visitors" },
  { name: "list_segments", operation: "segments.list" },
  { name: "get_segment", operation: "segments.get" },
  { name: "list_lists", operation: "lists.list" },
  { name: "get_list", operation: "lists.get" },
  { name: "list_list_values", operation: "lists.members" },
  { name: "preview_segment", operation: "segments.preview", wordsOf: "visitors", isShort: true },
  {
    name: "preview_suppression",
    operation: "suppression.preview",
    arguments: new Map([
      [
        "rules",
        {
          items: {
            type: "object",
            properties: {
              type: { type: "string", enum: ["email", "domain", "company_domain", "industry"] },
              value: { type: "string" },
            },
            required: ["type", "value"],
          },
        },
      ],
    ]),
  },
  {
    name: "explain_suppression",
    operation: "suppression.ofVisitor",
    title: "Explain why a visitor is suppressed",
    description:
      "Returns whether a visitor is suppressed now, and the rules that match them. A new rule " +
      "matches immediately and takes effect with the next sync cycle: within a minute, unless " +
      "the server sets SYNC_CYCLE_SECONDS.",
    isShort: true,
  },
  { name: "list_suppression_sources", operation: "suppressionSources.list" },
  { name: "get_suppression_source", operation: "suppressionSources.get" },
  { name: "list_inbound", operation: "inbound.list" },
  { name: "get_inbound", operation: "inbound.get" },
  { name: "get_inbound_history", operation: "inbound.history" },
  { name: "get_account", operation: "account.status" },
]

/** Operations that the doctor also calls. */
export const doctorOperations = ["pixels.list", "pixels.verify", "topics.facets"] as const
