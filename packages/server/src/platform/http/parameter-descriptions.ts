// The descriptions of parameters in /openapi.json and /docs: one text for all parameters with the same name and
// meaning. A description in a parameter's own schema takes precedence.
import type { OpenApi } from "effect/http-api"

type Operation = OpenApi.OpenAPISpecOperation
type Parameter = Operation["parameters"][number]

/** By name. */
const descriptions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cursor: "The `nextCursor` of the previous page.",
    offset: "How many rows to skip. Default 0. Cannot be combined with `cursor`.",
    page: "Page number, starting at 1. Cannot be combined with `cursor`.",
    pixelId: "Only visitors to this pixel's site. Cannot be combined with `domain`.",
    domain: "Only visitors to this domain. Cannot be combined with `pixelId`.",
    email: "Email address of one person. The response is that visitor, with their journey.",
    suppressed: "Whether to include suppressed visitors. Default `include`.",
    status: "Return only items with this status.",
    industry: "Only topics of this industry. Ignores case; empty means all.",
    category: "Only topics of this category. Ignores case; empty means all.",
    direction: "`up` for growing topics, `down` for shrinking ones. Default `up`.",
    from: "First date, such as `2026-01-31`. Default: 30 days before `to`.",
    to: "Last date, such as `2026-01-31`. Default: the latest date with data.",
    topicId: "Id of the topic.",
    visitorId: "The visitor's `emailHash`: a SHA-256 in 64 lowercase hexadecimal digits.",
    visitorHash:
      "Only events about this person: the SHA-256 of any of their email addresses, in 64 lowercase hexadecimal digits.",
    kind: "What to import.",
    importId: "Id of the plan.",
    inboundId: "Id of the inbound source.",
    requestId: "Id of the request, as in the history.",
    mode: "`add` adds the values of the file, `replace` makes the list equal the file, `remove` removes them. Default `add`.",
    column: "Column that contains the values, by name or by number from 1.",
    header: "Whether the first row names the columns. Default: decided by the file.",
    types: "Only rules of these types, separated by commas. Default: all.",
    note: "Why the rules are there. Shown with each rule that the import adds. At most 500 characters.",
    name: "Name of the file, for messages.",
    erasureId: "Id of the erasure, as in its receipt.",
    sourceId: "Id of the suppression source.",
    originId: "Only rules that come from this import, source or member: `origin.id` of a rule.",
    file: "Only rows of the file at this position, from 0. Default: all files.",
    shared:
      "`true` imports people or links for every organization on the server. Operators only. Default `false`.",
    suppress: "`true` also adds a suppression rule for every known email address. Default `false`.",
    include: "`counts` adds the number of people for each value.",
    raw: "`true` leaves cells unchanged that a spreadsheet would run as a formula. Default `false`.",
    expires: "Expiry of the link in Unix seconds, copied from the link.",
    signature: "Signature, copied from the link.",
    appSlug: "The service, such as `mailer`: the `appSlug` of an integration.",
    connectedAccountId: "Id of the connected account.",
    keyId: "Id of the write key.",
    sharedUserId: "Id of the shared user id.",
    hashedEmail:
      "The contact's `hashedEmail`: a SHA-256 in 64 lowercase hexadecimal digits, from the list of failed contacts.",
    noteId: "Id of the note.",
    sessionId: "Id of the session, from the list of your sessions.",
    destinationId: "Only deliveries to this destination.",
    "footfall-max-staleness":
      "Maximum age in seconds of a response that a read replica serves. 0 reads from the primary. Default: the server's maximum.",
    "idempotency-key":
      "Makes the request safe to repeat: a second request with the same key returns the first response. 1 to 120 printable ASCII characters.",
  }),
)

