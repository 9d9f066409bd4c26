// Identifies browsers from other sources: the part of identification that an operator or embedding application can
// replace. Resolvers are called in order, outside any transaction, for many browsers at once; the first answer for a
// browser wins. One that fails or takes longer than two seconds gives no answers (spec 6.7).
import { Context } from "effect"

/** One browser. Unknown values, and those that are not stored, are null. */
export interface ResolverQuestion {
  /** Network address, truncated to /24 or /48 unless STORE_IP is `full`. */
  readonly ip: string | null
  readonly ua: string | null
  readonly anonymousId: string
  /** SHA-256 of the address that identifies someone in the current event. */
  readonly emailHash: string | null
}

/** A person, by email or hash. Other values fill empty fields, like traits. */
export interface ResolvedPerson {
  readonly email?: string | undefined
  readonly emailHash?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly jobTitle?: string | undefined
}

/** A company; fields and vocabularies are those of an import. */ // spec 2.19
export interface ResolvedCompany {
  readonly name?: string | undefined
  readonly domain?: string | undefined
  readonly industry?: string | undefined
  readonly employeeCount?: number | undefined
  readonly revenueRange?: string | undefined
  readonly zipCode?: string | undefined
  readonly linkedinUrl?: string | undefined
}

/** A company without a person fills empty fields of an identified visitor, and creates no visitor. */
export interface ResolverAnswer {
  readonly person?: ResolvedPerson | undefined
  readonly company?: ResolvedCompany | undefined
}

export interface IdentityResolver {
  /** For the log. */
  readonly name: string
  /** One answer, or null, per question, in order. `signal`: time is up. */
  resolve(
    questions: ReadonlyArray<ResolverQuestion>,
    options: { readonly signal: AbortSignal },
  ): Promise<ReadonlyArray<ResolverAnswer | null>>
  /** Closes what it keeps open. */
  close?(): Promise<void>
}

/** This server's resolvers, in the order they are called. */
export const IdentityResolvers = Context.Reference<ReadonlyArray<IdentityResolver>>(
  "@footfall/server/identification/IdentityResolvers",
  { defaultValue: () => [] },
)
