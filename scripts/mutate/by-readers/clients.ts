// Faults in what runs elsewhere: the browser script, SDK, command line, console, and the normal form that they share.
// Planted by a reader who had not written these packages.
import { faultsIn } from "../fault.ts"

export const clients = [
  ...faultsIn("pixel/src/consent-signals.ts", "test/consent.test.ts", [
    [
      "a denial counts while the consent banner is still open",
      'success && gdprApplies && eventStatus !== "cmpuishown"',
      "success && gdprApplies",
    ],
    [
      "a default that grants in other regions counts here",
      "(!isRegional && !choice && byDefault)",
      "(!choice && byDefault)",
    ],
  ]),
  ...faultsIn("pixel/src/email-capture.ts", "test/email-capture.test.ts", [
    [
      "of two addresses in a form the first is taken",
      'known === undefined || known === address ? address : ""',
      "known || address",
    ],
  ]),
  ...faultsIn("pixel/src/heartbeat.ts", "test/page-views.test.ts", [
    [
      "time in the background counts as active",
      "visitorId && !document.hidden && !(",
      "visitorId && !(",
    ],
  ]),
  ...faultsIn("pixel/src/commands.ts", "test/commands.test.ts", [
    [
      "events before a reset belong to the new id",
      "    flush()\n    if (visitorId) take(newUuid())",
      "    if (visitorId) take(newUuid())",
    ],
  ]),
  ...faultsIn("pixel/src/queue.ts", "test/undelivered.test.ts", [
    [
      "waits keep growing after the server has recovered",
      "    failures = 0\n    drop(name)",
      "    drop(name)",
    ],
    [
      "a batch is sent twice at the same time",
      "if (!isPaused && !inFlight[name]) return",
      "if (!isPaused) return",
    ],
  ]),
  ...faultsIn("pixel/src/page-views.ts", "test/page-views.test.ts", [
    [
      "a page gets the title of the next one",
      'if (event === lastPage) event["title"]',
      'event["title"]',
    ],
  ]),
  ...faultsIn("pixel/src/scalars.ts", "test/commands.test.ts", [
    ["an event has one property too many", "[KEYS_MAX - 1]", "[KEYS_MAX]"],
  ]),
  ...faultsIn("pixel/src/storage.ts", "test/undelivered.test.ts", [
    [
      "batches that are too old to count are sent",
      "parseInt(localStorage[name]) > Date.now()",
      "parseInt(localStorage[name]) > 0",
    ],
  ]),
  ...faultsIn("sdk/src/core/rate-limit-state.ts", "src/core/rate-limit-state.test.ts", [
    [
      "every request after a wait waits again",
      "      this.#waitSeconds = 0\n    }\n    if (signal",
      "    }\n    if (signal",
    ],
  ]),
  ...faultsIn("sdk/src/core/paged-list.ts", "src/core/paged-list.test.ts", [
    [
      "the next page is requested by cursor and offset",
      "{ page: _page, offset: _offset, cursor: _begun, ...rest }",
      "{ page: _page, cursor: _begun, ...rest }",
    ],
  ]),
  ...faultsIn("sdk/src/core/wait.ts", "test/runs.test.ts", [
    [
      "a wait takes longer than its maximum",
      "Math.min(longestMs, pollBaseMs * 1.5 ** polls, leftMs)",
      "Math.min(longestMs, pollBaseMs * 1.5 ** polls)",
    ],
  ]),
  ...faultsIn("sdk/src/core/attempt.ts", "test/sending.test.ts", [
    [
      "each call leaves a listener on the caller's signal",
      '    clearTimeout(timer)\n    signal?.removeEventListener("abort", onAbort)',
      "    clearTimeout(timer)",
    ],
  ]),
  ...faultsIn("sdk/src/core/byte-stream.ts", "test/byte-streams.test.ts", [
    [
      "a broken download leaves half a file behind",
      "      await files.rm(part, { force: true })\n",
      "",
    ],
    [
      "a download that is not read to its end keeps its connection",
      '      signal?.removeEventListener("abort", onAbort)\n      body.giveUp()',
      '      signal?.removeEventListener("abort", onAbort)',
    ],
  ]),
  ...faultsIn("normal-form/src/domain.ts", "src/domain.test.ts", [
    [
      "of a www that is written twice one stays",
      "^(?:www\\.)+(?=[^.]+(?:\\.|$))",
      "^(?:www\\.)(?=[^.]+(?:\\.|$))",
    ],
  ]),
  ...faultsIn("normal-form/src/email.ts", "src/email.test.ts", [
    [
      "an address that begins with a dot is accepted",
      'local.startsWith(".") || local.endsWith(".")',
      'local.endsWith(".")',
    ],
  ]),
  ...faultsIn("normal-form/src/suppression-rule.ts", "src/suppression-rule.test.ts", [
    [
      "rules of other types pass a replacement",
      "if (types !== undefined && !types.includes(type))",
      "if (types !== undefined && types.length === 0)",
    ],
  ]),
  ...faultsIn("cli/src/login/device-login.ts", "src/login/device-login.test.ts", [
    [
      "a program is opened in place of a web page",
      "if (!isWebAddress(address)) return Promise.resolve(false)\n",
      "",
    ],
  ]),
  ...faultsIn("cli/src/retry/retry.ts", "src/retry/retry.test.ts", [
    [
      "a long rate limit is waited for as if the server were unreachable",
      "return seconds <= RATE_LIMIT_WAIT_MAX_SECONDS ? seconds : null",
      "return Math.min(seconds, RATE_LIMIT_WAIT_MAX_SECONDS)",
    ],
  ]),
  ...faultsIn("cli/src/import/run-import.ts", "src/import/row-counter.test.ts", [
    [
      "a line break inside quotes counts as a row",
      "else if (byte === LINE_FEED && !this.#isQuoted)",
      "else if (byte === LINE_FEED)",
    ],
  ]),
  ...faultsIn("cli/src/import/run-import.ts", "src/import/run-import.test.ts", [
    [
      "the share of a merged import is of the file's size",
      "const total = mergingMs === null ? bytesTotal : bytes",
      "const total = bytesTotal",
    ],
  ]),
  ...faultsIn("cli/src/connection/http-request.ts", "src/connection/http-request.test.ts", [
    [
      "the length of a body counts letters, not bytes",
      "`${Buffer.byteLength(body)}`",
      "`${body.length}`",
    ],
  ]),
  ...faultsIn("console/src/segments/draft.ts", "src/segments/draft.test.ts", [
    [
      "a range with one end is sent",
      "range.some((value) => value === undefined)",
      "range.every((value) => value === undefined)",
    ],
    [
      "an empty group stays behind",
      "return inside.nodes.length === 0 ? [] : [inside]",
      "return [inside]",
    ],
    ["a list has one value too many", "items.length > itemsMax)", "items.length > itemsMax + 1)"],
  ]),
  ...faultsIn("console/src/searches.ts", "src/searches.test.ts", [
    [
      "a search that looks like a number is dropped",
      '((typeof q === "string" || typeof q === "number") && q !== "" && { q: String(q) }),\n    ...(typeof sessions',
      '(typeof q === "string" && q !== "" && { q: String(q) }),\n    ...(typeof sessions',
    ],
  ]),
]
