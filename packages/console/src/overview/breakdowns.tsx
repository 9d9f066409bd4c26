// What was read and where visits came from, each value beside the period before.
import type { BreakdownDimension, BreakdownRow } from "@footfall/sdk"
import { readablePage } from "@footfall/normal-form/page"
import { useQuery } from "@tanstack/react-query"
import type { CSSProperties } from "react"
import type { Compare } from "../frame/scope.tsx"
import { useScope } from "../frame/scope.tsx"
import { footfall } from "../session/session.ts"
import { Problem } from "../ui/problem.tsx"
import { count } from "../ui/time.tsx"
import type { Figured } from "./figured.ts"

const shownMax = 7

const freshMs = 60_000

interface Part {
  readonly by: BreakdownDimension
  readonly title: string
  /** Shown for visits without a value. */
  readonly none: string
  readonly say?: (value: string) => string
}

const countries = new Intl.DisplayNames("en", { type: "region", fallback: "code" })

const countryName = (code: string): string => {
  try {
    return countries.of(code) ?? code
  } catch {
    return code
  }
}

const parts: ReadonlyArray<Part> = [
  { by: "page", title: "Pages", none: "no page", say: readablePage },
  { by: "source", title: "Sources", none: "Direct" },
  { by: "campaign", title: "Campaigns", none: "No campaign" },
  { by: "country", title: "Countries", none: "Unknown", say: countryName },
]

interface BreakdownsProps {
  readonly period: Figured["period"]
  readonly compare: Compare
}

export const Breakdowns = (props: BreakdownsProps) => (
  <div className="breakdowns">
    {parts.map((part) => (
      <One key={part.by} part={part} {...props} />
    ))}
  </div>
)

const One = ({ compare, part, period }: BreakdownsProps & { readonly part: Part }) => {
  const { site, suppressed } = useScope()
  const { by, none, say = (value: string) => value, title } = part
  const { data, error, refetch } = useQuery({
    queryKey: ["overview", "breakdown", { by, compare, period, site, suppressed }],
    queryFn: ({ signal }) =>
      footfall.overview.breakdown(
        { ...period, by, compare, domain: site, suppressed, limit: shownMax },
        { signal },
      ),
    placeholderData: (before) => before,
    staleTime: freshMs,
  })
  if (data !== undefined && data.rows.length === 0) return null
  const top = Math.max(1, ...(data?.rows ?? []).map(({ sessions }) => sessions))
  return (
    <section className="breakdown" aria-label={title}>
      <header className="section-head">
        <h2>{title}</h2>
        <span className="soft small">visits</span>
      </header>
      <Problem error={error} onRetry={() => void refetch()} />
      <ol className="bar-list">
        {data?.rows.map((row) => (
          <Row
            key={row.value ?? ""}
            row={row}
            top={top}
            text={row.value === null ? none : say(row.value)}
          />
        ))}
      </ol>
    </section>
  )
}

interface RowProps {
  readonly row: BreakdownRow
  readonly text: string
  readonly top: number
}

const Row = ({ row: { comparison, keyPage, sessions }, text, top }: RowProps) => (
  <li className={keyPage === null ? undefined : "k"}>
    <span className="bar-name" style={{ "--w": sessions / top } as CSSProperties}>
      <span className="cut" title={text}>
        {text}
      </span>
      {keyPage !== null && <span className="hidden">, a key page</span>}
    </span>
    <b>{count(sessions)}</b>
    <span className="faint">{changeOf(sessions, comparison?.sessions ?? null)}</span>
  </li>
)

const changeOf = (now: number, before: number | null): string => {
  if (before === null) return ""
  if (before === 0) return "new"
  const percent = Math.round(((now - before) / before) * 100)
  return percent === 0 ? "0%" : `${percent > 0 ? "+" : "−"}${count(Math.abs(percent))}%`
}
