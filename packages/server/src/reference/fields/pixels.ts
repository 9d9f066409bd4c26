// What the documents say about the fields of pixels, suppression rules and webhooks.
import type { FieldTexts } from "../operation-text.ts"

const webhookDelivery = {
  id: "Id of the delivery.",
  webhookId: "Id of the webhook.",
  event: "Name of the event.",
  visitorHash:
    "SHA-256 of the primary email address; null if the person was erased, and for companies and digests.",
  companyDomain: "The company's domain for `company.identified`; otherwise null.",
  status:
    "`skipped`: the person or company was suppressed, held back or erased before the event was sent.",
  attempts: "Attempts so far.",
  statusCode: "HTTP status of the last response; null without a response.",
  errorMessage: "Why the last attempt failed; null if it did not.",
  responseSnippet: "First 1 KiB of the last response.",
  nextAttemptAt: "When the next attempt is due; null if there is none.",
  createdAt: "When the delivery was created.",
  completedAt: "When the event was delivered, given up or skipped; null before that.",
}

const pixel = {
  id: "Id of the pixel.",
  domain: "Normalized: lower case, without scheme, `www.` or path.",
  name: "Name of the pixel.",
  status: "Whether the pixel records visits.",
  pausedReason: "Why the pixel is paused; null if it is active.",
  excludedPaths: "Path prefixes that are not recorded. At most one of the two lists is set.",
  includedPaths: "The only path prefixes that are recorded.",
  settings: "How the pixel works on the site.",
  verifiedAt: "Time of the first accepted event, as confirmed by a verification.",
  lastEventAt: "Time of the last accepted event.",
  createdAt: "When the pixel was created.",
  updatedAt: "When the pixel was last changed.",
}

