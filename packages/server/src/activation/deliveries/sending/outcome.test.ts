// What every response means (spec 2.16, 8.1, 8.4).
import { describe, expect, it } from "vitest"
import {
  ContactRefused,
  CredentialsRefused,
  ListGone,
  ProviderFailed,
  ProviderRateLimited,
  ProviderUnreachable,
} from "../../destinations/connectors/connector-error.ts"
import { answered as responseOf, unanswered } from "../../../platform/outbound/message.ts"
import {
  ConnectionRefused,
  NameNotResolved,
  NoAnswer,
  TimedOut,
  TlsFailed,
  UrlNotAllowed,
} from "../../../platform/outbound/outbound-error.ts"
import { connectorOutcome, type Outcome, outcomeOf } from "./outcome.ts"

const answered = (status: number, retryAfter?: string): Outcome =>
  outcomeOf(
    responseOf(
      {
        status,
        headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
        body: new Uint8Array(),
        bodyIsCut: false,
      },
      0,
    ),
  )

const described = (outcome: Outcome) =>
  outcome.type === "sent" ? "sent" : `${outcome.type} ${outcome.error.code}`

describe("a response", () => {
  it.each([
    [200, "sent"],
    [204, "sent"],
    [299, "sent"],
    [301, "refused ENDPOINT_REJECTED"],
    [302, "refused ENDPOINT_REJECTED"],
    [307, "refused ENDPOINT_REJECTED"],
    [308, "refused ENDPOINT_REJECTED"],
    [400, "refused ENDPOINT_REJECTED"],
    [401, "stopped ENDPOINT_AUTH"],
    [403, "stopped ENDPOINT_AUTH"],
    [404, "parked ENDPOINT_NOT_FOUND"],
    [408, "transient ENDPOINT_REJECTED"],
    [409, "refused ENDPOINT_REJECTED"],
    [410, "stopped ENDPOINT_GONE"],
    [422, "refused ENDPOINT_REJECTED"],
    [425, "transient ENDPOINT_REJECTED"],
    [429, "transient ENDPOINT_RATE_LIMITED"],
    [500, "transient ENDPOINT_ERROR"],
    [503, "transient ENDPOINT_ERROR"],
    [599, "transient ENDPOINT_ERROR"],
  ])("%i means %s", (status, expected) => {
    expect(described(answered(status))).toBe(expected)
  })

  it.each([429, 503])(
    "%i: a Retry-After above 12 s postpones the delivery by that time",
    (status) => {
      expect(answered(status, "12")).toMatchObject({ type: "transient", retryAfterSeconds: 12 })
      expect(answered(status, "13")).toMatchObject({ type: "parked", retryAfterSeconds: 13 })
      expect(answered(status, "999999")).toMatchObject({
        type: "parked",
        retryAfterSeconds: 86_400,
      })
    },
  )

  it("ignores the Retry-After of any other status", () => {
    expect(answered(500, "3600")).toMatchObject({ type: "transient", retryAfterSeconds: null })
  })
})

describe("no response", () => {
  it.each([
    [new ConnectionRefused({ code: "ECONNREFUSED" }), "parked ENDPOINT_UNREACHABLE"],
    [new NameNotResolved({}), "parked ENDPOINT_UNREACHABLE"],
    [new TlsFailed({ code: "CERT_HAS_EXPIRED" }), "parked TLS_ERROR"],
    [new NoAnswer({ code: "ECONNRESET" }), "transient ENDPOINT_UNREACHABLE"],
    [new TimedOut({ timeoutMs: 100 }), "transient ENDPOINT_TIMEOUT"],
    [new UrlNotAllowed({ reason: "address" }), "stopped URL_BLOCKED"],
  ])("$0._tag means $1", (error, expected) => {
    expect(described(outcomeOf(unanswered(error)))).toBe(expected)
  })
})

describe("a response from the mailer", () => {
  it.each([
    [new CredentialsRefused({ status: 401 }), "stopped ENDPOINT_AUTH"],
    [new ListGone(), "stopped LIST_NOT_FOUND"],
    [new ContactRefused({ status: 422, sentence: "Not an address" }), "refused CONTACT_INVALID"],
    [new ProviderRateLimited({ retryAfterSeconds: 2 }), "transient ENDPOINT_RATE_LIMITED"],
    [new ProviderRateLimited({ retryAfterSeconds: 60 }), "parked ENDPOINT_RATE_LIMITED"],
    [new ProviderUnreachable({ reason: "TimedOut" }), "transient ENDPOINT_TIMEOUT"],
    [new ProviderUnreachable({ reason: "UrlNotAllowed" }), "stopped URL_BLOCKED"],
    [
      new ProviderFailed({ status: 500, isTransient: true, retryAfterSeconds: null }),
      "transient PROVIDER_ERROR",
    ],
    [
      new ProviderFailed({ status: 418, isTransient: false, retryAfterSeconds: null }),
      "refused PROVIDER_ERROR",
    ],
  ])("%o means %s", (failure, expected) => {
    expect(described(connectorOutcome(failure))).toBe(expected)
  })
})
