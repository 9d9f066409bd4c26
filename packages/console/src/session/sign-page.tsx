// The page of someone who is not signed in: the form, and beside it a visit as footprints, with an anonymous one that
// crosses it.
import type { ReactNode } from "react"
import { print, sole } from "../footprints/shapes.ts"
import { Mark } from "../frame/mark.tsx"
import "./session.css"

export const SignPage = ({ children }: { readonly children: ReactNode }) => (
  <div className="sign">
    <main className="sign-in">
      <Mark />
      {children}
    </main>
    <div className="sign-walk" aria-hidden="true">
      <svg viewBox="0 0 760 900" preserveAspectRatio="xMidYMid slice">
        {steps.map(([x, y, turn, kind, isLeft]) => {
          const [wide, long] = kind === "an" ? [2.3, 2.6] : [3.1, 3.5]
          return (
            <path
              key={`${x} ${y}`}
              className={kind}
              d={kind === "k" ? print : sole}
              transform={`translate(${x} ${y}) rotate(${turn}) scale(${isLeft ? -wide : wide} ${long}) translate(-5 -9)`}
            />
          )
        })}
        <text x="318" y="684">
          /customers/harbor-logistics
        </text>
        <text x="447" y="423">
          /product/dock-scheduling
        </text>
        <text x="515" y="301">
          /pricing, 2 min 40 s
        </text>
      </svg>
    </div>
  </div>
)

/** Far, near and here; a key page; anonymous. */
type Kind = "c1" | "c2" | "c3" | "k" | "an"

const steps: ReadonlyArray<
  readonly [x: number, y: number, turn: number, kind: Kind, isLeft: boolean]
> = [
  [786.4, 585.2, 248.9, "an", true],
  [712.9, 560.8, 265.8, "an", false],
  [652.3, 607.8, 261.3, "an", true],
  [584.6, 569.9, -85, "an", false],
  [518.2, 608.6, -93, "an", true],
  [452.7, 566, -82.7, "an", false],
  [385.7, 603.7, -93.6, "an", true],
  [320.1, 563, 274.6, "an", false],
  [254.9, 604.8, 262.1, "an", true],
  [187, 569.7, 269.3, "an", false],
  [125.5, 617.7, 256.2, "an", true],
  [53.7, 590.1, 263.2, "an", false],
  [-1.3, 644.1, 250.2, "an", true],
  [-18.4, 874.2, 66.4, "c1", true],
  [68.1, 893.5, 66.6, "c1", false],
  [99.9, 810.7, 46.3, "c1", true],
  [187.9, 799, 47.1, "c1", false],
  [192.3, 709.9, 29.7, "c1", true],
  [274, 677.6, 34.8, "c2", false],
  [262.7, 588.6, 21.7, "c2", true],
  [340.7, 546.9, 30.3, "c2", false],
  [324, 460, 20.3, "c2", true],
  [402.5, 417.3, 31.6, "c3", false],
  [390, 329.2, 24, "c3", true],
  [470.8, 294.6, 37.5, "k", false],
  [469, 205.5, 31.9, "c3", true],
  [554.5, 183.1, 47.1, "c3", false],
  [568.3, 95.5, 42.8, "c3", true],
]
