// The size limit of a response body.

import { ApiError } from "../errors/api-error.ts"

/** Largest response body to read. 50 visitors with 100 pages of 2,048 characters each are 10 MiB. */
export const responseBytesMax = 64 * 1024 * 1024

/** The error for a body above the limit. */
export const bodyTooLarge = (status: number): ApiError =>
  ApiError.invalidResponse(status, `a body above ${responseBytesMax} bytes`)
