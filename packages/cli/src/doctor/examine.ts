// Collects the facts of a diagnosis. An unreachable server or an invalid key is a fact, not a failure.

import {
  AuthenticationError,
  ConnectionError,
  TimeoutError,
  type Footfall,
  type Pixel,
  type PixelVerification,
  type Timeframe,
} from "@footfall/sdk"
import { ifAvailable } from "../connection/extra.ts"
import { normalizeDomain } from "@footfall/normal-form"
import { diagnosis, type Check, type SiteFacts } from "./diagnosis.ts"

/** What to examine. */
export interface Examination {
  readonly timeframe: Timeframe
  /** The window in words. */
  readonly window: string
  readonly pixel?: string | undefined
  readonly domain?: string | undefined
  readonly now: Date
}

/** Few retries, because a person waits for the result. */
const options = { maxRetries: 1, timeoutMs: 15_000 }

/** Maximum pixels without events whose sites are checked; each takes up to 10 seconds. */
const VERIFICATIONS_MAX = 5

/** The longest possible domain. */
const DOMAIN_LENGTH_MAX = 255

/** Runs every check. Errors: those of the server that are not findings. */
export const examine = async (
  client: Footfall,
  examination: Examination,
): Promise<ReadonlyArray<Check>> => {
  const { now } = examination
  try {
    const account = await client.account.get(options)
    const { status } = account.organization
    const isReachable = status === "active" || status === "trial"
    const sites = isReachable ? await siteFacts(client, examination) : null
    const topicsCount = isReachable ? await ifAvailable(topicsOf(client)) : null
    const companiesCount = isReachable ? await ifAvailable(companiesOf(client)) : null
    return diagnosis({ server: client.baseUrl, now, account, sites, companiesCount, topicsCount })
  } catch (error) {
    const check = outerCheck(client.baseUrl, error)
    if (check === null) throw error
    return check
  }
}

const topicsOf = async (client: Footfall): Promise<number> =>
  (await client.topics.facets(options)).total

/** Over the whole history. */
const companiesOf = async (client: Footfall): Promise<number | null> => {
  const { meta } = await client.companies.list(
    { timeframe: "all", suppressed: "include", limit: 1 },
    options,
  )
  return meta.total
}

const siteFacts = async (client: Footfall, examination: Examination): Promise<SiteFacts> => {
  const { timeframe, window, pixel } = examination
  const domain =
    examination.domain === undefined
      ? undefined
      : (normalizeDomain(examination.domain, DOMAIN_LENGTH_MAX) ?? examination.domain)
  const all = await client.pixels.list(options)
  const scopeText = pixel ?? (domain === undefined ? null : `for ${domain}`)
  const pixels = all.filter((one) =>
    pixel === undefined ? domain === undefined || one.domain === domain : one.id === pixel,
  )
  const verifications = await verified(client, pixels)
  if (pixels.length === 0) {
    return { scopeText, pixels, verifications, window, visitors: { total: 0, unsuppressed: 0 } }
  }
  const scope = pixel === undefined ? { domain } : { pixelId: pixel }
  const count = async (suppressed: "include" | "exclude"): Promise<number> => {
    const { meta } = await client.visitors.list({ ...scope, timeframe, suppressed }, options)
    return meta.total ?? 0 // null only with a search, or days that are over
  }
  const unsuppressed = await count("exclude")
  const total = unsuppressed > 0 ? unsuppressed : await count("include")
  return { scopeText, pixels, verifications, window, visitors: { total, unsuppressed } }
}

const verified = async (
  client: Footfall,
  pixels: ReadonlyArray<Pixel>,
): Promise<ReadonlyMap<string, PixelVerification>> => {
  const silent = pixels.filter(
    ({ status, lastEventAt }) => status === "active" && lastEventAt === null,
  )
  const verifications = await Promise.all(
    silent
      .slice(0, VERIFICATIONS_MAX)
      .map(async ({ id }) => [id, await client.pixels.verify(id, options)] as const),
  )
  return new Map(verifications)
}

const outerCheck = (server: string, error: unknown): ReadonlyArray<Check> | null => {
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return [
      {
        name: "server",
        state: "problem",
        code: "server_unreachable",
        message: `Can't reach ${server}.`,
        nextStep: "Is the server running? To use another one: --base-url or a profile.",
      },
    ]
  }
  if (!(error instanceof AuthenticationError)) return null
  return [
    { name: "server", state: "ok", code: "ok", message: `${server} answers.`, nextStep: null },
    {
      name: "key",
      state: "problem",
      code: "key_refused",
      message: "The API key is invalid, expired or revoked.",
      nextStep: "To use another key: footfall profiles update <name>",
    },
  ]
}
