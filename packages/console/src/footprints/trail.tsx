// One visit as a trail: a step a page, left and right in turn, longer the longer someone stayed.
import { print, sole } from "./shapes.ts"
import "./footprints.css"

export interface TrailPage {
  /** Null if unknown. */
  readonly seconds: number | null
  readonly isKey: boolean
}

interface TrailProps {
  readonly pages: ReadonlyArray<TrailPage>
  readonly isAnonymous?: boolean
  /** What a screen reader says; empty if words beside it say the same. */
  readonly label: string
}

/** From one more page on, it shows these and how many there are more. */
const shownMax = 15

/** A step's length in pixels: the square root of the seconds, from a glance to five minutes. */
export const stepLength = (seconds: number | null): number => {
  const share = Math.sqrt(Math.min(300, Math.max(0, seconds ?? 0)) / 300)
  return 9 + 5 * share
}

const gap = 1.6

export const Trail = ({ pages, isAnonymous = false, label }: TrailProps) => {
  const shown = pages.slice(0, shownMax)
  const lengths = shown.map(({ seconds }) => stepLength(seconds))
  const ends = lengths.reduce<ReadonlyArray<number>>(
    (sums, length) => [...sums, (sums.at(-1) ?? 0) + length + gap],
    [],
  )
  const width = Math.ceil((ends.at(-1) ?? 0) + 1)
  return (
    <span className="trail-box">
      <svg
        className={`trail ${isAnonymous ? "anonymous" : ""}`}
        width={width}
        height={14}
        viewBox={`0 0 ${width} 14`}
        {...(label === "" ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
      >
        {shown.map(({ isKey }, index) => {
          const length = lengths[index]!
          const x = (ends[index]! - gap - length / 2).toFixed(1)
          const isLeft = index % 2 === 0
          return (
            <path
              key={x}
              className={isKey ? "k" : undefined}
              d={isKey ? print : sole}
              transform={`translate(${x} ${isLeft ? 3.4 : 10.6}) rotate(${isLeft ? 86 : 94}) scale(${isLeft ? -0.54 : 0.54} ${(length / 18).toFixed(2)}) translate(-5 -9)`}
            />
          )
        })}
      </svg>
      {pages.length > shownMax && <small>+{pages.length - shownMax}</small>}
    </span>
  )
}

interface StepProps extends TrailPage {
  /** Of the visit: even steps are left feet. */
  readonly index: number
  readonly isAnonymous?: boolean
}

/** One page in a list of pages, upright. The page's words stand beside it. */
export const Step = ({ index, isAnonymous = false, isKey, seconds }: StepProps) => {
  const isLeft = index % 2 === 0
  const scale = (stepLength(seconds) / 11).toFixed(2)
  return (
    <svg
      className={`step ${isAnonymous ? "anonymous" : ""}`}
      width={34}
      height={36}
      viewBox="0 0 34 36"
      aria-hidden="true"
    >
      <path
        className={isKey ? "k" : undefined}
        d={isKey ? print : sole}
        transform={`translate(${isLeft ? 10 : 23} 18) rotate(${isLeft ? 174 : 186}) scale(${isLeft ? 0.95 : -0.95} ${scale}) translate(-5 -9)`}
      />
    </svg>
  )
}
