// The time window, the site and whether suppressed people and companies count, for every screen. The URL keeps them. The
// first two are chosen in the top bar.
import type { SuppressedFilter, Timeframe } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { type Choice, ChoiceField } from "../ui/field.tsx"
import type { ReactNode } from "react"
import { Empty } from "../ui/empty.tsx"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { knownZone } from "../ui/time.tsx"

export const timeframes: ReadonlyArray<Choice<Timeframe>> = [
  { value: "24h", text: "24 hours" },
  { value: "7d", text: "7 days" },
  { value: "14d", text: "14 days" },
  { value: "30d", text: "30 days" },
  { value: "90d", text: "90 days" },
  { value: "all", text: "All time" },
]

export const timeframeDefault: Timeframe = "30d"

const dayMs = 86_400_000

/** A time window in requests. */
export type Period = { readonly from: string } | { readonly timeframe: Timeframe }

/** Whole days of the organization up to today, as the overview counts them, so that lists and figures agree. */
const periodOf = (timeframe: Timeframe, timeZone: string): Period => {
  if (timeframe === "24h" || timeframe === "all") return { timeframe }
  // Swedish dates are those of ISO 8601.
  const today = new Date().toLocaleDateString("sv-SE", { timeZone: knownZone(timeZone) })
  const first = Date.parse(today) - (Number.parseInt(timeframe, 10) - 1) * dayMs
  return { from: new Date(first).toISOString().slice(0, 10) }
}

/** URL search parameters. */
export interface ScopeSearch {
  readonly window?: Timeframe | undefined
  /** Domain of a pixel. */
  readonly site?: string | undefined
  readonly suppressed?: SuppressedFilter | undefined
}

/** What lists and figures include; the first is the default. */
const suppressedChoices: ReadonlyArray<Choice<SuppressedFilter>> = [
  { value: "exclude", text: "Without suppressed" },
  { value: "include", text: "Include suppressed" },
  { value: "only", text: "Only suppressed" },
]

/** Drops all other search parameters. */
export const readScope = (search: Record<string, unknown>): ScopeSearch => {
  const window = timeframes.find(({ value }) => value === search["window"])?.value
  const suppressed = suppressedChoices.find(({ value }) => value === search["suppressed"])?.value
  const { site } = search
  return {
    ...(window !== undefined && { window }),
    ...(suppressed !== undefined && { suppressed }),
    ...(typeof site === "string" && site !== "" && { site }),
  }
}

export const pixelsQuery = {
  queryKey: ["pixels"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => footfall.pixels.list({ signal }),
}

export const useScope = () => {
  const {
    window = timeframeDefault,
    site,
    suppressed = "exclude",
  } = readScope(useSearch({ strict: false }))
  const { organization } = useMe()
  const pixels = useQuery({ ...pixelsQuery, enabled: site !== undefined })
  const pixelId = pixels.data?.find(({ domain }) => domain === site)?.id
  return {
    timeframe: window,
    period: periodOf(window, organization.timeZone),
    site,
    suppressed,
    /** Undefined without a site. Below `ForSite` it's only undefined in that case. */
    pixelId,
  }
}

/** Whether queries for the site in the URL can run. */
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

/** The switch on every screen whose lists and figures leave out what is suppressed. */
export const SuppressedSwitch = () => {
  const { suppressed } = useScope()
  const change = useChangeScope()
  return (
    <ChoiceField
      label="What is suppressed"
      isCompact
      choices={suppressedChoices}
      value={suppressed}
      onValue={(value) => void change({ suppressed: value === "exclude" ? undefined : value })}
    />
  )
}

/**
 * Renders content for the chosen site. Nothing below makes a request while the site loads or if it
 * has no pixel, because without a pixel id the response would cover all sites.
 */
export const ForSite = ({ children }: { readonly children: ReactNode }) => {
  const { error, isGone, isReady, retry, site } = useSite()
  if (isReady) return <>{children}</>
  if (isGone) {
    return (
      <Empty
        title="This site no longer has a pixel"
        action={
          <Link to="." search={(old) => ({ ...old, site: undefined })} className="button">
            Show all sites
          </Link>
        }
      >
        The pixel of {site} was deleted. All sites still includes its past visits.
      </Empty>
    )
  }
  if (error !== null) return <Problem error={error} onRetry={retry} />
  return <Waiting />
}
