// All planted faults.
import { alerts } from "./alerts.ts"
import { again } from "./by-readers/again.ts"
import { clients } from "./by-readers/clients.ts"
import { collecting } from "./by-readers/collecting.ts"
import { people } from "./by-readers/people.ts"
import { requests } from "./by-readers/requests.ts"
import { work } from "./by-readers/work.ts"
import { cli } from "./cli.ts"
import type { Fault } from "./fault.ts"
import { keys } from "./keys.ts"
import { pixel } from "./pixel.ts"
import { removals } from "./removals.ts"
import { sdk } from "./sdk.ts"
import { serverOutward } from "./server-outward.ts"
import { serverRequests } from "./server-requests.ts"
import { serverWork } from "./server-work.ts"
import { sources } from "./sources.ts"
import { webhookRequests } from "./webhook-requests.ts"

export const faults: ReadonlyArray<Fault> = [
  ...serverRequests,
  ...serverWork,
  ...serverOutward,
  ...sdk,
  ...cli,
  ...pixel,
  ...collecting,
  ...people,
  ...requests,
  ...work,
  ...clients,
  ...again,
  ...alerts,
  ...sources,
  ...removals,
  ...keys,
  ...webhookRequests,
]
