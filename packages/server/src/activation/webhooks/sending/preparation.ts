// Takes deliveries from the queue and builds their bodies in one transaction. A body is stored before its first
// attempt, so every attempt and redelivery sends the same bytes, until the webhook's format changes. It contains the
// person's data at that time; people who must no longer be sent get no body. A digest names several people, so each
// attempt builds it again from those who may still be sent.
import { Context, DateTime, Effect, Layer } from "effect"
import { AccessConfig } from "../../../access/access-config.ts"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { messageIdOf } from "../../../platform/outbound/signing.ts"
import { type CompanyRow, CompanyStore } from "../../../people/visitors/companies/store.ts"
import { canonicalVisitorOf } from "../../../people/visitors/visitor.ts"
import type { VisitorRow } from "../../../people/visitors/visitor-row.ts"
import { VisitorStore } from "../../../people/visitors/store.ts"
import { bodyOf, companyBodyOf, digestBodyOf, memberBodyOf, pageBodyOf } from "../formats/format.ts"
import { companyDigestOf, digestOf, pageDigestOf } from "../formats/notice.ts"
import { type Envelope, sentCompanyOf } from "../payload.ts"
import { companyScopeOf, pageViewReader, wholeHistory } from "./page-view-reader.ts"
import { type ClaimedDelivery, type InHand, type Room, SendingStore } from "./store.ts"

export class Preparation extends Context.Service<
  Preparation,
  {
    /** Claims due deliveries for the caller, at most what is free. A delivery without a payload has no one left to send. */
    next(
      room: Room,
      inHand: ReadonlyArray<InHand>,
    ): Effect.Effect<ReadonlyArray<ClaimedDelivery>, DatabaseError>
  }
>()("@footfall/server/webhooks/Preparation") {
  static readonly layer = Layer.effect(
    Preparation,
    Effect.gen(function* () {
      const store = yield* SendingStore
      const visitors = yield* VisitorStore
      const companies = yield* CompanyStore
      const viewsOf = pageViewReader(visitors, companies)
      const { baseUrl } = yield* AccessConfig

      const digestsOf = Effect.fnUntraced(function* (
        asOf: DateTime.Utc,
        deliveries: ReadonlyArray<ClaimedDelivery>,
      ) {
        const of = Map.groupBy(deliveries, ({ event }) => event)
        return [
          ...(yield* digestsOfPeople(asOf, of.get("visitor.digest") ?? [])),
          ...(yield* digestsOfCompanies(of.get("company.digest") ?? [])),
          ...(yield* digestsOfPages(asOf, of.get("page.digest") ?? [])),
        ]
      })

      const digestsOfPages = Effect.fnUntraced(function* (
        asOf: DateTime.Utc,
        deliveries: ReadonlyArray<ClaimedDelivery>,
      ) {
        if (deliveries.length === 0) return []
        const found = new Map((yield* store.pageDigests(deliveries)).map((row) => [row.id, row]))
        return yield* Effect.forEach(deliveries, (delivery) =>
          Effect.gen(function* () {
            const row = found.get(delivery.id)
            const { digest, format } = delivery
            if (row === undefined || digest === null || format === "standard") {
              return { ...delivery, payload: null }
            }
            const viewOf = yield* viewsOf(asOf, delivery, row.first)
            const first = row.first.flatMap(({ page, ...subject }) => {
              const view = viewOf({ ...subject, page, list: null })
              return view === undefined ? [] : [view]
            })
            const built = pageDigestOf(row.views, digest, first, baseUrl)
            return { ...delivery, payload: digestBodyOf(format, built) }
          }),
        )
      })

      const pagesOf = Effect.fnUntraced(function* (
        asOf: DateTime.Utc,
        deliveries: ReadonlyArray<ClaimedDelivery>,
      ) {
        if (deliveries.length === 0) return []
        const viewOf = yield* viewsOf(asOf, deliveries[0]!, deliveries)
        return deliveries.map((delivery) => {
          const { format, page } = delivery
          const view = page === null ? undefined : viewOf({ ...delivery, page })
          const payload =
            view === undefined
              ? null
              : pageBodyOf(format, envelopeOf(delivery, "page.viewed"), view, baseUrl)
          return { ...delivery, payload }
        })
      })

      const digestsOfCompanies = Effect.fnUntraced(function* (
        deliveries: ReadonlyArray<ClaimedDelivery>,
      ) {
        if (deliveries.length === 0) return []
        const found = new Map((yield* store.companyDigests(deliveries)).map((row) => [row.id, row]))
        return yield* Effect.forEach(deliveries, (delivery) =>
          Effect.gen(function* () {
            const row = found.get(delivery.id)
            const { digest, format, segment } = delivery
            if (row === undefined || digest === null || format === "standard") {
              return { ...delivery, payload: null }
            }
            const rows = yield* companies.findByDomains(companyScopeOf(delivery), row.domains)
            const first = row.domains.flatMap((domain) => {
              const company = rows.get(domain)
              return company === undefined ? [] : [sentCompanyOf(company)]
            })
            const counts = { ...row, segment: segment?.name ?? null }
            const built = companyDigestOf(counts, digest, first, baseUrl)
            return { ...delivery, payload: digestBodyOf(format, built) }
          }),
        )
      })

      const digestsOfPeople = Effect.fnUntraced(function* (
        asOf: DateTime.Utc,
        deliveries: ReadonlyArray<ClaimedDelivery>,
      ) {
        if (deliveries.length === 0) return []
        const found = new Map((yield* store.digests(deliveries)).map((row) => [row.id, row]))
        return yield* Effect.forEach(deliveries, (delivery) =>
          Effect.gen(function* () {
            const row = found.get(delivery.id)
            const { digest, format, organizationId, segment, webhookPixelId } = delivery
            if (row === undefined || digest === null || format === "standard") {
              return { ...delivery, payload: null }
            }
            const scope = wholeHistory(organizationId, webhookPixelId, asOf)
            const rows = yield* visitors.findByIds(scope, row.visitorIds)
            const first = row.visitorIds.flatMap((id) => {
              const visitor = rows.get(id)
              return visitor === undefined ? [] : [canonicalVisitorOf(visitor)]
            })
            const payload = digestBodyOf(
              format,
              digestOf({ ...row, segment: segment?.name ?? null }, digest, first, baseUrl),
            )
            return { ...delivery, payload }
          }),
        )
      })

      const payloadsOf = Effect.fnUntraced(function* (
        asOf: DateTime.Utc,
        all: ReadonlyArray<ClaimedDelivery>,
      ) {
        const ofPages = yield* pagesOf(
          asOf,
          all.filter(({ event }) => event === "page.viewed"),
        )
        const deliveries = all.filter(({ event }) => event !== "page.viewed")
        if (deliveries.length === 0) return ofPages
        const { organizationId, webhookPixelId } = deliveries[0]!
        const scope = wholeHistory(organizationId, webhookPixelId, asOf)
        const ids = [...new Set(deliveries.flatMap(({ visitorId }) => visitorId ?? []))]
        const rows =
          ids.length === 0 ? new Map<string, VisitorRow>() : yield* visitors.findByIds(scope, ids)
        const domains = [...new Set(deliveries.flatMap(({ companyDomain }) => companyDomain ?? []))]
        const found = yield* companies.findByDomains(companyScopeOf(deliveries[0]!), domains)
        const built = deliveries.map((delivery) => ({
          ...delivery,
          payload:
            delivery.companyDomain === null
              ? visitorDeliveryOf(delivery, rows.get(delivery.visitorId ?? ""), baseUrl)
              : companyDeliveryOf(delivery, found.get(delivery.companyDomain), baseUrl),
        }))
        return [...ofPages, ...built]
      })

      const next = (room: Room, inHand: ReadonlyArray<InHand>) =>
        store.transaction(
          Effect.gen(function* () {
            const claimed = yield* store.claim(room, inHand)
            if (claimed.length === 0) return []
            const asOf = yield* DateTime.now
            const deliveries = claimed.map((delivery) =>
              hasSubject(delivery) ? delivery : { ...delivery, payload: null },
            )
            const needsPayload = (delivery: ClaimedDelivery) =>
              hasSubject(delivery) &&
              (delivery.payload === null ||
                delivery.digest !== null ||
                delivery.payloadFormat !== delivery.format)
            const scopes = Map.groupBy(
              deliveries.filter((delivery) => needsPayload(delivery) && delivery.digest === null),
              ({ organizationId, webhookPixelId }) => `${organizationId} ${webhookPixelId}`,
            )
            const built = [
              ...(yield* Effect.forEach(scopes.values(), (group) =>
                payloadsOf(asOf, group),
              )).flat(),
              ...(yield* digestsOf(
                asOf,
                deliveries.filter((delivery) => needsPayload(delivery) && delivery.digest !== null),
              )),
            ]
            yield* store.keepPayloads(
              built.flatMap(({ attempts, claim, format, id, organizationId, payload }) =>
                payload === null ? [] : [{ organizationId, id, attempts, claim, payload, format }],
              ),
            )
            return [...deliveries.filter((delivery) => !needsPayload(delivery)), ...built]
          }),
        )

      return Preparation.of({ next })
    }),
  )
}

