// A score as the two feet of the mark: left is fit, right is interest, each filled from the heel up to its value.
import type { CSSProperties } from "react"
import { leftFoot, rightFoot, sole } from "./shapes.ts"
import "./footprints.css"

export interface ScoreParts {
  readonly total: number
  readonly fit: number
  readonly interest: number
  readonly hot: boolean
}

/** From this total on someone is warm. What is hot, the organization decides. */
const warmFrom = 40

export const toneOf = ({ hot, total }: Pick<ScoreParts, "hot" | "total">) =>
  hot ? "hot" : total >= warmFrom ? "warm" : "cool"

interface FeetProps {
  readonly score: Pick<ScoreParts, "fit" | "interest">
  readonly size: number
}

/** Set through the DOM, which the content security policy allows. */
const filled = (name: "--fit" | "--int", percent: number): CSSProperties =>
  ({ [name]: Math.max(0, Math.min(100, percent)) / 100 }) as CSSProperties

/** The number always stands beside it, so it is silent. */
export const Feet = ({ score: { fit, interest }, size }: FeetProps) => (
  <svg className="feet" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
    <g transform={leftFoot}>
      <path className="o" d={sole} />
      <path className="fit" d={sole} style={filled("--fit", fit)} />
    </g>
    <g transform={rightFoot}>
      <path className="o" d={sole} />
      <path className="int" d={sole} style={filled("--int", interest)} />
    </g>
  </svg>
)

interface ScoreFeetProps {
  readonly score: ScoreParts | null
  readonly size?: number
}

/** Unknown is a dash, never an empty foot. */
export const ScoreFeet = ({ score, size = 18 }: ScoreFeetProps) =>
  score === null ? (
    <span className="faint">–</span>
  ) : (
    <span
      className={`score ${toneOf(score)}`}
      title={`Fit ${score.fit}, interest ${score.interest}`}
    >
      <Feet score={score} size={size} />
      <b>{score.total}</b>
      {score.hot && <span className="hidden"> hot</span>}
    </span>
  )