export const pixelsFields: FieldTexts = {
  WebhookRedelivery: {
    "data.delivery": "The new delivery.",
  },
  WebhookDelivery: webhookDelivery,
  WebhookDeliveryWithPayload: {
    ...webhookDelivery,
    payload:
      "The body as it was signed; null before the first attempt and when it is no longer kept.",
  },
  WebhookDeliveryPage: {
    "data.deliveries": "Deliveries, newest first.",
    "data.total": "How many deliveries there are.",
  },
  WebhookTestAnswer: {
    "data.ok": "Whether the receiver accepted the test.",
    "data.statusCode": "Status of the response; null if there was none.",
    "data.latencyMs": "How long it took, in milliseconds.",
    "data.error": "A code such as `ENDPOINT_TIMEOUT`; null if the test succeeded.",
  },
  RevealedVisitorWebhook: {
    "data.webhook": "The webhook.",
    "data.webhookSecret": "`whsec_…`. The receiver uses it to verify events.",
  },
  VisitorWebhook: {
    id: "Id of the webhook.",
    organizationId: "Id of the organization.",
    name: "Name of the webhook, 1 to 160 characters.",
    url: "Where events are sent.",
    trigger: "When an event is sent.",
    segmentId:
      "Only people in this segment; null for everyone. Always null with the trigger `company_seen`.",
    pixelId: "Only people or companies that this pixel sees; null for all pixels.",
    pixelDeleted:
      "True if the pixel was deleted. The webhook then sends nothing until you set another pixel or null.",
    format: "Shape of the body: `standard`, or what a chat tool shows.",
    digest: "Whether events are sent at once, hourly or daily.",
    digestHour: "Hour of a daily digest in the organization's time zone; otherwise null.",
    status: "The server sets `auto_disabled` if the receiver keeps failing.",
    signingVersion: "How requests are signed.",
    timeoutMs: "Milliseconds, 1000 to 30000.",
    stats: "What was sent so far.",
    "stats.deliveries": "Sum of `succeeded` and `failed`.",
    "stats.succeeded": "Delivered events.",
    "stats.failed": "Events that were given up.",
    "stats.successRate": "Percent with 2 decimals; null if there are no deliveries.",
    "stats.consecutiveFailures": "Failed attempts since the last success.",
    "stats.lastDeliveredAt": "When an event was last delivered; null before the first.",
    "stats.lastErrorAt": "When an attempt last failed; null if none did.",
    "stats.lastErrorMessage": "Why it failed; null if none did.",
    createdAt: "When the webhook was created.",
    updatedAt: "When the webhook was last changed.",
  },
  VisitorSuppression: {
    "data.suppressed": "According to the rules at the last sync cycle.",
    "data.rules": "Stored rules that match now, newest first, at most 100.",
  },
  SuppressionRule: {
    id: "Id of the rule.",
    type: "What the value is compared with.",
    value: "The value, in its normal form.",
    createdAt: "When the rule was created.",
  },
  SuppressionPreview: {
    "data.wouldAdd": "Rules that would be new.",
    "data.duplicates": "Rules that are on the list, or twice in the request.",
    "data.rejectedCount": "Rules that would be rejected.",
    "data.rejected": "The first rejected rules, and why.",
    "data.affectedVisitors":
      "People seen in the last 30 days who match these rules and none of the stored rules.",
    "data.affectedByType": "A person counts once for each type that matches.",
    "data.affectedByType.email": "People whom rules of addresses match.",
    "data.affectedByType.domain": "People whom rules of address domains match.",
    "data.affectedByType.company_domain": "People whom rules of company domains match.",
    "data.affectedByType.industry": "People whom rules of industries match.",
    "data.sample": "Some of these people: at most 10, last seen first.",
    "data.sample.emailHash":
      "SHA-256 of the normalized primary email address, in lower-case hexadecimal.",
    "data.sample.email": "Primary email address; null only if only the person's hash is known.",
    "data.sample.fullName": "First and last name, joined with a space.",
  },
  RejectedRule: {
    index: "Position in the submitted rows, starting at 0.",
    type: "As submitted; null if it was not a string.",
    value: "As submitted, cut after 512 characters; null if it was not a string.",
    reason: "A fixed code of the reason.",
    message: "Details in addition to the reason: which invisible character the value contains.",
  },
  SuppressionDelete: {
    "data.deleted": "Rules that were deleted.",
    "data.total": "Rules left.",
  },
  SuppressionBulkWrite: {
    "data.added": "Rules that were added.",
    "data.removed": "Rules that were removed.",
    "data.duplicates":
      "Rows that repeat another row of the request; for an addition, also rules that already exist.",
    "data.rejectedCount": "Rules that were rejected.",
    "data.rejected": "The first 100 rejected rows.",
    "data.total": "The organization's rules after the write.",
  },
  SuppressionRuleList: {
    "data.rules": "Rules, newest first.",
    "data.counts": "Counts of the whole list, regardless of the filter.",
    "data.counts.email": "Rules of addresses.",
    "data.counts.domain": "Rules of address domains.",
    "data.counts.company_domain": "Rules of company domains.",
    "data.counts.industry": "Rules of industries.",
    "data.total": "Rules on the list.",
    "data.filteredTotal": "Number of rules that match the filter.",
    "data.limit": "Rows per page.",
    "data.offset": "Rows before this page.",
    "data.hasMore": "Whether there is another page.",
  },
  SuppressionIndustryList: {
    "data.value": "The exact label.",
    "data.visitors": "People of the industry.",
    "data.suppressed": "Whether a rule exists for it.",
    "meta.visitorsWithoutIndustry": "People whose industry is unknown.",
    "meta.suppressedIndustryRules": "Rules of industries on the list.",
  },
  SharedUserId: {
    id: "Id of the entry.",
    userId: "As the source sent it; null if it is an email address.",
    sharedAt: "When the server found that strangers share it.",
  },
  CreatedWriteKey: {
    "data.writeKey": "The key itself: `wk_` and 43 characters. It is shown once.",
    "data.key": "The key's record, without the key itself.",
  },
  WriteKey: {
    id: "Id of the write key.",
    name: "Name of the key.",
    kind: "`browser` for web pages, `server` for your backend.",
    last4: "Last four characters of the key.",
    createdAt: "When the write key was created.",
    lastUsedAt: "Accurate to the minute.",
    expiresAt: "When the key stops working; null if it has not been revoked.",
    revokedAt: "When it was revoked; null if it is valid.",
  },
  PixelVerification: {
    "data.verified": "Whether the tag is on the site and the pixel works.",
    "data.verifiedAt":
      "Time of the first accepted event, as confirmed by a verification; null before that.",
    "data.lastEventAt": "When the pixel last sent an event; null before that.",
    "data.reason":
      "Why the pixel is not verified: the first reason that applies. Null if it is verified.",
    "data.findings":
      "Findings on the site's home page, those about the page itself first. Empty if verified or paused.",
  },
  PixelFinding: {
    code: "A fixed code of the finding.",
    severity: "A `problem` prevents events. A `note` may explain why there are none.",
    message: "A sentence to show to users.",
    values: "The URLs, ids, names or directive that the finding is about.",
  },
  PixelDeletion: {
    "data.deleted": "Always `true`.",
  },
  Pixel: pixel,
  PixelSettings: {
    consent: "How the script learns of consent. Default `auto`.",
    spa: "How the script detects navigation without a page load. Default `auto`.",
    emailCapture: "Whether the script reads email addresses from forms. Default `off`.",
    cookies: "Whether the script keeps its id in a cookie. Default `first-party`.",
    cookieDomain: "The cookie's domain attribute. Default: none.",
    respectDnt: "Whether to treat Do Not Track like Global Privacy Control. Default false.",
    pricingPaths: "Path prefixes of pricing pages. Default: paths that contain a word for pricing.",
    demoPaths: "Path prefixes of demo pages. Default: paths that contain a word for a demo.",
    ignoredReferrers:
      "Hosts, with their subdomains, that only send people back, such as your sign-in. They change no attribution. At most 50.",
    topicRules: "Page views that count as interest in a topic. At most 50 rules.",
    "topicRules.path": "Path that the rule matches.",
    "topicRules.topicId": "Id of the topic.",
  },
  PixelWithCode: {
    ...pixel,
    code: "The tag for the site.",
    embed: "Snippets and headers for the site.",
  },
  PixelEmbed: {
    immutable: "The script under an address that never changes, with its hash.",
    "immutable.url": "URL of this exact version of the script, cached for a year.",
    "immutable.integrity": "The script's SRI value, `sha384-…`.",
    "immutable.code": "The tag with this URL and integrity value.",
    contentSecurityPolicy: "What your content security policy must allow.",
    "contentSecurityPolicy.scriptSrc": "Add this to `script-src`.",
    "contentSecurityPolicy.connectSrc": "Add this to `connect-src`.",
  },
}
