// An imported person: what is known of an address before, or without, a visit (decisions.md 2.19).
// It enriches the visitor with the same hash and creates none. Addresses are normalized
// (visits/email-address.ts); what is unknown is null.

export interface Person {
  /** The primary address, which no other record takes away. */
  readonly email: string
  readonly emails: ReadonlyArray<string>
  /** Named as such by the import, which comes before the list of free-mail domains. */
  readonly businessEmail: string | null
  readonly personalEmail: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly linkedinUrl: string | null
  /** E.164. */
  readonly phones: ReadonlyArray<string>
  /** Parallel to `phones`; null: unknown. */
  readonly phonesDnc: ReadonlyArray<boolean> | null
  readonly jobTitle: string | null
  readonly seniority: string | null
  readonly department: string | null
  readonly companyName: string | null
  readonly companyDomain: string | null
  readonly companyLinkedinUrl: string | null
  readonly companyEmployeeCount: number | null
  readonly companyTotalRevenue: string | null
  readonly companyZipCode: string | null
  readonly industry: string | null
  readonly city: string | null
  readonly state: string | null
  readonly country: string | null
}
