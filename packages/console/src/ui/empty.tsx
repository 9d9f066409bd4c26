// An empty list: what will appear here, and the one action that fills it.
import type { ReactNode } from "react"
import { sole } from "../footprints/shapes.ts"

/** Dashed, because they are not here yet. */
const steps = [
  "translate(16 13) rotate(86) scale(-.75 1) translate(-5 -9)",
  "translate(45 31) rotate(94) scale(.75 1) translate(-5 -9)",
  "translate(74 13) rotate(86) scale(-.75 1) translate(-5 -9)",
  "translate(103 31) rotate(94) scale(.75 1) translate(-5 -9)",
]

interface EmptyProps {
  readonly title: string
  readonly children: ReactNode
  /** The only button. */
  readonly action?: ReactNode
}

export const Empty = ({ title, children, action }: EmptyProps) => (
  <div className="empty">
    <svg viewBox="0 0 120 44" className="ghost" aria-hidden="true">
      {steps.map((transform) => (
        <path key={transform} d={sole} transform={transform} />
      ))}
    </svg>
    <h2>{title}</h2>
    <div className="soft">{children}</div>
    {action}
  </div>
)
