// A person as it is imported: the fields of spec 2.19 in their wire form. It enriches the visitor
// with the same hash and creates none. An absent field keeps its value; null clears it.

type Text = string | null

export interface PersonRecord {
  /** One of the two; both must agree. */
  readonly email?: Text
  readonly emailHash?: string
  readonly emails?: ReadonlyArray<string> | null
  /** Named as such by the import, which comes before the list of free-mail domains. */
  readonly businessEmail?: Text
  readonly personalEmail?: Text
  readonly emailStatus?: Text
  readonly firstName?: Text
  readonly lastName?: Text
  readonly phones?: ReadonlyArray<string> | null
  /** For all phones, or parallel to them. */
  readonly phonesDnc?: boolean | ReadonlyArray<boolean> | null
  readonly linkedinUrl?: Text
  readonly headline?: Text
  readonly jobTitle?: Text
  readonly seniority?: Text
  readonly department?: Text
  readonly company?: {
    readonly name?: Text
    readonly domain?: Text
    readonly industry?: Text
    readonly industryGroup?: Text
    readonly employeeCount?: number | null
    readonly revenueRange?: Text
    readonly zipCode?: Text
    readonly linkedinUrl?: Text
  } | null
  readonly geo?: {
    readonly city?: Text
    readonly state?: Text
    readonly country?: Text
  } | null
  readonly demographics?: {
    readonly ageRange?: Text
    readonly gender?: Text
  } | null
  readonly isB2b?: Text
}
