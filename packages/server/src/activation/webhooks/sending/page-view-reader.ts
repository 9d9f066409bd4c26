// Reads what is sent of page views: their people and companies, with counts of the whole history (spec 8.6.2).
import { registrableDomain } from "@footfall/normal-form"
import { type DateTime, Effect } from "effect"
import type { CompanyScope, CompanyStore } from "../../../people/visitors/companies/store.ts"
import type { ListScope } from "../../../people/visitors/list-scope.ts"
import { canonicalVisitorOf } from "../../../people/visitors/visitor.ts"
import type { VisitorRow } from "../../../people/visitors/visitor-row.ts"
import type { VisitorStore } from "../../../people/visitors/store.ts"
import type { SeenPage } from "../delivery-record.ts"
import { type PageView, sentCompanyOf } from "../payload.ts"

/** Whose counts: within the webhook's pixel, or across all pixels. */ // spec 8.5
interface Scope {
  readonly organizationId: string
  readonly webhookPixelId: string | null
}

interface Subject {
  /** Null for an anonymous visit. */
  readonly visitorId: string | null
  /** Of an anonymous visit. */
  readonly companyDomain: string | null
}

interface View extends Subject {
  readonly page: SeenPage
  readonly list: PageView["list"]
}

/** Returns what is sent of each view: undefined if its person or company is no longer there. */
export const pageViewReader = (
  visitors: VisitorStore["Service"],
  companies: CompanyStore["Service"],
) =>
  Effect.fnUntraced(function* (asOf: DateTime.Utc, scope: Scope, subjects: ReadonlyArray<Subject>) {
    const ids = [...new Set(subjects.flatMap(({ visitorId }) => visitorId ?? []))]
    const people =
      ids.length === 0
        ? new Map<string, VisitorRow>()
        : yield* visitors.findByIds(
            wholeHistory(scope.organizationId, scope.webhookPixelId, asOf),
            ids,
          )
    const found = new Map([...people].map(([id, row]) => [id, canonicalVisitorOf(row)]))
    const domains = [
      ...subjects.flatMap(({ companyDomain }) => companyDomain ?? []),
      ...[...found.values()].flatMap(({ companyDomain }) => companyOf(companyDomain) ?? []),
    ]
    const rows = yield* companies.findByDomains(companyScopeOf(scope), [...new Set(domains)])
    const companyRow = (domain: string | undefined) => {
      const row = rows.get(domain ?? "")
      return row === undefined || row.suppressed ? null : row
    }
    return ({ companyDomain, list, page, visitorId }: View): PageView | undefined => {
      const visitor = found.get(visitorId ?? "") ?? null
      const row = companyRow(
        visitor === null ? (companyDomain ?? undefined) : companyOf(visitor.companyDomain),
      )
      if (visitor === null && (visitorId !== null || row === null)) return undefined
      const score = (visitor === null ? row : people.get(visitorId ?? ""))?.score ?? null
      return { page, visitor, company: row && sentCompanyOf(row), score, list }
    }
  })

/** The key of a person's company. */ // spec 13.1.1
const companyOf = (domain: string | null): string | undefined =>
  domain === null ? undefined : registrableDomain(domain)

export const companyScopeOf = ({ organizationId, webhookPixelId }: Scope): CompanyScope => ({
  organizationId,
  pixelId: webhookPixelId ?? undefined,
  from: undefined,
  suppressed: "include",
})

export const wholeHistory = (
  organizationId: string,
  pixelId: string | null,
  asOf: DateTime.Utc,
): ListScope => ({
  organizationId,
  pixelId: pixelId ?? undefined,
  isEmpty: false,
  timeframe: "all",
  asOf,
  from: undefined,
  suppressed: "exclude",
})
