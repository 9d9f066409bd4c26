// An imported person's record, as identification reads it.
import type { Profile } from "./profile.ts"

/** The addresses are normalized. */
export interface Person {
  /** The organization's, or that of shared records. */
  readonly organizationId: string
  /** Key of the record: SHA-256 of its email. */
  readonly emailHash: string
  readonly email: string | null
  readonly emails: ReadonlyArray<string>
  readonly businessEmail: string | null
  readonly personalEmail: string | null
  readonly profile: Profile
}
