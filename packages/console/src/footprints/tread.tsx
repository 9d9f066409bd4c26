// Days as a tread: a mark a day whose height is the pages of that day, and a dash on the base line for a day without.
// The mark of a day with a key page presses through the base line.
import "./footprints.css"

export interface TreadDay {
  readonly date: string
  readonly pageviews: number
  readonly isKey: boolean
}

interface TreadProps {
  /** Every day of the period, oldest first. */
  readonly days: ReadonlyArray<TreadDay>
  /** The pages of the highest mark. Within a list it is the same for all. */
  readonly top: number
  /** What a screen reader says. */
  readonly label: string
  readonly height?: number
}

/** A day's width in drawing units. */
const pitch = 4.4

export const Tread = ({ days, height = 32, label, top }: TreadProps) => {
  const base = height - 4.5
  const rise = (pageviews: number): number => 3 + (base - 3) * Math.min(1, pageviews / top)
  const width = days.length * pitch
  return (
    <svg
      className="tread"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {days.map(({ date, isKey, pageviews }, index) => {
        const x = (index * pitch + 0.6).toFixed(1)
        if (pageviews === 0) {
          return <rect key={date} className="z" x={x} y={base - 1.5} width="3.2" height="1.5" />
        }
        const mark = rise(pageviews)
        return (
          <rect
            key={date}
            className={isKey ? "k" : undefined}
            x={x}
            y={(base - mark).toFixed(1)}
            width="3.2"
            height={(isKey ? mark + 4 : mark).toFixed(1)}
            rx="1.2"
          />
        )
      })}
    </svg>
  )
}
