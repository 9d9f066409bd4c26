// The state of a delivery. One that some contacts did not get looks different from one that everyone got.
import type { Delivery } from "@footfall/sdk"
import { Badge } from "../../ui/badge.tsx"
import { count } from "../../ui/time.tsx"
import { deliveryTones } from "../words.ts"

export const DeliveryState = ({ delivery }: { readonly delivery: Delivery }) => {
  const { failedCount, status } = delivery
  return status === "completed" && failedCount > 0 ? (
    <Badge tone="warn">completed, {count(failedCount)} failed</Badge>
  ) : (
    <Badge tone={deliveryTones[status]}>{status}</Badge>
  )
}
