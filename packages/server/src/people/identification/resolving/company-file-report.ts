// What a file of companies contains, for `doctor`: a file can be readable and still name no company.
export interface CompanyFileReport {
  /** Networks with the domain of a company. */
  readonly networks: number
  /** False: there may be more than were counted. */
  readonly isWhole: boolean
  /** Whether the file says what kind of network each one is. */
  readonly hasTypes: boolean
  /** When the maker built it, if the file says so. */
  readonly builtAt: Date | undefined
}
