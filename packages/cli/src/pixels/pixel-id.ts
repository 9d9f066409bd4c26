// A pixel as people name it: by its id or its domain.

import type { Footfall } from "@footfall/sdk"
import { CliError, ExitCode } from "../errors/cli-error.ts"

/** Longest domain there can be. */
const DOMAIN_LENGTH_MAX = 255

const PIXEL_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The id of the pixel that is meant. A domain is looked up among the organization's pixels.
 * Errors: `NOT_FOUND` (exit code 5); those of the server.
 */
export const pixelIdOf = async (client: Footfall, reference: string): Promise<string> => {
  const text = reference.trim().toLowerCase()
  if (PIXEL_ID.test(text)) return text
  const { normalizeDomain } = await import("@footfall/normal-form")
  const domain = normalizeDomain(text, DOMAIN_LENGTH_MAX)
  const pixels = await client.pixels.list()
  const found = pixels.find((pixel) => pixel.domain === domain)
  if (found !== undefined) return found.id
  throw new CliError({
    code: "NOT_FOUND",
    message: `No pixel found for ${text}.`,
    exitCode: ExitCode.notFound,
    nextStep: "Run: footfall pixels list",
  })
}
