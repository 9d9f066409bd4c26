// Sends one test request about a made-up person or company, at once. It is signed like any other, but not counted (spec
// 5.6, 8.5).
import { Clock, Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccessConfig } from "../../../access/access-config.ts"
import { DataKeys } from "../../../platform/secrets/data-keys.ts"
import { postMessage, type Posted } from "../../../platform/outbound/message.ts"
import { Outbound } from "../../../platform/outbound/outbound.ts"
import { newMessageId } from "../../../platform/outbound/signing.ts"
import { Pixels } from "../../../collect/pixels/pixels.ts"
import type { RuleSubject } from "../../../people/visitors/query/predicate.ts"
import { Segments } from "../../../people/visitors/segments/segments.ts"
import type { CanonicalVisitor } from "../../../people/visitors/visitor.ts"
import { hashEmail } from "../../../collect/visits/email-address.ts"
import { openSecrets } from "../signing-secrets.ts"
import { type WebhookKey, WebhookStore } from "../store.ts"
import { bodyOf, companyBodyOf, memberBodyOf, pageBodyOf } from "../formats/format.ts"
import { WebhookNotFound, Webhooks } from "../webhooks.ts"
import type { Envelope, SentCompany } from "../payload.ts"
import { AlertMails } from "./alert-mails.ts"
import { isAboutSegment, isSigned, type Webhook } from "../webhook.ts"

export interface TestResult {
  /** Whether the response was 2xx. */
  readonly ok: boolean
  readonly statusCode: number | null
  readonly latencyMs: number
  /** Why the test failed, in words for people. */
  readonly error: string | null
}

export class WebhookTests extends Context.Service<
  WebhookTests,
  {
    /** Sends a `webhook.test`, whatever the webhook's status. Takes at most its `timeoutMs`. */
    send(key: WebhookKey): Effect.Effect<TestResult, WebhookNotFound>
  }
>()("@footfall/server/webhooks/WebhookTests") {
  static readonly layer = Layer.effect(
    WebhookTests,
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const store = yield* WebhookStore
      const segments = yield* Segments
      const pixels = yield* Pixels
      const outbound = yield* Outbound
      const dataKeys = yield* DataKeys
      const random = yield* SecureRandom.SecureRandom
      const mails = yield* AlertMails
      const { baseUrl } = yield* AccessConfig

      const segmentOf = (organizationId: string, segmentId: string | null) =>
        segmentId === null
          ? Effect.succeed(null)
          : segments
              .find(organizationId, segmentId)
              .pipe(Effect.catchTag("SegmentNotFound", () => Effect.succeed(null)))

      const pixelOf = (organizationId: string, pixelId: string | null) =>
        pixelId === null
          ? Effect.succeed(samplePixel)
          : pixels.find({ organizationId, pixelId }).pipe(
              Effect.map(({ domain, id }) => ({ id, domain })),
              Effect.catchTag("PixelNotFound", () => Effect.succeed(samplePixel)),
            )

      const mailed = (
        { id, name, organizationId, timeoutMs }: Webhook,
        body: string,
        mailId: string,
      ) =>
        mails.sendNow({ organizationId, webhookId: id }, name, body, mailId).pipe(
          Effect.map((attempt) =>
            attempt === null ? "No one gets its emails." : attempt.errorMessage,
          ),
          Effect.timeoutOrElse({
            duration: timeoutMs,
            orElse: () =>
              Effect.succeed(`The mail server did not accept every email within ${timeoutMs} ms.`),
          }),
          Effect.map((error) => ({ error, statusCode: null })),
        )

      const send = Effect.fn("WebhookTests.send")(function* (key: WebhookKey) {
        const { organizationId } = key
        const webhook = yield* webhooks.find(key)
        const sealed = yield* store.secrets(key)
        if (sealed === undefined) return yield* new WebhookNotFound()
        const id = yield* newMessageId(random)
        const at = yield* DateTime.now
        const timestamp = DateTime.formatIso(at)
        const segment = yield* segmentOf(organizationId, webhook.segmentId)
        const envelope: Envelope = {
          id,
          event: "webhook.test",
          timestamp,
          trigger: webhook.trigger,
          organizationId,
          segment: segment && { id: segment.id, name: segment.name },
          pixel: yield* pixelOf(organizationId, webhook.pixelId),
          test: true,
        }
        const body = sampleBodyOf(webhook, segment?.subject, envelope, baseUrl)
        const secrets = isSigned(webhook.format)
          ? yield* Effect.orDie(openSecrets(dataKeys, key, sealed))
          : []
        const startedAt = yield* Clock.currentTimeMillis
        const { url } = webhook
        const { error, statusCode } =
          url === null
            ? yield* mailed(webhook, body, id)
            : answerOf(
                yield* postMessage(
                  outbound,
                  { ...webhook, url, secrets },
                  { id, attempt: 1, body, at: at.epochMilliseconds, isTest: true },
                ),
              )
        const latencyMs = (yield* Clock.currentTimeMillis) - startedAt
        return { ok: error === null, statusCode, latencyMs, error }
      })

      return WebhookTests.of({ send })
    }),
  )
}

