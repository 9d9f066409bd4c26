// The example request of an operation: its method, its path with the ids of the examples, what is required of the
// query and the usual choice of how much, and the body that the OpenAPI document shows.
import {
  audienceId,
  destinationId,
  janeHash,
  organizationId,
  pixelId,
  runId,
  segmentId,
  userId,
} from "../../src/app/reference/sample.ts"
import { type Endpoint, takes } from "./contract.ts"
import { exampleOf } from "./text.ts"

export interface ExampleRequest {
  readonly method: string
  /** The parameters of the path in their order. */
  readonly ids: Readonly<Record<string, string | number>>
  readonly path: string
  readonly query: Readonly<Record<string, string | number>>
  readonly credential: "apiKey" | "accessToken" | "none"
  /** JSON, or the rows of a file. Left out where it would be empty. */
  readonly body?: { readonly type: string; readonly value: unknown; readonly text: string }
}

export const requestOf = (endpoint: Endpoint): ExampleRequest => {
  const { method, parameters = [], path, requestBody } = endpoint
  const named = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const ids = Object.fromEntries(named("path").map(({ name }) => [name, idIn(path, name)]))
  const body = exampleOf(requestBody?.content)
  const isJson = body?.type === "application/json"
  return {
    method,
    ids,
    path: Object.entries(ids).reduce(
      (text, [name, id]) => text.replace(`{${name}}`, encodeURIComponent(id)),
      path,
    ),
    query: {
      ...Object.fromEntries(
        named("query").flatMap(({ name, required }) => {
          const value = valueOf(path, name, required === true)
          return value === undefined ? [] : [[name, value]]
        }),
      ),
    },
    credential: takes(endpoint, "apiKey")
      ? isOptional(endpoint)
        ? "none"
        : "apiKey"
      : takes(endpoint, "bearer")
        ? "accessToken"
        : "none",
    ...(body === undefined
      ? {}
      : { body: { ...body, value: isJson ? JSON.parse(body.text) : body.text } }),
  }
}

const isOptional = ({ security = [] }: Endpoint): boolean =>
  security.some((scheme) => Object.keys(scheme).length === 0)

/** Of a visit, not of a member. */
const visitSessionId = "44b6a991119bf729d7f1e78f8c987b26"

const accountId = "8f7e6d5c-4b3a-4291-8076-5f4e3d2c1b0a"

/** By the name of the parameter, and for `id` by what stands before it. */
const ids: Readonly<Record<string, string | number>> = {
  appSlug: "emailoctopus",
  audienceId,
  deliveryId: "e3897870-520c-4fe5-9d28-03da213e9f49",
  destinationId,
  domain: "harbor-logistics.example",
  exportId: "c2a1f0e9-8d7c-4b6a-9f5e-4d3c2b1a0f9e",
  hashedEmail: janeHash,
  inboundId: "0c9f6a1e-2b7d-4e58-8a3c-5d1f4b6e7a90",
  importId: "6f2d8c1a-4b7e-4d3f-9a05-1c2e3f4a5b6c",
  keyId: "5e0c2f7a-3f5b-4a0e-9a55-2b7d1f7f9a01",
  kind: "people",
  noteId: "4f3a2b1c-0d9e-4f7a-8b6c-5d4e3f2a1b0c",
  listId: "7c0d5b8e-2f4a-4c61-9e3b-5a8d1c7f2e90",
  erasureId: "c1f7b1de-3c52-4d0a-9a8e-0f4f0b7a6c11",
  sourceId: "2c7f0d1e-9b4a-4f6c-8e2d-3a5b7c9d1e0f",
  requestId: "7b1e4d90-6a2c-4f83-9d5b-1e0c8f7a6d32",
  ruleId: "b8460a14-0bbe-4a55-b1c1-00a6a3064e5b",
  runId,
  segmentId,
  sessionId: "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0d9e",
  sharedUserId: "8c1f0d6e-5b0a-8f4e-9d51-7a2b3c4d5e6f",
  topicId: 1204,
  userId,
  visitorId: janeHash,
  "accounts/id": accountId,
  "api-keys/id": "4b1d8a52-7f6c-4a3b-9d2e-6c5b4a3f2e1d",
  "audiences/id": audienceId,
  "organizations/id": organizationId,
  "pixels/id": pixelId,
  "topic-lists/id": "1d2c3b4a-5f6e-4d7c-8b9a-0a1b2c3d4e5f",
  "webhooks/id": "9d3f6f8e-0f7c-4d5f-8f0b-3f9b8a3f6f21",
}

const idIn = (path: string, name: string): string | number => {
  if (name === "kind" && path.startsWith("/v1/data")) return "suppression-rules"
  if (name === "sessionId" && path.startsWith("/v1/data")) return visitSessionId
  const [, before = ""] = new RegExp(`([^/]+)/\\{${name}\\}`).exec(path) ?? []
  const value = ids[`${before}/${name}`] ?? ids[name]
  if (value === undefined) throw new Error(`request.ts has no example of ${name} in ${path}.`)
  return value
}

const usual: Readonly<Record<string, string | number>> = {
  timeframe: "30d",
  limit: 20,
  pageSize: 20,
}

const required: Readonly<Record<string, string>> = {
  by: "page",
  format: "meta",
  q: "warehouse",
  subject: "companies",
  userCode: "WDJB-MJHT",
  connectedAccountId: accountId,
}

/** Of a link as the server makes it, which the contract takes without. */
const ofLinks: Readonly<Record<string, string>> = {
  expires: "1773306361",
  signature: "Yq0h1m3vJ5l0p6w7tq2XcR4uN8dKeAX9sJmY",
}

const valueOf = (path: string, name: string, isRequired: boolean): string | number | undefined => {
  if (!isRequired) return path.endsWith("/download") ? ofLinks[name] : usual[name]
  const value = required[name]
  if (value === undefined) throw new Error(`request.ts has no example of ${name} in ${path}.`)
  return value
}
