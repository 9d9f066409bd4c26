// Whether a delivery may go on, as its destination stands now (spec 4.3, 4.4). Looked at before the
// first contact and after every batch.
import type { Target } from "../../destinations/targets/target.ts"

/** `pause`: it goes back to the queue and waits. `cancel`: it is over. */
export type Standing = "go" | "pause" | "cancel"

export const standingOf = (
  target: Target,
  {
    approvedAtFirst,
    mayDeliver,
  }: { readonly approvedAtFirst: string | null; readonly mayDeliver: boolean },
): Standing => {
  const { approvedConfigHash, isApproved, isDeleted, status } = target
  // A change of the configuration made it a draft, even when it was approved again since.
  const isChanged = !isApproved || approvedConfigHash !== approvedAtFirst
  if (isDeleted || status === "draft" || isChanged) return "cancel"
  return status === "active" && mayDeliver ? "go" : "pause"
}
