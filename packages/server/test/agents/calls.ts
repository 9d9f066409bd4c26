// One call of every tool, with an organization's own data.
import type { TestServer } from "../support/server.ts"
import type { Tenant } from "../isolation/world.ts"

type Given = Readonly<Record<string, unknown>>

const rule = { version: 1, rule: { field: "behavior.sessions", op: "gte", value: 1 } }
const config = { topicIds: [1], minScore: 70 }

/** The arguments of each tool. Tools that change something come last. */
export const callsOf = async (
  { url }: Pick<TestServer, "url">,
  tenant: Tenant,
): Promise<ReadonlyArray<readonly [string, Given]>> => {
  const { email, visitorId } = await tenant.visitor(2)
  const company = await tenant.company()
  const segmentId = await tenant.segment()
  const listId = await tenant.list()
  const sourceId = await tenant.suppressionSource(listId)
  const { inboundId } = await tenant.inbound()
  const active = await tenant.activeAudience()
  const { id, runId } = await tenant.completedRun(3)
  return [
    ["search_topics", { q: "Freight" }],
    ["list_topics", {}],
    ["get_topic_trend", { topicId: 1 }],
    ["compare_topics", { topicIds: [1] }],
    ["list_topic_movers", {}],
    ["analyze_site", { url: `${url}/opt-out` }],
    ["list_audience_filters", { include: "counts" }],
    ["preview_audience", config],
    ["list_audiences", {}],
    ["get_audience", { id: active }],
    ["list_runs", { id }],
    ["get_run", { id, runId }],
    ["get_run_statistics", { id, runId }],
    ["list_visitors", {}],
    ["list_visitors", { fields: ["email", "jobTitle"] }],
    ["get_visitor", { email }],
    ["query_visitors", { ruleAst: rule }],
    ["list_visitor_sessions", { visitorId }],
    ["list_visitor_session_events", await tenant.session()],
    ["list_companies", {}],
    [
      "query_companies",
      { ruleAst: { version: 1, rule: { field: "company.sessions", op: "gte", value: 1 } } },
    ],
    ["query_companies", { segmentId: await tenant.segment("Accounts", "companies") }],
    ["get_company", { domain: company }],
    ["list_company_session_events", await tenant.companySession()],
    ["get_score_settings", {}],
    ["get_visitor_score", { visitorId: (await tenant.scoredVisitor()).visitorId }],
    ["list_visitor_notes", { visitorId: (await tenant.visitorNote()).visitorId }],
    ["list_company_notes", { domain: (await tenant.companyNote()).domain }],
    ["list_tags", { subject: "people" }],
    ["get_visitor_topics", { visitorId }],
    ["get_company_topics", { domain: company }],
    ["get_company_score", { domain: await tenant.scoredCompany() }],
    ["get_company_activity", { domain: company }],
    ["get_overview", {}],
    ["get_breakdown", { by: "page" }],
    ["list_segments", {}],
    ["get_segment", { segmentId }],
    ["list_lists", {}],
    ["get_list", { listId }],
    ["list_list_values", { listId, q: "a" }],
    ["preview_segment", { ruleAst: rule }],
    ["preview_segment", { ruleAst: rule, subject: "companies" }],
    ["preview_suppression", { rules: [{ type: "domain", value: "example.com" }] }],
    ["explain_suppression", { visitorId }],
    ["explain_suppression", { email }],
    ["list_suppression_sources", {}],
    ["get_suppression_source", { sourceId }],
    ["list_inbound", {}],
    ["get_inbound", { inboundId }],
    ["get_inbound_history", { inboundId }],
    ["get_account", {}],
    ["run_doctor", {}],
    ["create_audience", { name: "Made by an agent", config }],
    ["start_run", { id: active }],
  ]
}
