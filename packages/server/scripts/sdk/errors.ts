// The errors in the docstring of a method: those of this call, not those that any call may have.

import { type ErrorCode, errorStatus } from "../../src/platform/http/errors.ts"
import { operationTexts } from "../../src/app/reference/document.ts"
import { errorCodesOf } from "../../src/app/reference/error-codes.ts"
import type { Endpoint } from "../api-reference/contract.ts"

const classes: Readonly<Record<number, string>> = {
  400: "BadRequestError",
  401: "AuthenticationError",
  403: "PermissionError",
  404: "NotFoundError",
  409: "ConflictError",
  422: "UnprocessableError",
  429: "RateLimitedError",
  500: "InternalServerError",
  503: "ServiceUnavailableError",
}

/** Codes that say no more than the class. */
const plain: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(["VALIDATION_ERROR", "AUTHENTICATION_ERROR", "FORBIDDEN", "ORGANIZATION_INACTIVE"] as const),
  ...(["NOT_FOUND", "CONFLICT", "IDEMPOTENCY_MISMATCH", "RATE_LIMITED"] as const),
  ...(["SERVICE_UNAVAILABLE", "SCOPE_MISSING", "NETWORK_NOT_ALLOWED"] as const),
  ...(["NOT_FOR_SITE_KEYS"] as const),
])

/** Where the error has what the code is about. */
const details: Partial<Readonly<Record<ErrorCode, string>>> = {
  ACCOUNT_IN_USE: "suppressionSourceIds",
  COLUMN_UNKNOWN: "unknownColumn",
  DELIVERY_IN_PROGRESS: "deliveryId",
  INVALID_RULE: "invalidRule",
  LIST_IN_USE: "segmentIds",
  PIXEL_EXISTS: "pixelId",
  RUN_IN_PROGRESS: "runId",
  SEGMENT_IN_USE: "webhookIds",
  SITE_UNREADABLE: "reason",
  SLOTS_FULL: "slots",
}

export const errorsText = (
  endpoint: Endpoint,
  { credentials, hasInput }: { readonly credentials: string; readonly hasInput: boolean },
): string => {
  const codes = errorCodesOf(endpoint)
  const reasons = new Map(Object.entries(operationTexts.get(endpoint.operationId)?.errors ?? {}))
  const isOwn: Readonly<Record<number, boolean>> = {
    400: hasInput,
    401: credentials === "none",
    403: credentials === "accessToken" || credentials === "none",
    404: true,
    409: codes.includes("CONFLICT") && endpoint.method !== "POST",
    422: true,
  }
  const all = Object.entries(classes).flatMap(([status, name]) => {
    if (!Object.hasOwn(endpoint.responses, status)) return []
    const said = codes
      .filter((code) => String(errorStatus[code]) === status && !plain.has(code))
      .map(
        (code) => `\`${code}\`${details[code] === undefined ? "" : `: see \`${details[code]}\``}`,
      )
    const reason = reasons.get(status)
    const inside = [...said, ...(reason === undefined ? [] : [reason])].join("; ")
    if (inside !== "") return [`${name} (${inside})`]
    return isOwn[Number(status)] === true ? [name] : []
  })
  return all.length === 0 ? "" : ` Errors: ${all.join(", ")}.`
}
