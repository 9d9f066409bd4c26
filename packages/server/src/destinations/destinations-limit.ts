// The limit that routes of destinations, deliveries and integrations share, by source address
// (spec 10.2).
import type { AddressRateLimitGroup } from "../http/rate-limit.ts"

export const destinationsLimit: AddressRateLimitGroup = {
  name: "destinations",
  limit: 120,
  countsUnauthorized: false,
}
