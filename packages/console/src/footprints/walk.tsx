// Who walked when: people by days, each day a step. One sees who brought whom, and when.
import type { ReactNode } from "react"
import type { FootprintDay } from "./days.ts"
import { print, sole } from "./shapes.ts"
import { stepLength } from "./trail.tsx"
import "./footprints.css"

export interface WalkRow {
  readonly id: string
  readonly name: ReactNode
  /** What a screen reader says of the row's days. */
  readonly label: string
  readonly end?: ReactNode
  readonly isAnonymous?: boolean
  readonly days: ReadonlyArray<FootprintDay>
}

interface WalkProps {
  /** The same days as in each row. */
  readonly dates: ReadonlyArray<string>
  readonly rows: ReadonlyArray<WalkRow>
  /** The pages of all people, also of those who have no row. */
  readonly known: ReadonlyArray<FootprintDay>
  readonly anonymous: ReadonlyArray<FootprintDay>
}

/** A day's width in drawing units. */
const pitch = 16

const isWeekend = (date: string): boolean => [0, 6].includes(new Date(date).getUTCDay())

const Weekends = ({
  dates,
  height,
}: {
  readonly dates: ReadonlyArray<string>
  readonly height: number
}) =>
  dates.map((date, index) =>
    isWeekend(date) ? (
      <rect key={date} className="we" x={index * pitch} y="0" width={pitch} height={height} />
    ) : null,
  )

export const Walk = ({ anonymous, dates, known, rows }: WalkProps) => (
  <div className="walk">
    <div className="walk-row total">
      <span className="soft small">Pages a day</span>
      <Totals dates={dates} known={known} anonymous={anonymous} />
      <span />
    </div>
    <ul>
      {rows.map(({ days, end, id, isAnonymous = false, label, name }) => (
        <li key={id} className="walk-row">
          <span className="walk-name">{name}</span>
          <Track dates={dates} days={days} label={label} isAnonymous={isAnonymous} />
          <span className="walk-end">{end}</span>
        </li>
      ))}
    </ul>
    <div className="walk-row axis" aria-hidden="true">
      <span />
      <span className="walk-dates">
        {dates
          .filter((date) => new Date(date).getUTCDay() === 1)
          .map((date) => (
            <time
              key={date}
              style={{ left: `${((dates.indexOf(date) + 0.5) / dates.length) * 100}%` }}
            >
              {monday.format(new Date(date))}
            </time>
          ))}
      </span>
    </div>
  </div>
)

const monday = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
})

interface TrackProps {
  readonly dates: ReadonlyArray<string>
  readonly days: ReadonlyArray<FootprintDay>
  readonly label: string
  readonly isAnonymous: boolean
}

const rowHeight = 36

/** Seconds that a day's pages are drawn as, so that a step grows as one of a trail does. */
const secondsOfPage = 20

const Track = ({ dates, days, isAnonymous, label }: TrackProps) => {
  const width = dates.length * pitch
  let steps = 0
  return (
    <svg
      className={`tracks ${isAnonymous ? "anonymous" : ""}`}
      viewBox={`0 0 ${width} ${rowHeight}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <Weekends dates={dates} height={rowHeight} />
      {days.map(({ date, isKey, pageviews }, index) => {
        if (pageviews === 0) return null
        const isLeft = steps++ % 2 === 0
        const length = (stepLength(pageviews * secondsOfPage) / 16).toFixed(2)
        return (
          <path
            key={date}
            className={isKey ? "k" : undefined}
            d={isKey ? print : sole}
            transform={`translate(${index * pitch + pitch / 2} ${isLeft ? 13.8 : 22.2}) rotate(${isLeft ? 87 : 93}) scale(${isLeft ? -0.7 : 0.7} ${length}) translate(-5 -9)`}
          >
            <title>{`${date}: ${pageviews} ${pageviews === 1 ? "page" : "pages"}${isKey ? ", a key page" : ""}`}</title>
          </path>
        )
      })}
    </svg>
  )
}

const totalHeight = 48

const Totals = ({ anonymous, dates, known }: Pick<WalkProps, "anonymous" | "dates" | "known">) => {
  const width = dates.length * pitch
  const pages = dates.map((_, index) => ({
    known: known[index]?.pageviews ?? 0,
    anonymous: anonymous[index]?.pageviews ?? 0,
  }))
  const top = Math.max(1, ...pages.map((day) => day.known + day.anonymous))
  const rise = (value: number): number => (value / top) * (totalHeight - 2)
  const sum = (of: "known" | "anonymous") => pages.reduce((all, day) => all + day[of], 0)
  return (
    <svg
      className="tracks"
      viewBox={`0 0 ${width} ${totalHeight}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${sum("known")} pages of known people, ${sum("anonymous")} of anonymous visitors`}
    >
      <Weekends dates={dates} height={totalHeight} />
      {pages.map((day, index) => {
        const x = index * pitch + 3.5
        const [below, above] = [rise(day.known), rise(day.anonymous)]
        return (
          <g key={dates[index]}>
            {day.anonymous > 0 && (
              <rect
                className="pb2"
                x={x}
                y={totalHeight - below - above}
                width="9"
                height={above}
                rx="1.5"
              />
            )}
            {day.known > 0 && (
              <rect
                className="pb"
                x={x}
                y={totalHeight - below}
                width="9"
                height={below}
                rx="1.5"
              />
            )}
          </g>
        )
      })}
    </svg>
  )
}
