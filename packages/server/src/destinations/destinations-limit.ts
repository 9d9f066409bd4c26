// The limit that routes of destinations, deliveries and integrations share, by source address
// (service.md, Limits; decisions.md 10.2).
import type { AddressRateLimitGroup } from "../http/address-rate-limit.ts"

export const destinationsLimit: AddressRateLimitGroup = {
  name: "destinations",
  limit: 120,
  countsUnauthorized: false,
}
