// The URL search parameters of each screen. Invalid ones are dropped.
import type { RuleAst, SuppressionRuleType, WebhookDeliveryStatus } from "@footfall/sdk"
import { ruleTypes } from "./suppression/words.ts"
import { draftOf, NoRule } from "./segments/draft.ts"
import type { Choice } from "./ui/field.tsx"
import type { MarkSearch } from "./teamwork/mark-filters.tsx"

/** Hottest first; undefined for the usual order. */
const readSort = (value: unknown): "score" | undefined => (value === "score" ? value : undefined)

/** The filters by owner and tag. */
const readMarks = ({ owner, tag }: Record<string, unknown>): MarkSearch => ({
  ...(typeof owner === "string" && /^(?:none|[\da-f-]{36})$/.test(owner) && { owner }),
  ...((typeof tag === "string" || typeof tag === "number") &&
    String(tag).trim() !== "" && { tag: String(tag).slice(0, 50) }),
})

/** For a list whose records open beside it. */
interface RecordSearch {
  /** The open record is a page of its own. */
  readonly wide?: true | undefined
}

const readWide = ({ wide }: Record<string, unknown>): RecordSearch =>
  wide === true ? { wide } : {}

/** For the company list. */
export interface CompaniesSearch extends MarkSearch, RecordSearch {
  /** Part of the name or the domain. */
  readonly q?: string | undefined
  /** Only companies with at least this many sessions. */
  readonly sessions?: number | undefined
  /** Only companies without an identified person. */
  readonly anonymous?: true | undefined
  /** The id of a segment of companies. Other filters and orders don't apply to it. */
  readonly segment?: string | undefined
  /** Absent: last seen first. */
  readonly sort?: "score" | undefined
}

export const readCompaniesSearch = (search: Record<string, unknown>): CompaniesSearch => {
  const { anonymous, q, segment, sessions } = search
  const sort = readSort(search["sort"])
  return {
    ...((typeof q === "string" || typeof q === "number") && q !== "" && { q: String(q) }),
    ...(typeof sessions === "number" &&
      Number.isSafeInteger(sessions) &&
      sessions > 1 && { sessions }),
    ...(anonymous === true && { anonymous }),
    ...(typeof segment === "string" && segment !== "" && { segment }),
    ...readMarks(search),
    ...readWide(search),
    ...(sort !== undefined && { sort }),
  }
}

/** For the rule list. */
interface SuppressionSearch {
  readonly type?: SuppressionRuleType | undefined
  /** Part of the value. */
  readonly q?: string | undefined
}

export const readSuppressionSearch = (search: Record<string, unknown>): SuppressionSearch => {
  const { q } = search
  const type = ruleTypes.find((known) => known === search["type"])
  return {
    ...(type !== undefined && { type }),
    ...((typeof q === "string" || typeof q === "number") && q !== "" && { q: String(q) }),
  }
}

/** For the values of a list. */
interface ListSearch {
  /** Part of the value. */
  readonly q?: string | undefined
}

export const readListSearch = ({ q }: Record<string, unknown>): ListSearch =>
  (typeof q === "string" || typeof q === "number") && q !== "" ? { q: String(q) } : {}

/** The rule in the URL. */
export interface RuleSearch {
  readonly rule?: RuleAst | undefined
  /** What a new rule selects. Default: people. */
  readonly subject?: "companies" | undefined
}

/** Drops an invalid rule. */
export const readRuleSearch = (search: Record<string, unknown>): RuleSearch => {
  const { rule } = search
  const subject = search["subject"] === "companies" ? { subject: "companies" as const } : {}
  try {
    draftOf(rule)
    // It was just parsed as a rule.
    return { ...subject, rule: rule as RuleAst }
  } catch (error) {
    if (error instanceof NoRule) return subject
    throw error
  }
}

export type TopicsView = "all" | "up" | "down" | "compare" | "lists" | "site"

/** For the topic list. */
interface TopicsSearch {
  /** All topics, those that grew or shrank most, a comparison, saved lists, or the topics of a page. Default: all. */
  readonly view?: TopicsView | undefined
  /** Part of the name. */
  readonly q?: string | undefined
  /** Ids of the compared topics, comma-separated. */
  readonly topics?: string | undefined
}

