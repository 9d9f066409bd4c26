// What parameters mean, in the words of /openapi.json and /docs: one text for all that have the same name and
// meaning, of whichever room they are. A description at the schema of a parameter comes before these.
import type { OpenApi } from "effect/http-api"

type Operation = OpenApi.OpenAPISpecOperation
type Parameter = Operation["parameters"][number]

/** By name. */
const descriptions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cursor: "The `nextCursor` of the page before. Not together with `offset` or `page`.",
    offset: "How many rows to leave out at the beginning; default 0. Not together with `cursor`.",
    page: "Number of the page, from 1. Not together with `cursor`.",
    pixelId: "Only what this pixel saw. Not together with `domain`.",
    domain: "Only what the pixel of this domain saw. Not together with `pixelId`.",
    email: "Any address of one person: the answer is this visitor alone, with their journey.",
    suppressed: "Whether suppressed visitors are listed; default `include`.",
    status: "Only those in this state.",
    industry: "Only topics of this industry, without case; empty: all.",
    category: "Only topics of this category, without case; empty: all.",
    direction: "`up`: those that grew, `down`: those that shrank. Default `up`.",
    from: "First date, like `2026-01-31`; default: 30 days with `to`.",
    to: "Last date, like `2026-01-31`; default: the newest with data.",
    topicId: "Number of the topic.",
    visitorId: "The `emailHash` of the visitor: SHA-256 in 64 lowercase hexadecimal digits.",
    kind: "What the rows are.",
    shared:
      "`true`: people or links for every organization of the server; operators only. Default `false`.",
    suppress: "`true`: adds a suppression rule for every known address too. Default `false`.",
    include: "`counts`: with the number of people for each value.",
    raw: "`true`: cells that a spreadsheet would take for a formula stay as they are. Default `false`.",
    expires: "When the link ends, in Unix seconds, as it stands in the link.",
    signature: "Signature of the link, as it stands in the link.",
    connectedAccountId: "Id of the connected account.",
    destinationId: "Only deliveries to this destination.",
    "idempotency-key":
      "Repeats of a request with the same key start nothing anew and get the answer of the first. 1 to 120 printable ASCII characters.",
  }),
)

/** Of names that mean another thing there. By the path. */
const descriptionsOfPaths: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    "/v1/data",
    new Map(
      Object.entries({
        timeframe: "Only visitors seen in this time up to now; default `7d`, with `email` `all`.",
      }),
    ),
  ],
  [
    "/v1/data/visitors/{visitorId}/sessions",
    new Map(
      Object.entries({
        timeframe: "Only sessions of this time up to now; default `30d`.",
        pixelId: "Only sessions that this pixel saw.",
      }),
    ),
  ],
  [
    "/v1/data/suppression-rules",
    new Map(
      Object.entries({
        type: "Only rules of this type.",
        q: "Only rules whose value has this text in it.",
      }),
    ),
  ],
  [
    "/v1/intent/topics",
    new Map(
      Object.entries({
        type: "Only topics of this type; `b2b` and `b2c` include those of type `both`.",
        q: "Only topics whose name has this text in it, without case.",
      }),
    ),
  ],
  [
    "/v1/intent/topics/search",
    new Map(
      Object.entries({
        type: "Only topics of this type; `b2b` and `b2c` include those of type `both`.",
        q: "What a person types.",
      }),
    ),
  ],
  [
    "/v1/intent/topics/movers",
    new Map(
      Object.entries({
        type: "Only topics of this type; `b2b` and `b2c` include those of type `both`.",
      }),
    ),
  ],
])

/** What an id in a path is one of, by what stands before it. */
const nouns: ReadonlyMap<string, string> = new Map(
  Object.entries({
    accounts: "connected account",
    "api-keys": "API key",
    audiences: "audience",
    deliveries: "delivery",
    destinations: "destination",
    exports: "export",
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

/** For `OpenApi.Transform`: the document with a description at every parameter that has one. */
export const describeParameters = (document: Record<string, unknown>): Record<string, unknown> => {
  const { paths } = document as unknown as Document // of the library, which hands it over untyped
  const inPath = (path: string, operations: Document["paths"][string]) =>
    Object.entries(operations).map(([method, operation]) => {
      const parameters = operation.parameters.map((one) => described(path, one))
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

const described = (path: string, parameter: Parameter) => {
  // Generated clients do not look for one at the schema.
  const { description: own, ...schema } = parameter.schema as { readonly description?: string }
  const description =
    own ??
    descriptionsOfPaths.get(path)?.get(parameter.name) ??
    idOf(path, parameter) ??
    descriptions.get(parameter.name)
  return { ...parameter, schema, ...(description === undefined ? {} : { description }) }
}

const idOf = (path: string, { in: place, name }: Parameter): string | undefined => {
  const before = /([^/]+)\/$/.exec(path.split(`{${name}}`)[0] ?? "")?.[1]
  const noun = place === "path" ? nouns.get(before ?? "") : undefined
  return noun === undefined || name === "visitorId" ? undefined : `Id of the ${noun}.`
}
