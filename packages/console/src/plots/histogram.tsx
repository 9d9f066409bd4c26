// People by score, with a handle for the lowest score: grey below it, sea from it on. A number field beside it holds the
// same value.
import { type KeyboardEvent, type PointerEvent } from "react"
import { count } from "../ui/time.tsx"
import "./plots.css"

export interface ScoreCount {
  readonly score: number
  readonly people: number
}

interface HistogramProps {
  readonly label: string
  readonly scores: ReadonlyArray<ScoreCount>
  /** 1 to 100. */
  readonly value: number
  readonly onValue: (value: number) => void
}

const width = 400
const height = 96

/** Scores in a bar. */
const barScores = 2

export const Histogram = ({ label, onValue, scores, value }: HistogramProps) => {
  const bars = Array.from({ length: 100 / barScores }, (_, index) => {
    const from = index * barScores + 1
    const people = scores
      .filter(({ score }) => score >= from && score < from + barScores)
      .reduce((sum, each) => sum + each.people, 0)
    return { from, people }
  })
  const top = Math.max(1, ...bars.map(({ people }) => people))
  const sumOf = (isIn: boolean) =>
    scores
      .filter(({ score }) => score >= value === isIn)
      .reduce((sum, { people }) => sum + people, 0)
  const set = (next: number) => onValue(Math.max(1, Math.min(100, Math.round(next))))
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.shiftKey ? 10 : 1
    if (event.key === "ArrowLeft" || event.key === "ArrowDown") set(value - step)
    else if (event.key === "ArrowRight" || event.key === "ArrowUp") set(value + step)
    else if (event.key === "Home") set(1)
    else if (event.key === "End") set(100)
    else return
    event.preventDefault()
  }
  const follow = ({ clientX, currentTarget }: PointerEvent): void => {
    const { left, width: shown } = currentTarget.getBoundingClientRect()
    set(((clientX - left) / shown) * 100)
  }
  const x = ((value - 1) / 100) * width
  return (
    <div className="histogram">
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={100}
        aria-valuenow={value}
        aria-valuetext={`${value}: ${count(sumOf(true))} people`}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          follow(event)
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event)
        }}
      >
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          <rect className="band" x={x} y="0" width={width - x} height={height} />
          {bars.map(({ from, people }) => {
            const rise = (people / top) * (height - 4)
            return (
              <rect
                key={from}
                className={from + barScores - 1 >= value ? "in" : "out"}
                x={((from - 1) / 100) * width + 0.6}
                y={height - rise}
                width={(barScores / 100) * width - 1.2}
                height={rise}
              />
            )
          })}
          <line
            className="cut-line"
            x1={x}
            x2={x}
            y1="0"
            y2={height}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      </div>
      <p className="spread small">
        <span>
          <b>{count(sumOf(true))}</b> from {value} on
        </span>
        <span className="faint">{count(sumOf(false))} below</span>
      </p>
    </div>
  )
}
