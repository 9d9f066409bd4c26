// Daily or hourly values as columns, each with a tick for the period before, so that one sees the day that beat its own
// past. Values show on hover and with the arrow keys, and a table holds the same data.
import { useState, type KeyboardEvent } from "react"
import { count } from "../ui/time.tsx"
import { roundTop, Table } from "./plot.tsx"
import "./plots.css"

interface Value {
  readonly name: string
  readonly value: number
}

interface ColumnsProps {
  /** What is counted. */
  readonly label: string
  readonly unit: string
  readonly points: ReadonlyArray<Value>
  /** The same days or hours of another period; may be shorter. */
  readonly before: ReadonlyArray<Value>
  /** The other period in words. */
  readonly beforeText: string
}

/** In drawing units. The drawing scales to the width of its container. */
const height = 160

export const Columns = ({ before, beforeText, label, points, unit }: ColumnsProps) => {
  const [chosen, setChosen] = useState<number>()
  const last = points.length - 1
  const at = Math.max(0, Math.min(chosen ?? last, last))
  const move = (by: number): void => setChosen(Math.max(0, Math.min(last, at + by)))
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowLeft") move(-1)
    else if (event.key === "ArrowRight") move(1)
    else return
    event.preventDefault()
  }
  const top = roundTop(Math.max(1, ...[...points, ...before].map(({ value }) => value)))
  const point = points[at]
  const other = before[at]
  return (
    <figure className="columns">
      <div className="columns-body">
        <p className="plot-scale soft small" aria-hidden="true">
          <span>{count(top)}</span>
          <span>{top % 2 === 0 && count(top / 2)}</span>
          <span>0</span>
        </p>
        <div
          role="slider"
          tabIndex={0}
          aria-label={`${label}: ${unit.toLowerCase()}`}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, last)}
          aria-valuenow={at}
          aria-valuetext={
            point === undefined
              ? ""
              : `${point.name}: ${label} ${count(point.value)}${
                  other === undefined
                    ? ""
                    : `, ${beforeText} ${count(other.value)} on ${other.name}`
                }`
          }
          onKeyDown={onKeyDown}
          onPointerMove={({ clientX, currentTarget }) => {
            const { left, width } = currentTarget.getBoundingClientRect()
            setChosen(Math.floor(((clientX - left) / width) * points.length))
          }}
          onPointerLeave={() => setChosen(undefined)}
        >
          <svg
            viewBox={`0 0 ${Math.max(1, points.length) * 10} ${height}`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            {[0, height / 2, height].map((y) => (
              <line
                key={y}
                className="grid"
                x1="0"
                x2="100%"
                y1={y}
                y2={y}
                vectorEffect="non-scaling-stroke"
              />
            ))}
            {points.map(({ name, value }, index) => (
              <rect
                key={name}
                className={index === at && chosen !== undefined ? "c on" : "c"}
                x={index * 10 + 1.8}
                y={height - (value / top) * height}
                width="6.4"
                height={(value / top) * height}
              />
            ))}
            {before.slice(0, points.length).map(({ name, value }, index) => (
              <line
                key={name}
                className="p"
                x1={index * 10 + 0.4}
                x2={index * 10 + 9.6}
                y1={height - (value / top) * height}
                y2={height - (value / top) * height}
                vectorEffect="non-scaling-stroke"
              />
            ))}
          </svg>
        </div>
        <p className="plot-ends soft small" aria-hidden="true">
          <span>{points[0]?.name}</span>
          <span>{points.at(-1)?.name}</span>
        </p>
      </div>
      <figcaption className="small">
        <span className="legend">
          <i className="sw" /> {label}
        </span>
        {before.length > 0 && (
          <span className="legend">
            <i className="ln" /> {beforeText}
          </span>
        )}
        <span className="chosen" aria-hidden="true">
          {point !== undefined && (
            <>
              <span className="soft">{point.name}</span> <b>{count(point.value)}</b>
              {other !== undefined && <span className="soft"> from {count(other.value)}</span>}
            </>
          )}
        </span>
      </figcaption>
      <Table
        names={points.map(({ name }) => name)}
        unit={unit}
        lines={[
          { label, values: points.map(({ value }) => value) },
          ...(before.length === 0
            ? []
            : [
                {
                  label: beforeText,
                  values: before.map(({ value }) => value),
                  names: before.map(({ name }) => name),
                },
              ]),
        ]}
      />
    </figure>
  )
}
