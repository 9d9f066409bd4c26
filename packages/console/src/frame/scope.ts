// The window and the site that every screen is about: chosen once, at the top, and kept in the address.
import type { Timeframe } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { footfall } from "../session/session.ts"
import type { Choice } from "../ui/field.tsx"

export const timeframes: ReadonlyArray<Choice<Timeframe>> = [
  { value: "24h", text: "24 hours" },
  { value: "7d", text: "7 days" },
  { value: "14d", text: "14 days" },
  { value: "30d", text: "30 days" },
  { value: "90d", text: "90 days" },
  { value: "all", text: "All time" },
]

export const timeframeDefault: Timeframe = "30d"

/** In the address. */
export interface ScopeSearch {
  readonly window?: Timeframe | undefined
  /** Domain of a pixel. */
  readonly site?: string | undefined
}

/** Whatever else stands in the address is left out. */
export const readScope = (search: Record<string, unknown>): ScopeSearch => {
  const window = timeframes.find(({ value }) => value === search["window"])?.value
  const { site } = search
  return {
    ...(window !== undefined && { window }),
    ...(typeof site === "string" && site !== "" && { site }),
  }
}

export const pixelsQuery = {
  queryKey: ["pixels"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => footfall.pixels.list({ signal }),
}

export const useScope = () => {
  const { window = timeframeDefault, site } = readScope(useSearch({ strict: false }))
  const pixels = useQuery({ ...pixelsQuery, enabled: site !== undefined })
  const pixelId = pixels.data?.find(({ domain }) => domain === site)?.id
  return {
    timeframe: window,
    site,
    /** Undefined without a site; below `ForSite` only then. */
    pixelId,
  }
}

/** Whether the site of the address can be asked about. */
export const useSite = () => {
  const { site } = readScope(useSearch({ strict: false }))
  const { data, error, refetch } = useQuery({ ...pixelsQuery, enabled: site !== undefined })
  return {
    site,
    isReady: site === undefined || data?.some(({ domain }) => domain === site) === true,
    /** No pixel has this domain: it was deleted, or the link is old. */
    isGone: site !== undefined && data?.some(({ domain }) => domain === site) === false,
    error,
    retry: () => void refetch(),
  }
}

export const useChangeScope = () => {
  const navigate = useNavigate()
  return (changes: ScopeSearch) =>
    navigate({
      to: ".",
      search: (before) => ({ ...before, ...changes }),
    })
}