const answerOf = ({ error, statusCode }: Posted) => ({ error: error?.message ?? null, statusCode })

const sampleBodyOf = (
  { format, identified, trigger }: Pick<Webhook, "format" | "identified" | "trigger">,
  segmentSubject: RuleSubject | undefined,
  envelope: Envelope,
  baseUrl: string,
): string => {
  const { timestamp } = envelope
  if (trigger === "company_seen") {
    return companyBodyOf(format, envelope, sampleCompany(timestamp), baseUrl)
  }
  if (isAboutSegment(trigger)) {
    const member =
      segmentSubject === "companies"
        ? { visitor: null, company: sampleCompany(timestamp) }
        : { visitor: sampleVisitor(timestamp), company: null }
    return memberBodyOf(format, envelope, member, baseUrl)
  }
  return trigger === "page_viewed"
    ? pageBodyOf(
        format,
        envelope,
        {
          page: { path: "/pricing", title: "Pricing", secondsVisible: 42 },
          visitor: identified === "anonymous" ? null : sampleVisitor(timestamp),
          company: sampleCompany(timestamp),
          score: {
            total: 82,
            fit: 90,
            interest: 74,
            hot: true,
            top: { part: "interest", code: "visited_pricing", params: { count: 1 }, points: 30 },
          },
          list: null,
        },
        baseUrl,
      )
    : bodyOf(format, envelope, sampleVisitor(timestamp), baseUrl)
}

const samplePixel = { id: "00000000-0000-0000-0000-000000000000", domain: "site.example" }

/** A made-up person at a reserved domain (RFC 2606). */
const sampleVisitor = (seenAt: string): CanonicalVisitor => {
  const email = "alex.example@company.example"
  const { md5, sha1, sha256 } = hashEmail(email)
  return {
    email,
    emailHash: sha256,
    emailHashes: { sha256, sha1, md5 },
    emails: [email],
    businessEmails: [email],
    personalEmails: [],
    phones: [],
    phonesDnc: null,
    customAttribution: {},
    firstName: "Alex",
    lastName: "Example",
    fullName: "Alex Example",
    linkedinUrl: null,
    companyName: "Example Company",
    companyDomain: "company.example",
    companyLinkedinUrl: null,
    companyEmployeeCount: 250,
    companyTotalRevenue: null,
    industry: null,
    companyZipCode: null,
    jobTitle: "VP Operations",
    seniority: "vp",
    department: "operations",
    city: null,
    state: null,
    country: null,
    sessions: 1,
    pageviews: 2,
    pricingPageViews: 1,
    demoPageViews: 0,
    firstSeenAt: seenAt,
    lastSeenAt: seenAt,
    landingPage: "https://site.example/",
    visitedPages: ["https://site.example/pricing", "https://site.example/"],
    referrer: null,
    referrerDomain: null,
    utmSource: null,
    utmMedium: null,
    utmCampaign: null,
    utmTerm: null,
    utmContent: null,
    gclid: null,
    fbclid: null,
    bingClickId: null,
    linkedinClickId: null,
    googleGbraid: null,
    googleWbraid: null,
  }
}

const sampleCompany = (seenAt: string): SentCompany => ({
  domain: "company.example",
  name: "Example Company",
  industry: null,
  employeeCount: 250,
  totalRevenue: null,
  linkedinUrl: null,
  city: null,
  state: null,
  country: null,
  firstSeenAt: seenAt,
  lastSeenAt: seenAt,
  sessions: 2,
  anonymousSessions: 1,
  pageviews: 5,
  pricingPageViews: 1,
  demoPageViews: 0,
  peopleCount: 1,
  landingPage: "https://site.example/",
  referrerDomain: null,
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
})
