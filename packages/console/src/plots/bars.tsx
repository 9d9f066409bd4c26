// Values as bars on one scale. The bars are in a table, so every value is also a number.
import type { ReactNode } from "react"
import { count } from "../ui/time.tsx"
import "./plots.css"

export interface BarRow {
  readonly name: string
  readonly value: number
  /** Shown instead of the value. */
  readonly text?: string
  /** Shown instead of the name. */
  readonly title?: ReactNode
}

interface BarsProps {
  readonly label: string
  readonly rows: ReadonlyArray<BarRow>
  /** What the values count. */
  readonly unit: string
  /** The value of a full bar. Default: the largest. */
  readonly top?: number
}

export const Bars = ({ label, rows, unit, top }: BarsProps) => {
  const largest = top ?? Math.max(1, ...rows.map(({ value }) => Math.abs(value)))
  return (
    <table className="plain-table bars" aria-label={label}>
      <thead className="hidden">
        <tr>
          <th>{label}</th>
          <th>{unit}</th>
          <th>Bar</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, text, title = name, value }) => (
          <tr key={name}>
            <td className="break">{title}</td>
            <td className="number">{text ?? count(value)}</td>
            <td>
              <Bar share={Math.abs(value) / largest} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** `share`: 0 to 1. */
export const Bar = ({ share }: { readonly share: number }) => (
  <svg className="bar-of" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect width={Math.max(share > 0 ? 1 : 0, Math.min(1, share) * 100)} height="8" />
  </svg>
)