/** Names with a different meaning on one path. */
const descriptionsOfPaths: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    "/v1/data/lists/{listId}/members",
    new Map(
      Object.entries({
        q: "Only values that contain this text. Ignores case.",
      }),
    ),
  ],
  [
    "/v1/data",
    new Map(
      Object.entries({
        timeframe: "Only visitors seen in this period. Default `7d`, or `all` with `email`.",
        from: "First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `timeframe`.",
        to: "Last day, included, such as `2026-02-28`. Only with `from`. Default: today.",
      }),
    ),
  ],
  [
    "/v1/data/companies",
    new Map(
      Object.entries({
        timeframe: "Only companies that visited in this period. Default `7d`.",
        from: "First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `timeframe`.",
        to: "Last day, included, such as `2026-02-28`. Only with `from`. Default: today.",
        pixelId: "Only visits this pixel recorded. Cannot be combined with `domain`.",
        domain: "Only visits to this domain. Cannot be combined with `pixelId`.",
      }),
    ),
  ],
  [
    "/v1/data/companies/{domain}",
    new Map(
      Object.entries({
        timeframe: "Only visits in this period. Default `all`.",
        from: "First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `timeframe`.",
        to: "Last day, included, such as `2026-02-28`. Only with `from`. Default: today.",
        domain: "Domain of the company.",
        pixelId: "Only visits this pixel recorded.",
      }),
    ),
  ],
  [
    "/v1/data/overview",
    new Map(
      Object.entries({
        timeframe: "The days to count, up to today. `24h` is the last 24 hours. Default `30d`.",
        from: "First day to count, in the organization's time zone, such as `2026-01-31`. At most 365 days ago. Cannot be combined with `timeframe`.",
        to: "Last day to count, at most 365 days after `from`. Default: today.",
        compare:
          "Also returns another period: `previous` is the one right before, `year` the same dates a year before.",
        pixelId: "Only visits this pixel recorded. Cannot be combined with `domain`.",
        domain: "Only visits to this domain. Cannot be combined with `pixelId`.",
      }),
    ),
  ],
  [
    "/v1/data/overview/breakdown",
    new Map(
      Object.entries({
        timeframe: "The days to count, up to today. `24h` is the last 24 hours. Default `30d`.",
        from: "First day to count, in the organization's time zone, such as `2026-01-31`. At most 365 days ago. Cannot be combined with `timeframe`.",
        to: "Last day to count, at most 365 days after `from`. Default: today.",
        compare:
          "Also returns another period: `previous` is the one right before, `year` the same dates a year before.",
        pixelId: "Only visits this pixel recorded. Cannot be combined with `domain`.",
        domain: "Only visits to this domain. Cannot be combined with `pixelId`.",
      }),
    ),
  ],
  [
    "/v1/data/companies/{domain}/activity",
    new Map(
      Object.entries({
        timeframe: "The days to show, up to today. `24h` is the last 24 hours. Default `30d`.",
        from: "First day, in the organization's time zone, such as `2026-01-31`. At most 365 days ago. Cannot be combined with `timeframe`.",
        to: "Last day, at most 365 days after `from`. Default: today.",
        domain: "Domain of the company, or any name below it.",
        pixelId: "Only visits this pixel recorded.",
      }),
    ),
  ],
  [
    "/v1/data/visitors/{visitorId}/sessions",
    new Map(
      Object.entries({
        timeframe: "Only sessions in this period. Default `30d`.",
        from: "First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `timeframe`.",
        to: "Last day, included, such as `2026-02-28`. Only with `from`. Default: today.",
        pixelId: "Only sessions this pixel recorded.",
      }),
    ),
  ],
  [
    "/v1/data/visitors/{visitorId}/sessions/{sessionId}/events",
    new Map([["sessionId", "Id of the session, from the list of the visitor's sessions."]]),
  ],
  [
    "/v1/data/companies/{domain}/sessions/{sessionId}/events",
    new Map(
      Object.entries({
        domain: "The company's domain, or any name below it.",
        sessionId: "Id of the session, from `journey.sessions` of the company.",
      }),
    ),
  ],
  [
    "/v1/data/suppression-rules",
    new Map(
      Object.entries({
        type: "Only rules of this type.",
        q: "Only rules whose value contains this text.",
      }),
    ),
  ],
  [
    "/v1/intent/topics",
    new Map(
      Object.entries({
        type: "Only topics of this type. `b2b` and `b2c` include topics of type `both`.",
        q: "Only topics whose name contains this text. Ignores case.",
      }),
    ),
  ],
  [
    "/v1/intent/topics/search",
    new Map(
      Object.entries({
        type: "Only topics of this type. `b2b` and `b2c` include topics of type `both`.",
        q: "The search text.",
      }),
    ),
  ],
  [
    "/v1/intent/topics/movers",
    new Map(
      Object.entries({
        type: "Only topics of this type. `b2b` and `b2c` include topics of type `both`.",
      }),
    ),
  ],
])

/** What an id in a path identifies, by the path segment before it. */
const nouns: ReadonlyMap<string, string> = new Map(
  Object.entries({
    accounts: "connected account",
    "api-keys": "API key",
    audiences: "audience",
    deliveries: "delivery",
    destinations: "destination",
    exports: "export",
    lists: "list",
    members: "user",
    organizations: "organization",
    pixels: "pixel",
    runs: "run",
    segments: "segment",
    "suppression-rules": "suppression rule",
    "topic-lists": "topic list",
    webhooks: "webhook",
  }),
)

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** For `OpenApi.Transform`: adds the descriptions. */
export const describeParameters = (document: Record<string, unknown>): Record<string, unknown> => {
  const { paths } = document as unknown as Document // the library passes it untyped
  const inPath = (path: string, operations: Document["paths"][string]) =>
    Object.entries(operations).map(([method, operation]) => {
      const position = operation.parameters.find(({ name }) => positions.has(name))
      const parameters = operation.parameters.map((one) => described(path, one, position?.name))
      return [method, { ...operation, parameters }] as const
    })
  return {
    ...document,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operations]) => [
        path,
        Object.fromEntries(inPath(path, operations)),
      ]),
    ),
  }
}

/** Where a page begins, other than a cursor. */
const positions: ReadonlySet<string> = new Set(["offset", "page"])

/** `position`: the other parameter of the operation that says where a page begins. */
const described = (path: string, parameter: Parameter, position: string | undefined) => {
  // Generated clients ignore the description in the schema.
  const { description: own, ...schema } = parameter.schema as { readonly description?: string }
  const description =
    own ??
    descriptionsOfPaths.get(path)?.get(parameter.name) ??
    idOf(path, parameter) ??
    (parameter.name === "cursor" && position !== undefined
      ? `${descriptions.get("cursor")} Cannot be combined with \`${position}\`.`
      : descriptions.get(parameter.name))
  return { ...parameter, schema, ...(description === undefined ? {} : { description }) }
}

const idOf = (path: string, { in: place, name }: Parameter): string | undefined => {
  const before = /(?<![^/])([^/]+)\/$/.exec(path.split(`{${name}}`)[0] ?? "")?.[1]
  const noun = place === "path" ? nouns.get(before ?? "") : undefined
  return noun === undefined || name === "visitorId" ? undefined : `Id of the ${noun}.`
}