const views: ReadonlyArray<TopicsView> = ["all", "up", "down", "compare", "lists", "site"]

export const readTopicsSearch = (search: Record<string, unknown>): TopicsSearch => {
  const { q, topics } = search
  const view = views.find((known) => known === search["view"])
  return {
    ...(view !== undefined && view !== "all" && { view }),
    ...(/^\d+(,\d+)*$/.test(String(topics)) && { topics: String(topics) }),
    ...((typeof q === "string" || typeof q === "number") && q !== "" && { q: String(q) }),
  }
}

/** For a webhook. */
interface WebhookSearch {
  /** Only events with this status are in the history. */
  readonly history?: WebhookDeliveryStatus | undefined
}

export const statusChoices: ReadonlyArray<Choice<WebhookDeliveryStatus | "">> = [
  { value: "", text: "All events" },
  { value: "succeeded", text: "Succeeded" },
  { value: "failed", text: "Failed" },
  { value: "queued", text: "Queued" },
  { value: "skipped", text: "Skipped" },
]

export const readWebhookSearch = ({ history }: Record<string, unknown>): WebhookSearch => {
  const status = statusChoices.find(({ value }) => value === history)?.value
  return status === undefined || status === "" ? {} : { history: status }
}

/** For the people list. */
export interface PeopleSearch extends RuleSearch, MarkSearch, RecordSearch {
  /** Segment id; the list shows the people it matches. */
  readonly segment?: string | undefined
  /**
   * Part of a name or of an address; within a segment or a rule, part of a company name, domain or job title. A full
   * email address searches everyone.
   */
  readonly q?: string | undefined
  /** Absent: last seen first. Segments and rules have no other order. */
  readonly sort?: "score" | undefined
}

/** Whether the text is a full email address. */
export const isAddress = (text: string): boolean => /^\S+@\S+\.\S+$/.test(text)

export const readPeopleSearch = (search: Record<string, unknown>): PeopleSearch => {
  const { q, segment } = search
  const sort = readSort(search["sort"])
  const isOfOne = typeof q === "string" && isAddress(q)
  return {
    ...(!isOfOne && readRuleSearch(search)),
    ...(!isOfOne && typeof segment === "string" && segment !== "" && { segment }),
    ...((typeof q === "string" || typeof q === "number") && q !== "" && { q: String(q) }),
    ...readMarks(search),
    ...readWide(search),
    ...(sort !== undefined && { sort }),
  }
}

/** For the audit log. */
export interface AuditSearch {
  /** An action, or the resource that prefixes it. */
  readonly action?: string | undefined
  /** User id, key id, `operator` or `system`. */
  readonly actor?: string | undefined
  /** Days of this browser; the last one is included. `from` and `to` are those of the period. */
  readonly since?: string | undefined
  readonly until?: string | undefined
}

const day = /^\d{4}-\d\d-\d\d$/

export const readAuditSearch = ({
  action,
  actor,
  since,
  until,
}: Record<string, unknown>): AuditSearch => ({
  ...(typeof action === "string" && action !== "" && { action }),
  ...(typeof actor === "string" && actor !== "" && { actor }),
  ...(typeof since === "string" && day.test(since) && { since }),
  ...(typeof until === "string" && day.test(until) && { until }),
})

/** Local midnight at the start of a day, or of a later day; undefined without a day, or for one that does not exist. */
export const midnight = (text: string | undefined, daysLater = 0): string | undefined => {
  if (text === undefined) return undefined
  const [year = 0, month = 1, date = 1] = text.split("-").map(Number)
  const start = new Date(year, month - 1, date)
  // JavaScript reads February 31 as March 3, and the year 50 as 1950.
  const exists =
    start.getFullYear() === year && start.getMonth() === month - 1 && start.getDate() === date
  return exists ? new Date(year, month - 1, date + daysLater).toISOString() : undefined
}

/** What is wrong with a day in the URL; undefined if nothing is. */
export const dayError = (text: string | undefined): string | undefined =>
  text === undefined || midnight(text) !== undefined
    ? undefined
    : `${text} is not a valid date. Choose another day.`
