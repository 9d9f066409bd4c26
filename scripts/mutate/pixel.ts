// Faults in the browser script: what it may store and send, and when.
import { faultsIn } from "./fault.ts"

export const pixel = [
  ...faultsIn("pixel/src/consent.ts", "test/consent.test.ts", [
    ["consent lifts the opt-out", 'choice !== "out" &&', ""],
    ["consent overrides the owner's denial", "!isDenied &&\n", ""],
    ["revoking does not stop the visit", "    stop()\n", ""],
  ]),
  ...faultsIn("pixel/src/visitor.ts", "test/consent.test.ts", [
    [
      "events are sent before consent",
      'needsConsent && choice !== "granted"',
      'needsConsent && choice === "denied"',
    ],
    ["a visitor who refused is recorded", '(choice && choice !== "granted")', "false"],
  ]),
  ...faultsIn("pixel/src/visitor.ts", "test/privacy.test.ts", [
    [
      "a browser with a privacy signal gets an id",
      "if (isAnonymous) take(null)\n    else if (!visitorId)",
      "if (!visitorId)",
    ],
  ]),
  ...faultsIn("pixel/src/queue.ts", "test/privacy.test.ts", [
    [
      "a batch does not say that it is anonymous",
      'consent: isAnonymous\n      ? "anonymous"',
      'consent: isAnonymous\n      ? "granted"',
    ],
  ]),
  ...faultsIn("pixel/src/consent-region.ts", "test/consent.test.ts", [
    [
      "consent is required in Moscow but not in Berlin",
      "=> INSIDE.test(timeZone)",
      "=> !INSIDE.test(timeZone)",
    ],
  ]),
  ...faultsIn("pixel/src/path-filter.ts", "test/path-filter.test.ts", [
    ["an excluded path counts", "!(excluded && matchesAny(excluded, path)) &&", ""],
    ["a path that is not included counts", "(!included || matchesAny(included, path))", "true"],
    [
      "a prefix ends inside a segment",
      "wanted[place] === segments[place] ||",
      "segments[place]?.startsWith(wanted[place] as string) ||",
    ],
    [
      "the pattern of the home page matches every page",
      'pattern === "/$" ? segments.length === 1 :',
      'pattern === "/$" ? true :',
    ],
    [
      "a trailing slash makes a different path",
      '.toLowerCase().replace(/\\/$/, "").split("/")',
      '.toLowerCase().split("/")',
    ],
  ]),
  ...faultsIn("pixel/src/queue.ts", "test/batches.test.ts", [
    [
      "a batch has 21 events",
      "waiting[EVENTS_PER_BATCH_MAX - (lastPage ? 1 : 2)]",
      "waiting[EVENTS_PER_BATCH_MAX]",
    ],
    [
      "a batch rejected with 429 is not sent again",
      "answer.status < 500 && answer.status !== 429",
      "answer.status < 500",
    ],
    [
      "a batch that the server could not accept is not sent again",
      "answer.status < 500 && answer.status !== 429",
      "answer.status !== 429",
    ],
    ["Retry-After is ignored", "(+(wait as string) || 0) + Math.random()", "Math.random()"],
    ["the page's credentials are sent along", 'credentials: "omit",', 'credentials: "include",'],
    ["a batch ends with its page", "keepalive: true,", "keepalive: false,"],
  ]),
  ...faultsIn("pixel/src/identity.ts", "test/commands.test.ts", [
    ["an identity is sent each time", "identity !== lastIdentity &&", ""],
    ["a browser with a privacy signal is identified", "!isAnonymous && identity", "identity"],
    ["an address in capitals is a different person", ".trim().toLowerCase()", ".trim()"],
  ]),
  ...faultsIn("pixel/src/email-capture.ts", "test/email-capture.test.ts", [
    ["a form with a password is read", 'if (type === "password") return', ""],
    ["a field that opts out is still read", "!isClosed(field) &&", ""],
    ["forms are read before consent", " || !isPermitted()) return", ") return"],
    ["forms are read without being enabled", "/^(all|forms)+$/.test(captureMode)", "true"],
  ]),
  ...faultsIn("pixel/src/page-address.ts", "test/page-address.test.ts", [
    ["every URL parameter leaves the browser", 'query.replace(NOT_SENT, "")', "query"],
    [
      "the token of a mail link stays in the address bar",
      "if (token) guard(",
      "if (!token) guard(",
    ],
  ]),
  ...faultsIn("pixel/src/scalars.ts", "test/attribution.test.ts", [
    ["an API key leaves the page", "|=\\s*(sk_|eyJ)/i", "|=\\s*(eyJ)/i"],
  ]),
  ...faultsIn("pixel/src/guard.ts", "test/hostile-page.test.ts", [
    [
      "errors are thrown into the page",
      'if (isDebug) console.debug("footfall:", reason)',
      "throw reason",
    ],
  ]),
]
