// Lists in requests and responses (spec 1.6): their parameters, the `meta` of a page, and the error for a bad cursor.
import { Effect, Schema } from "effect"
import type { CursorRefused } from "../lists/cursor.ts"
import { guidePage } from "../guide-page.ts"
import { refuse } from "./errors.ts"
import type { ListPage, ListPosition } from "../lists/keyed-lists.ts"
import { metaFields } from "./envelope.ts"

/** `limit` from 1 to `limitMax`, `offset` from 0, `cursor`. */
export const listParameters = (limitMax: number) => ({
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: limitMax })),
  ).annotateKey({ description: `Page size, 1 to ${limitMax}.` }),
  offset: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 })),
  ),
  cursor: Schema.optionalKey(Schema.String),
})

/** Returns where the page starts. Fails with BadRequest if both parameters are given. */
export const positionOf = (query: {
  readonly offset?: number
  readonly cursor?: string
}): Effect.Effect<ListPosition, Effect.Error<ReturnType<typeof exclusive>>> => {
  const { cursor, offset } = query
  if (cursor === undefined) return Effect.succeed({ offset: offset ?? 0 })
  return offset === undefined ? Effect.succeed({ cursor }) : exclusive("/query/offset", "cursor")
}

/** The error for two parameters that cannot be combined; `path` points at the rejected one. */
export const exclusive = (path: string, other: string) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: `The parameters ${path.slice(path.lastIndexOf("/") + 1)} and ${other} cannot be combined.`,
    details: {
      issues: [{ path, code: "mutually_exclusive", message: `Cannot be combined with ${other}.` }],
    },
  })

export const cursorRefused = ({ reason }: CursorRefused) =>
  refuse({
    code: "INVALID_CURSOR",
    message: `Invalid cursor: ${reason}.`,
    details: { reason },
  })

/** Maximum rows per page. */
export const pageSizeMax = 100
export const pageSizeDefault = 50

export const listMeta = Schema.Struct({
  limit: Schema.Int,
  offset: Schema.Int,
  total: Schema.Int,
  hasMore: Schema.Boolean,
  nextCursor: Schema.NullOr(Schema.String),
  ...metaFields,
})

/**
 * `total` is always known, because these lists are counted without a time limit. `list`: selects the hint for an empty
 * list.
 */
export const listMetaOf = <Row>(
  { hasMore, nextCursor, offset, rows, total }: ListPage<Row>,
  limit: number,
  list?: EmptyList,
) => ({
  limit,
  offset,
  total: total ?? 0,
  hasMore,
  nextCursor,
  ...(list === undefined || total !== 0 ? {} : hintIfEmpty(rows, list)),
})

// The hint for an empty list (spec 1.6.12): where its rows come from, and a command or page that adds some.
const hints = {
  visitors:
    "No one was identified in this period and scope. The pixel's identify(), forms, email links, sources and imported identity links identify people. To find out what is missing: footfall doctor",
  visitorSearch:
    "No one in this period and scope has this text in their name or in an email address. To look further back: timeframe=all",
  marked:
    "No one in this period and scope has this owner or tag. To look further back: timeframe=all",
  visitorQuery:
    "No one matches in this period. To list the fields and operators of rules: footfall visitors fields",
  companyQuery:
    "No company matches in this period. To list the fields and operators of rules: footfall visitors fields",
  sessions: "There are no sessions in this period and scope. To look further back: timeframe=all",
  companies: `No companies visited in this period and scope. Companies come from networks (IP_COMPANY_FILE), business email addresses and imports: ${guidePage("how-to/see-companies")}`,
  markedCompanies:
    "No company in this period and scope has this owner or tag. To look further back: timeframe=all",
  notes: "There are no notes yet. Add one: footfall visitors notes <email> <text>",
  tags: "There are no tags yet. Add one: footfall visitors tag <email> <tag>",
  segments: "There are no segments yet. Create one: footfall segments create <name>",
  lists: "There are no lists yet. Create one: footfall lists create <name>",
  listMembers: "No values match. Add some: footfall lists add <list> <value>",
  pixels: "There are no pixels yet. Create one: footfall pixels create <domain>",
  writeKeys: "This pixel has no write keys yet. Create one: footfall pixels write-keys create",
  sharedUserIds: "Strangers share no user id on this site.",
  suppressionRules: "No rules match. Add one: footfall suppression add <value>",
  fileImports: "No file has changed anything yet. Import one: footfall suppression import <file>",
  erasures: "No person was erased yet. To erase one: footfall visitors erase <email>",
  suppressionSources:
    "There are no suppression sources yet. Create one: footfall suppression sources create <name>",
  inbound: "There are no inbound sources yet. Create one: footfall inbound create <name>",
  webhooks: "There are no webhooks yet. Create one: footfall webhooks create <name> <url>",
  webhookDeliveries: "Nothing has been queued yet. To send a test: footfall webhooks test <id>",
  topics: `No topics match. Topics come from the starter catalog (footfall-server starter-topics) and from imports: ${guidePage("reference/topics")}`,
  topicLists: "There are no topic lists yet. Create one: footfall topic-lists create <name>",
  analyses: "There are no analyses yet. Create one: footfall topics analyze <url>",
  audiences: "There are no audiences yet. Create one: footfall audiences create <name>",
  runs: "There are no runs yet. Start one: footfall runs start <audience>",
  results: `The run found no one. Signals come from topic rules (footfall pixels suggest-topics <domain>) and from imports: ${guidePage("reference/topics")}`,
  exports:
    "There are no exports of this run yet. Create one: footfall exports create <audience> <run>",
  destinations:
    "This audience has no destinations yet. Create one: footfall destinations create <audience> <name>",
  accounts:
    "There are no connected accounts yet. Connect one: footfall integrations accounts create",
  deliveries: "Nothing has been delivered yet. Start a delivery: footfall sync",
} as const

type EmptyList = keyof typeof hints

/** The `meta` field for an empty list; nothing for any other. */
export const hintIfEmpty = (
  rows: ReadonlyArray<unknown>,
  list: EmptyList,
): { readonly hint?: string } => (rows.length === 0 ? { hint: hints[list] } : {})
