// All planted faults.
import { cli } from "./cli.ts"
import type { Fault } from "./fault.ts"
import { pixel } from "./pixel.ts"
import { sdk } from "./sdk.ts"
import { serverOutward } from "./server-outward.ts"
import { serverRequests } from "./server-requests.ts"
import { serverWork } from "./server-work.ts"

export const faults: ReadonlyArray<Fault> = [
  ...serverRequests,
  ...serverWork,
  ...serverOutward,
  ...sdk,
  ...cli,
  ...pixel,
]
