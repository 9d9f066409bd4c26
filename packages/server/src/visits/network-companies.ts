// Which company the network of an address belongs to, asked while an event is taken in: the whole address is
// looked up in memory, and only the company stays with the event (spec 13.2). The files behind it are the
// identification room's.
import { Context } from "effect"

/** What a network says of its company; short fields of an import, and where it is. */
export interface NetworkCompany {
  /** Registrable; a company without one fills fields of people and has no record. */
  readonly domain?: string | undefined
  readonly name?: string | undefined
  readonly industry?: string | undefined
  readonly employeeCount?: number | undefined
  readonly revenueRange?: string | undefined
  readonly zipCode?: string | undefined
  readonly linkedinUrl?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly country?: string | undefined
}

export interface NetworkCompanyLookUp {
  /** Of the smallest network that holds the address; undefined where none does or it is no company's. */
  find(address: string): NetworkCompany | undefined
  /** Whether IP_COMPANY_EXCLUDE_FILE names the registrable domain. */
  isExcluded(domain: string): boolean
}

export const NetworkCompanies = Context.Reference<NetworkCompanyLookUp>(
  "@footfall/server/visits/NetworkCompanies",
  { defaultValue: () => ({ find: () => undefined, isExcluded: () => false }) },
)
