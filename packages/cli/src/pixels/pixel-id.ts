// Finds a pixel by its id or domain.

import type { Footfall, Pixel } from "@footfall/sdk"
import { CliError, ExitCode, usageError } from "../errors/cli-error.ts"

/** The longest possible domain. */
const DOMAIN_LENGTH_MAX = 255

const PIXEL_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The pixel's id. A domain is looked up among the organization's pixels. Errors: those of `pixelOf`. */
export const pixelIdOf = async (client: Footfall, reference: string): Promise<string> => {
  const text = reference.trim().toLowerCase()
  return PIXEL_ID.test(text) ? text : (await pixelOf(client, reference)).id
}

/**
 * The pixel, looked up among the organization's pixels. Errors: usage, for an email address; `NOT_FOUND` (exit code 5);
 * those of the server.
 */
export const pixelOf = async (client: Footfall, reference: string): Promise<Pixel> => {
  const text = reference.trim().toLowerCase()
  if (/^[^/]*@/.test(text)) {
    throw usageError(
      `${text} is an email address, not a pixel id or domain.`,
      "Run: footfall pixels list",
    )
  }
  const { normalizeDomain } = await import("@footfall/normal-form")
  const domain = normalizeDomain(text, DOMAIN_LENGTH_MAX)
  const pixels = await client.pixels.list()
  const found = pixels.find((pixel) =>
    PIXEL_ID.test(text) ? pixel.id === text : pixel.domain === domain,
  )
  if (found !== undefined) return found
  throw new CliError({
    code: "NOT_FOUND",
    message: `No pixel found for ${text}.`,
    exitCode: ExitCode.notFound,
    nextStep: "Run: footfall pixels list",
  })
}
