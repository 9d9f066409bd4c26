// The period, the site and whether suppressed people and companies count, for every screen. The URL keeps them. The
// first two are chosen in the top bar.
import type { OverviewParams, SuppressedFilter } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { type Choice, ChoiceField } from "../ui/field.tsx"
import type { ReactNode } from "react"
import { Empty } from "../ui/empty.tsx"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { dayRange } from "../ui/time.tsx"
import {
  dayIn,
  periodOf,
  readDays,
  timeframes,
  type Window,
  windowDefault,
  windows,
} from "./period.ts"

/** Another period to compare the figures with: the one right before, or the same dates a year before. */
export type Compare = NonNullable<OverviewParams["compare"]>

/** URL search parameters. */
export interface ScopeSearch {
  readonly window?: Window | undefined
  /** The first and the last day, instead of a window. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly compare?: Compare | undefined
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

/** Drops all other search parameters, and days beside a window: a link to a window may carry over the days before it. */
export const readScope = (search: Record<string, unknown>): ScopeSearch => {
  const { compare } = search
  const window = windows.find(({ value }) => value === search["window"])?.value
  const suppressed = suppressedChoices.find(({ value }) => value === search["suppressed"])?.value
  const { site } = search
  return {
    ...(window === undefined ? readDays(search["from"], search["to"]) : { window }),
    ...((compare === "previous" || compare === "year") && { compare }),
    ...(suppressed !== undefined && { suppressed }),
    ...(typeof site === "string" && site !== "" && { site }),
  }
}

export const pixelsQuery = {
  queryKey: ["pixels"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => footfall.pixels.list({ signal }),
}

export const useScope = () => {
  const search = readScope(useSearch({ strict: false }))
  const { compare, site, suppressed = "exclude", window = windowDefault } = search
  const days = readDays(search.from, search.to)
  const { organization } = useMe()
  const today = dayIn(organization.timeZone)
  const pixels = useQuery({ ...pixelsQuery, enabled: site !== undefined })
  const pixelId = pixels.data?.find(({ domain }) => domain === site)?.id
  return {
    /** Today in the organization's time zone. */
    today,
    window,
    /** If given, they count instead of the window. */
    days,
    period: periodOf(days ?? window, today),
    periodText:
      days === undefined ? windows.find(({ value }) => value === window)?.text : dayRange(days),
    /** The period as n × 24 hours up to now, or all time; undefined for a month or for days. */
    timeframe:
      days === undefined ? timeframes.find(({ value }) => value === window)?.value : undefined,
    compare,
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
        title="This site is no longer here"
        action={
          <Link to="." search={(old) => ({ ...old, site: undefined })} className="button">
            Show all sites
          </Link>
        }
      >
        The site {site} was deleted. All sites still includes its past visits.
      </Empty>
    )
  }
  if (error !== null) return <Problem error={error} onRetry={retry} />
  return <Waiting />
}
