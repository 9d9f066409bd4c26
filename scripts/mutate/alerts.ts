// Faults in segment alerts, alerts by email, topics of visitors, breakdowns and reasons of scores.
import { type Fault, faultsIn } from "./fault.ts"

export const alerts: ReadonlyArray<Fault> = [
  ...faultsIn(
    "server/src/activation/webhooks/segments/judgement.ts",
    "src/activation/webhooks/segments/judgement.test.ts",
    [
      ["someone suppressed is sent", "const told = isSilent", "const told = false"],
      [
        "who was in the segment before is sent as entering",
        "before(alert) !== isIn)",
        "before(alert) !== !isIn)",
      ],
      [
        "an alert about leaving is sent for entering",
        'const trigger = isIn ? "entered_segment" : "left_segment"',
        'const trigger = isIn ? "left_segment" : "entered_segment"',
      ],
      [
        "a new alert does not ask who was in the segment when it was made",
        "return asksBefore(state, alert) ? wasIn(alert) : isIn",
        "return isIn",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/webhooks/sending/alert-mails.ts",
    "test/webhooks/email.test.ts",
    [
      [
        "an email that waits for another attempt is final",
        "isFinal: !isWaiting,",
        "isFinal: true,",
      ],
      [
        "every recipient gets the unsubscribe link of another",
        "const unsubscribeUrl = links.of({ organizationId, webhookId, userId })",
        "const unsubscribeUrl = links.of({ organizationId, webhookId, userId: webhookId })",
      ],
      [
        "someone who got the email gets it again",
        'if (known !== undefined) return Effect.succeed(known.state === "handed" ? stopped : known)',
        "",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/webhooks/formats/slack.ts",
    "src/activation/webhooks/formats/formats.test.ts",
    [["Slack refuses a message with many facts", "const fieldsMax = 10", "const fieldsMax = 12"]],
  ),
  ...faultsIn(
    "server/src/activation/webhooks/unsubscribe/links.ts",
    "test/webhooks/email.test.ts",
    [
      [
        "anyone can make a link that ends another's emails",
        'secrets.verify("unsubscribe", named, bytes.subarray(namedBytes))',
        "true",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/visitors/overview/breakdown-store.ts",
    "test/companies/breakdown.test.ts",
    [
      [
        "a page counts the views of the whole session",
        "sum(coalesce(page.views, 1)) as views",
        "sum(visit.pageviews) as views",
      ],
      [
        "a suppressed company is counted",
        'exclude: "not is_company_suppressed"',
        'exclude: "true"',
      ],
      ["people who are held back are counted", "filter (where is_known)", ""],
      ["sources differ by case", "coalesce(lower(s.utm_source)", "coalesce(s.utm_source"],
    ],
  ),
  ...faultsIn(
    "server/src/intent/visitor-topics/visitor-topics.ts",
    "test/visitor-topics/visitor-topics.test.ts",
    [
      [
        "the first person of each byte has no topics",
        "this.#bits[person >> 3]! |= 1 << (person & 7)",
        "this.#bits[person >> 3]! |= 1 << ((person & 7) | 1)",
      ],
      [
        "addresses of erased people lead to visitors",
        "if (gone.length > 0) {",
        "if (gone.length > 1_000) {",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/intent/visitor-topics/store.ts",
    "test/visitor-topics/visitor-topics.test.ts",
    [
      [
        "the date before is forgotten with a new one",
        "previous_date = case when basis.date <> excluded.date then basis.date",
        "previous_date = case when false then basis.date",
      ],
    ],
  ),
  ...faultsIn("server/src/people/score/reason.ts", "src/people/score/reason.test.ts", [
    [
      "the last of several entries with most points is the top",
      "each.points > (top?.points ?? 0)",
      "each.points >= (top?.points ?? 0)",
    ],
    ["more than is asked for is said", "? Math.floor(from) + 1", "? Math.ceil(from) + 1"],
  ]),
  ...faultsIn("server/src/people/score/computing.ts", "test/score/lost-connections.test.ts", [
    [
      "a score whose computation is cut off is never computed again",
      'store.transaction,\n      Effect.catchTag("StatementTimedOut"',
      'Effect.catchTag("StatementTimedOut"',
    ],
  ]),
  ...faultsIn("server/src/people/score/score.ts", "src/people/score/score.test.ts", [
    [
      "interest beyond 100 is forgotten",
      "surplus: Math.max(0, sum - 100)",
      "surplus: Math.max(0, sum - 1_000)",
    ],
  ]),
]
