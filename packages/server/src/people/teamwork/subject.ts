// Whom an owner, tags and notes belong to: a person, by the SHA-256 of any of their addresses, or a company, by its domain
// (spec 2.24).
import { normalizeDomain, registrableDomain } from "@footfall/normal-form"
import { Schema } from "effect"
import { requestText } from "../../platform/http/fields.ts"

export type Subject =
  | { readonly kind: "people"; readonly emailHash: string }
  | { readonly kind: "companies"; readonly domain: string }

/** A subject that exists: the id of a visitor, or the domain of a company. */
export interface FoundSubject {
  readonly organizationId: string
  readonly kind: Subject["kind"]
  readonly id: string
}

/** Also someone held back, and those of other organizations. */
export class SubjectNotFound extends Schema.TaggedError<SubjectNotFound>()("SubjectNotFound", {}) {}

/** Owners, tags and notes share one limit. */ // spec 10.2
export const teamworkLimit = { name: "owners-tags-notes", limit: 120 }

export const personParams = {
  visitorId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)),
}
export const companyParams = { domain: requestText({ lengthMin: 1, lengthMax: 253 }) }

export const personOf = ({ visitorId }: { readonly visitorId: string }): Subject => ({
  kind: "people",
  emailHash: visitorId,
})

/** A name that no company can have finds none. */
export const companyOf = ({
  domain: name,
}: {
  readonly domain: string
}): Extract<Subject, { readonly kind: "companies" }> => {
  const host = normalizeDomain(name, 253)
  const domain = host === undefined ? undefined : registrableDomain(host)
  return { kind: "companies", domain: domain ?? "" }
}
