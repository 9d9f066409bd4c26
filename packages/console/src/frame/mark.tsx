// The product name with its two footprints, which the API reference and the server's own pages show too.
import { leftFoot, rightFoot, sole } from "../footprints/shapes.ts"

export const Mark = () => (
  <span className="mark">
    <svg viewBox="0 0 24 24" width="22" fill="currentColor" aria-hidden="true">
      <path d={sole} transform={leftFoot} />
      <path d={sole} transform={rightFoot} />
    </svg>
    <span>Footfall</span>
  </span>
)
