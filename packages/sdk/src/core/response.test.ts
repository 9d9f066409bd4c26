// Responses become data, or the error class of their status (spec 1.3 and 9).

import { describe, expect, it } from "vitest"
import * as sdk from "../index.ts"
import { readResponse, type RawResponse } from "./response.ts"

const raw = (changes: Partial<RawResponse>): RawResponse => ({
  status: 200,
  contentType: "application/json",
  requestId: "req_1",
  location: null,
  retryAfterSeconds: null,
  rateLimit: null,
  head: { status: 200, requestId: "req_1", headers: () => new Headers() },
  unread: null,
  text: "",
  header: () => null,
  ...changes,
})

const thrownBy = (answer: RawResponse): unknown => {
  try {
    readResponse(answer, [])
  } catch (error) {
    return error
  }
  throw new Error("nothing was thrown")
}

const envelope = (code: string, details?: unknown): string =>
  JSON.stringify({ error: { code, message: "The reason.", details }, meta: {} })

describe("a refusal", () => {
  it.each([
    [400, "BadRequestError"],
    [401, "AuthenticationError"],
    [403, "PermissionError"],
    [404, "NotFoundError"],
    [405, "MethodNotAllowedError"],
    [408, "RequestTimeoutError"],
    [409, "ConflictError"],
    [413, "PayloadTooLargeError"],
    [415, "UnsupportedMediaTypeError"],
    [422, "UnprocessableError"],
    [429, "RateLimitedError"],
    [500, "InternalServerError"],
    [503, "ServiceUnavailableError"],
    [431, "ApiError"],
    [502, "ApiError"],
  ] as const)("%d is a %s with every field of the response", (status, name) => {
    const error = thrownBy(
      raw({ status, text: envelope("SOME_CODE", { status: "queued" }), retryAfterSeconds: 3 }),
    )

    expect(error).toBeInstanceOf(sdk[name])
    expect(error).toBeInstanceOf(sdk.ApiError)
    expect(error).toBeInstanceOf(sdk.FootfallError)
    expect(error).toMatchObject({
      name,
      status,
      code: "SOME_CODE",
      message: "The reason.",
      requestId: "req_1",
      details: { status: "queued" },
      retryAfterSeconds: 3,
    })
    expect(error).toHaveProperty("stack", expect.stringMatching(new RegExp(`^${name}: The reason`)))
  })

  it("a VALIDATION_ERROR exposes its issues as typed values", () => {
    const issue = { path: "/query/page", code: "min", message: "at least 1" }
    const error = thrownBy(
      raw({ status: 400, text: envelope("VALIDATION_ERROR", { issues: [issue] }) }),
    )

    expect(error instanceof sdk.BadRequestError && error.issues).toEqual([issue])
  })

  it.each([
    ["another code", "INVALID_CURSOR", { issues: [{ path: "", code: "", message: "" }] }],
    ["no details", "VALIDATION_ERROR", undefined],
    ["details of another shape", "VALIDATION_ERROR", { issues: "many" }],
    ["entries of another shape", "VALIDATION_ERROR", { issues: [null, { path: 1 }] }],
  ])("%s: issues are empty, and nothing throws", (_name, code, details) => {
    const error = thrownBy(raw({ status: 400, text: envelope(code, details) }))

    expect(error instanceof sdk.BadRequestError && error.issues).toEqual([])
  })
})

