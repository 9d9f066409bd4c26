// What an endpoint's answer, or the lack of one, is called (spec 2.16, `errorCode`).
import type { OutboundError } from "../../outbound/outbound-error.ts"

export type EndpointErrorCode =
  | "ENDPOINT_AUTH"
  | "ENDPOINT_ERROR"
  | "ENDPOINT_GONE"
  | "ENDPOINT_NOT_FOUND"
  | "ENDPOINT_RATE_LIMITED"
  | "ENDPOINT_REJECTED"
  | "ENDPOINT_TIMEOUT"
  | "ENDPOINT_UNREACHABLE"
  | "TLS_ERROR"
  | "URL_BLOCKED"

/** Undefined for a 2xx. */
export const statusErrorCode = (status: number): EndpointErrorCode | undefined => {
  if (status >= 200 && status < 300) return undefined
  if (status === 401 || status === 403) return "ENDPOINT_AUTH"
  if (status === 404) return "ENDPOINT_NOT_FOUND"
  if (status === 410) return "ENDPOINT_GONE"
  if (status === 429) return "ENDPOINT_RATE_LIMITED"
  return status >= 500 ? "ENDPOINT_ERROR" : "ENDPOINT_REJECTED"
}

export const outboundErrorCode = ({ _tag }: OutboundError): EndpointErrorCode => {
  switch (_tag) {
    case "UrlNotAllowed":
      return "URL_BLOCKED"
    case "TlsFailed":
      return "TLS_ERROR"
    case "TimedOut":
      return "ENDPOINT_TIMEOUT"
    case "ConnectionRefused":
    case "NameNotResolved":
    case "NoAnswer":
      return "ENDPOINT_UNREACHABLE"
  }
}
