// The texts of the OpenAPI document: summaries, descriptions, tags and examples for every operation, and schemas
// without implementation details. Parsing requests is unaffected.
import type { OpenApi } from "effect/http-api"
import { type ErrorCode, errorStatus } from "../../platform/http/errors.ts"
import { access } from "./access.ts"
import { audiences } from "./audiences.ts"
import { destinations } from "./destinations.ts"
import { errorCodesOf } from "./error-codes.ts"
import type { OperationText } from "./operation-text.ts"
import { pixels } from "./pixels.ts"
import { topics } from "./topics.ts"
import { visitors } from "./visitors.ts"

// The chapters of the reference, in order. Each group of the API names its chapter as its title.

/** The document's `tags`. */
const tags = Object.entries({
  Visitors: "The people your pixels identified, their sessions, and erasing them.",
  Companies: "The companies your visitors come from, including anonymous visitors.",
  Segments: "Saved rules that select visitors by behavior and employer.",
  Lists: "Companies or people that you put together, for rules.",
  Score: "What people and companies are scored by.",
  Pixels: "The script that records visits: one pixel for each domain, and its write keys.",
  "Inbound sources": "URLs for vendors that identify visitors, forms and booking tools to send to.",
  "Suppression rules": "Email addresses, domains and industries you do not want to see or pay for.",
  "Suppression sources": "Lists elsewhere that are mirrored into suppression rules.",
  "File imports":
    "Files of suppression rules and lists: sent, answered as a plan, then applied or dropped.",
  "Visitor webhooks": "Identified visitors, sent to your server as they arrive.",
  Account: "Credits, pixels and intent access of the organization.",
  "Sign-in": "Access tokens for members: sign in, refresh, sign out, accept an invitation.",
  Organizations: "Organizations, their settings and their members.",
  "API keys":
    "Keys for your backend: for everything a member may do, or for certain scopes, sites and networks.",
  Imports: "Topics, signals, people and identity links from your own data.",
  "Link tokens": "Tokens that identify the recipient of an email when they click a link.",
  Topics: "What people read about, and how many of them. Needs no credentials.",
  "Topic lists": "Topics saved under a name.",
  Audiences: "People with buying intent: who reads about your topics and matches your filters.",
  Runs: "The people of an audience at one point in time.",
  Destinations: "Where an audience is delivered: a webhook or a mailing list.",
  "Connected accounts": "Your accounts at mailing-list providers.",
  Deliveries: "Runs being sent to a destination.",
  "Site analysis": "The topics a website is about.",
  Exports: "The people a run found, as CSV or Parquet.",
}).map(([name, description]) => ({ name, description }))

/** By operation id. */
export const operationTexts: ReadonlyMap<string, OperationText> = new Map(
  [visitors, pixels, access, topics, audiences, destinations].flatMap(Object.entries),
)

/** For `OpenApi.Transform`. */
export const describeOperations = (document: Record<string, unknown>): Record<string, unknown> => {
  const { paths } = document as unknown as Document // the library passes it untyped
  return plain({
    ...document,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operations]) => [
        path,
        Object.fromEntries(
          Object.entries(operations).map(([method, operation]) => [method, described(operation)]),
        ),
      ]),
    ),
    tags,
  })
}

type Operation = OpenApi.OpenAPISpecOperation

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const described = (operation: Operation): Operation => {
  const text = operationTexts.get(operation.operationId)
  const { requestBody, responses } = operation
  const codes = errorCodesOf(operation)
  return {
    ...operation,
    ...(text === undefined ? {} : { summary: text.summary, description: text.description }),
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...requestBody, content: requestExamples(requestBody.content, text) } }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, { content, ...response }]) => [
        status,
        {
          ...response,
          description: [
            withReason(
              meanings.get(status) ?? response.description,
              text?.errors?.[Number(status)],
            ),
            ...codesAt(status, codes),
          ].join(" "),
          ...(content === undefined
            ? {}
            : { content: withExample(content, () => exampleOf(text, status)) }),
        },
      ]),
    ),
  }
}

const withReason = (meaning: string, reason: string | undefined): string =>
  reason === undefined ? meaning : `${meaning.replace(/\.$/, "")}: ${reason}.`

/** Names the codes if there are several, or if the status alone says too little. */
const codesAt = (status: string, codes: ReadonlyArray<ErrorCode>): ReadonlyArray<string> => {
  const these = codes.filter((code) => String(errorStatus[code]) === status)
  const isClear = these.length === 0 || (these.length === 1 && status !== "409" && status !== "422")
  return isClear ? [] : [`Codes: ${these.map((code) => `\`${code}\``).join(", ")}.`]
}

type Content = NonNullable<Operation["responses"][number]["content"]>

const exampleOf = (text: OperationText | undefined, wanted: string) =>
  Object.entries(text?.responses ?? {}).find(([status]) => status === wanted)?.[1]

/** A body without fields may be omitted or be `{}`. */
const requestExamples = (content: Content, text: OperationText | undefined): Content =>
  withExample(content, (type) => {
    const { request = {} } = text ?? {}
    const byType = Object.entries(request).find(([name]) => name === type)
    return byType === undefined ? request : byType[1]
  })

const withExample = (content: Content, ofType: (type: string) => unknown): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      const example = ofType(type)
      return [type, example === undefined ? media : { ...media, example }]
    }),
  )

const meanings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    200: "OK.",
    201: "Created.",
    202: "Accepted. The work is queued or in progress.",
    400: "The request is invalid.",
    401: "The credentials are missing or invalid.",
    403: "The credentials do not allow this.",
    404: "Not found.",
    408: "The request took too long to arrive.",
    409: "The request conflicts with the current state.",
    413: "The body is too large.",
    415: "The media type of the body is not supported.",
    422: "The request is valid but could not be carried out.",
    429: "Too many requests. `Retry-After` says how many seconds to wait.",
    500: "The server failed.",
    503: "Temporarily unavailable. Try again.",
  }),
)

/** Removes the bounds of JavaScript's integers, which no field needs, and a UUID's pattern next to its format. */
const plain = <Value>(value: Value): Value => {
  if (Array.isArray(value)) return value.map(plain) as Value // the same shape
  if (typeof value !== "object" || value === null) return value
  const { format } = value as { readonly format?: unknown }
  const members = Object.entries(value).filter(
    ([name, inner]) =>
      !(
        (name === "minimum" && inner === Number.MIN_SAFE_INTEGER) ||
        (name === "maximum" && inner === Number.MAX_SAFE_INTEGER) ||
        (name === "pattern" && format === "uuid")
      ),
  )
  return Object.fromEntries(members.map(([name, inner]) => [name, plain(inner)])) as Value // the same shape
}
