// A chart of daily values: the first series as an area, the others as lines, with a scale and the first and last day. Values show on hover and with the arrow keys, and a table holds the same data.
import { useId, useState, type KeyboardEvent } from "react"
import { count } from "../ui/time.tsx"
import "./plots.css"

export interface Point {
  readonly name: string
  readonly value: number
}

/** Another series. */
export interface Line {
  readonly label: string
  /** May end before the points do. */
  readonly values: ReadonlyArray<number>
  /** The days of its values, if they are other days than those of the points. */
  readonly names?: ReadonlyArray<string>
}

interface PlotProps {
  readonly label: string
  readonly points: ReadonlyArray<Point>
  /** At most three. The third one is faint, for comparison. */
  readonly more?: ReadonlyArray<Line>
  /** The value at the top edge. Default: the largest. */
  readonly top?: number
  /** Low, without a scale. */
  readonly isSmall?: boolean
  /** What a point counts. */
  readonly unit?: string
}

/** In drawing units. The drawing scales to the width of its container. */
const width = 600
const height = 160

const none: ReadonlyArray<Line> = []

export const Plot = ({
  label,
  points,
  more = none,
  top,
  isSmall = false,
  unit = "Day",
}: PlotProps) => {
  const lines: ReadonlyArray<Line> = [{ label, values: points.map(({ value }) => value) }, ...more]
  const names = points.map(({ name }) => name)
  const [chosen, setChosen] = useState(names.length - 1)
  const id = useId()
  const at = Math.min(chosen, names.length - 1)
  const day = names[at] ?? ""
  const move = (by: number): void => setChosen(Math.max(0, Math.min(names.length - 1, at + by)))
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowLeft") move(-1)
    else if (event.key === "ArrowRight") move(1)
    else return
    event.preventDefault()
  }
  const scaleTop = roundTop(top ?? Math.max(1, ...lines.flatMap(({ values }) => values)))
  const text = lines.map((line) => {
    const where = line.names?.[at] === undefined ? "" : ` on ${line.names[at]}`
    return (more.length > 0 ? `${line.label} ` : "") + valueOf(line, at) + where
  })
  return (
    <figure className={`plot ${isSmall ? "small-plot" : ""}`}>
      <figcaption id={id} className="row">
        {lines.map((line, index) => (
          <span key={line.label} className={line.names === undefined ? undefined : "plot-other"}>
            {more.length > 0 && (
              <>
                <span className="plot-key" data-line={index} aria-hidden="true" />{" "}
                <span className="small">{line.label}</span>{" "}
              </>
            )}
            <strong>{day === "" ? "" : valueOf(line, at)}</strong>{" "}
            <span className="soft small">{line.names?.[at]}</span>
          </span>
        ))}{" "}
        <span className="soft small">{day}</span>
      </figcaption>
      <div className="plot-body">
        {!isSmall && <Scale top={scaleTop} />}
        <div
          role="slider"
          tabIndex={0}
          aria-label={`${label}: ${unit.toLowerCase()}`}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, names.length - 1)}
          aria-valuenow={Math.max(0, at)}
          aria-valuetext={`${day}: ${text.join(", ")}`}
          onKeyDown={onKeyDown}
          onPointerMove={({ clientX, currentTarget }) => {
            const { left, width: shown } = currentTarget.getBoundingClientRect()
            setChosen(Math.round(((clientX - left) / shown) * (names.length - 1)))
          }}
        >
          <Drawing lines={lines} at={at} top={scaleTop} />
        </div>
        {!isSmall && (
          <p className="plot-ends soft small" aria-hidden="true">
            <span>{names[0]}</span>
            {names.length > 1 && <span>{names.at(-1)}</span>}
          </p>
        )}
      </div>
      <Table names={names} lines={lines} unit={unit} />
    </figure>
  )
}

const valueOf = ({ values }: Line, at: number): string => {
  const value = values[at]
  return value === undefined ? "–" : count(value)
}

/** The values at the lines of the drawing: its top, its middle, and zero. */
const Scale = ({ top }: { readonly top: number }) => (
  <p className="plot-scale soft small" aria-hidden="true">
    <span>{count(top)}</span>
    <span>{top % 2 === 0 && count(top / 2)}</span>
    <span>0</span>
  </p>
)

/** The next number that reads well as the top of a scale: 69 is below 80, and 320 below 400. */
export const roundTop = (largest: number): number => {
  const unit = 10 ** Math.floor(Math.log10(largest))
  return ([1, 2, 4, 6, 8].find((times) => times * unit >= largest) ?? 10) * unit
}

interface DrawingProps {
  readonly lines: ReadonlyArray<Line>
  readonly at: number
  readonly top: number
}

const Drawing = ({ lines, at, top }: DrawingProps) => {
  const days = lines[0]?.values.length ?? 0
  const x = (index: number): number => (days === 1 ? width / 2 : (index * width) / (days - 1))
  const y = (value: number): number => height - (value / top) * height
  const path = ({ values }: Line): string =>
    values
      .slice(0, days)
      .map((value, index) => `${x(index)},${y(value)}`)
      .join(" ")
  const [first] = lines
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {[0, height / 2].map((at) => (
        <line
          key={at}
          className="grid"
          x1={0}
          x2={width}
          y1={at}
          y2={at}
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {first !== undefined && days > 0 && (
        <polygon points={`${x(0)},${height} ${path(first)} ${x(days - 1)},${height}`} />
      )}
      {lines.map((line, index) => (
        <polyline
          key={line.label}
          data-line={index}
          points={path(line)}
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {days > 0 && (
        <line x1={x(at)} x2={x(at)} y1={0} y2={height} vectorEffect="non-scaling-stroke" />
      )}
    </svg>
  )
}

interface TableProps {
  readonly names: ReadonlyArray<string>
  readonly unit: string
  readonly lines: ReadonlyArray<Line>
}

export const Table = ({ names, lines, unit }: TableProps) => (
  <details>
    <summary className="small">Show as a table</summary>
    <div className="plot-table" role="group" aria-label="Values" tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{unit}</th>
            {lines.map(({ label }) => (
              <th key={label} className="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name, index) => (
            <tr key={name}>
              <td>{name}</td>
              {lines.map((line) => (
                <td key={line.label} className="number">
                  {line.names?.[index] !== undefined && (
                    <span className="soft small">{line.names[index]} </span>
                  )}
                  {valueOf(line, index)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
)
