// Faults in the server's rooms of work, in the client and on the command line. Planted by a second reader, after the
// tests for the faults of the first were written.
import { faultsIn } from "../fault.ts"

export const again = [
  ...faultsIn("server/src/people/suppression/submission.ts", "test/suppression/rules.test.ts", [
    [
      "one rejected rule too many is listed",
      "rejected.length < rejectedRowsMax",
      "rejected.length <= rejectedRowsMax",
    ],
  ]),
  ...faultsIn("server/src/people/suppression/rule.ts", "test/suppression/rules.test.ts", [
    [
      "a rejected value of characters outside the basic plane is cut to half its length",
      "value.slice(0, 2 * rejectedValueLengthMax)",
      "value.slice(0, rejectedValueLengthMax)",
    ],
  ]),
  ...faultsIn(
    "server/src/activation/webhooks/formats/notice.ts",
    "src/activation/webhooks/formats/formats.test.ts",
    [
      [
        "a digest of companies counts those it names among the others",
        "rest: companies - first.length",
        "rest: companies",
      ],
    ],
  ),
  ...faultsIn("server/src/activation/webhooks/history/history.ts", "test/webhooks/routes.test.ts", [
    [
      "a page of one visitor's deliveries continues among all",
      "          filter.visitorHash ?? null,\n",
      "",
    ],
  ]),
  ...faultsIn(
    "server/src/platform/outbound/message.ts",
    "src/activation/deliveries/sending/outcome.test.ts",
    [["the Retry-After of a 503 is ignored", "status === 429 || status === 503", "status === 429"]],
  ),
  ...faultsIn("server/src/activation/deliveries/sql/queue.ts", "test/deliveries/places.test.ts", [
    [
      "a delivery that gives way uses up an attempt",
      "set status = 'queued', attempts = attempts - 1, leased_until = null,\n          next_attempt_at = clock_timestamp()",
      "set status = 'queued', leased_until = null,\n          next_attempt_at = clock_timestamp()",
    ],
  ]),
  ...faultsIn(
    "server/src/activation/destinations/accounts/account.ts",
    "src/activation/destinations/accounts/account.test.ts",
    [
      [
        "refusals with another failure in between are consecutive",
        '"unhealthy", refusals: 0 }\n    case "refused"',
        '"unhealthy", refusals }\n    case "refused"',
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/destinations/connectors/list-contact.ts",
    "src/activation/destinations/connectors/list-contact.test.ts",
    [
      [
        "an empty text clears a value in the list",
        'value === null || value === "" ? []',
        "value === null ? []",
      ],
    ],
  ),
  ...faultsIn("server/src/intent/audiences/config.ts", "test/audiences/config.test.ts", [
    ["a single score is refused", "minScore > maxScore\n", "minScore >= maxScore\n"],
  ]),
  ...faultsIn(
    "server/src/intent/topics/trends/trend-window.ts",
    "src/intent/topics/trends/trend-window.test.ts",
    [
      [
        "the longest window is refused",
        "countDays(from, to) > windowDaysMax",
        "countDays(from, to) >= windowDaysMax",
      ],
    ],
  ),
  ...faultsIn("server/src/intent/runs/exports/links.ts", "src/intent/runs/exports/links.test.ts", [
    [
      "a link works in the second in which it expires",
      "now >= Number(expires) * 1000",
      "now > Number(expires) * 1000",
    ],
  ]),
  ...faultsIn("sdk/src/core/rate-limit-state.ts", "src/core/rate-limit-state.test.ts", [
    [
      "the last requests that the limit allows are not sent at once",
      "requests <= this.#remaining",
      "requests < this.#remaining",
    ],
  ]),
  ...faultsIn("sdk/src/core/retry.ts", "src/core/retry.test.ts", [
    [
      "the longest accepted Retry-After is not waited for",
      "askedSeconds > retryAfterMaxSeconds",
      "askedSeconds >= retryAfterMaxSeconds",
    ],
  ]),
  ...faultsIn("cli/src/doctor/diagnosis.ts", "src/doctor/diagnosis.test.ts", [
    [
      "one paused site is a problem although another works",
      'pixels.some(({ status }) => status === "active")',
      'pixels.every(({ status }) => status === "active")',
    ],
  ]),
  ...faultsIn("cli/src/output/limited-pages.ts", "src/output/limited-pages.test.ts", [
    [
      "a page is requested that is not needed",
      "rowsMax === null || rowsLeft <= 0",
      "rowsMax === null || rowsLeft < 0",
    ],
  ]),
]
