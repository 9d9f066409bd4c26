// Who else may know a browser: the part of identification that an operator or an embedding application
// can replace. Resolvers are asked in order, outside every transaction, many browsers at once; the first
// answer for a browser wins. One that fails or takes longer than two seconds has no answers.
// Source: spec 6.7.
import { Context } from "effect"

/** One browser. What is not known, or not kept, is null. */
export interface ResolverQuestion {
  /** Network address; truncated to /24 or /48 unless STORE_IP is `full`. */
  readonly ip: string | null
  readonly ua: string | null
  readonly anonymousId: string
  /** SHA-256 of the address someone is identified by just now. */
  readonly emailHash: string | null
}

/** A person, by one of the two. Other values fill empty fields, like traits. */
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

/** A company alone fills empty fields of a visitor who is identified, and creates none. */
export interface ResolverAnswer {
  readonly person?: ResolvedPerson | undefined
  readonly company?: ResolvedCompany | undefined
}

export interface IdentityResolver {
  /** For the log. */
  readonly name: string
  /** One answer, or null, for each question, in their order. `signal`: the time is over. */
  resolve(
    questions: ReadonlyArray<ResolverQuestion>,
    options: { readonly signal: AbortSignal },
  ): Promise<ReadonlyArray<ResolverAnswer | null>>
  /** Ends what it keeps open. */
  close?(): Promise<void>
}

/** Those of this server, in the order they are asked. */
export const IdentityResolvers = Context.Reference<ReadonlyArray<IdentityResolver>>(
  "@footfall/server/identification/IdentityResolvers",
  { defaultValue: () => [] },
)
