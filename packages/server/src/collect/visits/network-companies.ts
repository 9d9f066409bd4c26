// Finds the company of an address's network while an event is collected. The full address is only looked up in memory,
// and only the company is stored (spec 13.2). The identification room loads the files behind it.
import { Context } from "effect"

/** What is known about a network's company: the short fields of an import, and its location. */
export interface NetworkCompany {
  /** Registrable. A company without a domain fills in fields of people but gets no record. */
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
  /** For the smallest network that contains the address; undefined without one, or if it belongs to no company. */
  find(address: string): NetworkCompany | undefined
  /** Whether IP_COMPANY_EXCLUDE_FILE lists the registrable domain. */
  isExcluded(domain: string): boolean
}

export const NetworkCompanies = Context.Reference<NetworkCompanyLookUp>(
  "@footfall/server/visits/NetworkCompanies",
  { defaultValue: () => ({ find: () => undefined, isExcluded: () => false }) },
)
