// The wire form of an imported person, with the fields of spec 2.19. It enriches the visitor with the same hash and
// creates none. An absent field keeps its value; null clears it.

type Text = string | null

export interface PersonRecord {
  /** At least one is required. If both are given, they must match. */
  readonly email?: Text
  readonly emailHash?: string
  readonly emails?: ReadonlyArray<string> | null
  /** These take precedence over the list of free-mail domains. */
  readonly businessEmail?: Text
  readonly personalEmail?: Text
  readonly emailStatus?: Text
  readonly firstName?: Text
  readonly lastName?: Text
  readonly phones?: ReadonlyArray<string> | null
  /** One flag for all phones, or a list parallel to them. */
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