/** The `webhook-id`: derived from the delivery's id, the same for every attempt. */ // spec 8.5
export const webhookIdOf = ({ event, id }: Pick<ClaimedDelivery, "event" | "id">): string =>
  messageIdOf(id, event, "")

/** Whether the delivery still has a person or company to send. */
const hasSubject = ({ companyDomain, digest, visitorId }: ClaimedDelivery): boolean =>
  visitorId !== null || companyDomain !== null || digest !== null

const envelopeOf = (delivery: ClaimedDelivery, event: Envelope["event"]): Envelope => {
  const { createdAt, organizationId, pixelDomain, pixelId, segment, trigger } = delivery
  return {
    id: webhookIdOf(delivery),
    event,
    timestamp: createdAt,
    trigger,
    organizationId,
    segment,
    pixel: { id: pixelId, domain: pixelDomain },
  }
}

const visitorDeliveryOf = (
  delivery: ClaimedDelivery,
  row: VisitorRow | undefined,
  baseUrl: string,
): string | null => {
  const { event, format } = delivery
  if (row === undefined) return null
  const visitor = canonicalVisitorOf(row)
  switch (event) {
    case "visitor.identified":
    case "visitor.updated":
      return bodyOf(format, envelopeOf(delivery, event), visitor, baseUrl)
    case "segment.entered":
    case "segment.left":
      return memberBodyOf(format, envelopeOf(delivery, event), { visitor, company: null }, baseUrl)
    default:
      return null
  }
}

const companyDeliveryOf = (
  delivery: ClaimedDelivery,
  row: CompanyRow | undefined,
  baseUrl: string,
): string | null => {
  const { event, format } = delivery
  if (row === undefined) return null
  const company = sentCompanyOf(row)
  switch (event) {
    case "company.identified":
      return companyBodyOf(format, envelopeOf(delivery, event), company, baseUrl)
    case "segment.entered":
    case "segment.left":
      return memberBodyOf(format, envelopeOf(delivery, event), { visitor: null, company }, baseUrl)
    default:
      return null
  }
}