describe("details by code", () => {
  const at = { path: "/rule/all/0/op", reason: "unknown_operator" }

  it("INVALID_RULE names the invalid node", () => {
    const error = thrownBy(raw({ status: 400, text: envelope("INVALID_RULE", at) }))

    expect(error instanceof sdk.BadRequestError && error.invalidRule).toEqual(at)
    expect(error instanceof sdk.BadRequestError && error.issues).toEqual([])
  })

  it.each([
    ["another code", "VALIDATION_ERROR", at],
    ["no details", "INVALID_RULE", undefined],
    ["a path without a reason", "INVALID_RULE", { path: "" }],
    ["members of another type", "INVALID_RULE", { path: 1, reason: {} }],
  ])("%s: the node is null, and nothing throws", (_name, code, details) => {
    const error = thrownBy(raw({ status: 400, text: envelope(code, details) }))

    expect(error).toHaveProperty("invalidRule", null)
  })

  it("COLUMN_UNKNOWN says what the request has to name, and what could be meant", () => {
    const details = {
      missing: ["column", "type"],
      choices: [{ column: "Work", type: "email" }],
      firstRows: [["Work"], ["jane@acme.example"]],
    }
    const error = thrownBy(raw({ status: 400, text: envelope("COLUMN_UNKNOWN", details) }))
    const odd = { missing: ["sense", 1], choices: [null, { column: 1 }], firstRows: [1, ["a", 2]] }
    const strange = thrownBy(raw({ status: 400, text: envelope("COLUMN_UNKNOWN", odd) }))
    const other = thrownBy(raw({ status: 400, text: envelope("INVALID_CURSOR", details) }))

    expect(error).toMatchObject({ unknownColumn: details, hint: null })
    expect(strange).toHaveProperty("unknownColumn", {
      missing: [],
      choices: [],
      firstRows: [[], ["a"]],
    })
    expect(other).toHaveProperty("unknownColumn", null)
  })

  it("PIXEL_EXISTS names the pixel, SEGMENT_IN_USE the audiences and webhooks, FORBIDDEN the role", () => {
    const conflict = (code: string, details: object) =>
      thrownBy(raw({ status: 409, text: envelope(code, details) }))

    const exists = conflict("PIXEL_EXISTS", { pixelId: "p" })
    const inUse = conflict("SEGMENT_IN_USE", { audienceIds: ["a"], webhookIds: ["w", 1, "v"] })
    const forbidden = thrownBy(
      raw({ status: 403, text: envelope("FORBIDDEN", { required: "owner" }) }),
    )

    expect(exists).toMatchObject({ pixelId: "p", audienceIds: [], webhookIds: [] })
    expect(inUse).toMatchObject({ pixelId: null, audienceIds: ["a"], webhookIds: ["w", "v"] })
    expect(forbidden).toHaveProperty("required", "owner")
  })

  it("LIST_IN_USE names the segments, webhooks and suppression sources", () => {
    const details = { segmentIds: ["s"], webhookIds: ["w"], suppressionSourceIds: ["m"] }
    const inUse = thrownBy(raw({ status: 409, text: envelope("LIST_IN_USE", details) }))
    const other = thrownBy(raw({ status: 409, text: envelope("CONFLICT", details) }))

    expect(inUse).toMatchObject(details)
    expect(other).toMatchObject({ segmentIds: [], webhookIds: [], suppressionSourceIds: [] })
  })

  it("details of another code or shape are ignored", () => {
    const details = { pixelId: "p", webhookIds: "many", required: "owner" }
    const conflict = thrownBy(raw({ status: 409, text: envelope("CONFLICT", details) }))
    const inUse = thrownBy(raw({ status: 409, text: envelope("SEGMENT_IN_USE", details) }))
    const inactive = thrownBy(
      raw({ status: 403, text: envelope("ORGANIZATION_INACTIVE", details) }),
    )

    expect(conflict).toMatchObject({ pixelId: null, webhookIds: [] })
    expect(inUse).toMatchObject({ webhookIds: [] })
    expect(inactive).toHaveProperty("required", null)
  })
})

describe("a response that is not Footfall's", () => {
  it("a proxy's page keeps the error class of its status, with a short excerpt", () => {
    const text = `<html>\n  <h1>Bad   gateway</h1>${"x".repeat(500)}</html>`
    const error = thrownBy(raw({ status: 503, contentType: "text/html", text, requestId: null }))

    expect(error).toBeInstanceOf(sdk.ServiceUnavailableError)
    expect(error).toMatchObject({ code: "INVALID_RESPONSE", requestId: null })
    expect(String(error)).toMatch(/HTTP 503.*text\/html.*<html> <h1>Bad gateway<\/h1>x+…/)
    expect(String(error).length).toBeLessThan(350)
  })

  it.each([
    ["a page", "<html></html>"],
    ["nothing", ""],
    ["an array", "[]"],
    ["null", "null"],
    ["data without meta", '{"data": []}'],
    ["meta without data", '{"meta": {}}'],
    ["JSON cut short", '{"data": [], "meta": {'],
  ])("a 2xx response with %s is an ApiError", (_name, text) => {
    expect(thrownBy(raw({ text }))).toMatchObject({
      name: "ApiError",
      status: 200,
      code: "INVALID_RESPONSE",
    })
  })

  it.each(["application/json", null])("a body of type %s is not quoted", (contentType) => {
    const error = thrownBy(raw({ contentType, text: '{"data": [{"email": "jane@harbor.example"' }))

    expect(String(error)).not.toContain("jane")
  })

  it.each([302, 404])("%d is an error even if its body looks like a success", (status) => {
    expect(thrownBy(raw({ status, text: '{"data": [], "meta": {}}' }))).toMatchObject({ status })
  })

  it("a redirect says what to change", () => {
    const error = thrownBy(raw({ status: 301, location: "https://elsewhere.example/" }))

    expect(error).toMatchObject({ name: "ApiError", status: 301, code: "INVALID_RESPONSE" })
    expect(String(error)).toContain("set baseUrl")
  })
})
