// Faults in the SDK and in the normalization of addresses and rules, which it shares with the server and the command
// line.
import { faultsIn } from "./fault.ts"

export const sdk = [
  ...faultsIn("sdk/src/core/retry.ts", "src/core/retry.test.ts", [
    ["one attempt too many is made", "retriesDone >= maxRetries", "retriesDone > maxRetries"],
    [
      "a POST without a key is retried",
      'return request.method === "POST" && request.idempotencyKey !== undefined',
      'return request.method === "POST"',
    ],
    ["an upload is retried", "if (request.upload !== undefined) return false", ""],
    [
      "a 500 is retried",
      "new Set([408, 429, 502, 503, 504])",
      "new Set([408, 429, 500, 502, 503, 504])",
    ],
    [
      "it waits longer than the client's maximum",
      "if (askedSeconds > retryAfterMaxSeconds) return null",
      "",
    ],
    ["waits do not grow", "backoffBaseMs * 2 ** retriesDone", "backoffBaseMs * 2"],
    ["waits have no maximum", "Math.min(backoffMaxMs, backoffBaseMs", "Math.max(0, backoffBaseMs"],
    [
      "Retry-After is shortened at random",
      "askedSeconds * 1000 + random * backoffMs",
      "random * (askedSeconds * 1000 + backoffMs)",
    ],
    [
      "a POST is not retried after 429",
      "if (error instanceof ApiError && error.status === 429) return true",
      "",
    ],
  ]),
  ...faultsIn("sdk/src/core/retry.ts", "src/core/retry-after.test.ts", [
    [
      "a date in the past causes a negative wait",
      "Math.max(0, Math.ceil((atMs - nowMs) / 1000))",
      "Math.ceil((atMs - nowMs) / 1000)",
    ],
    [
      "the wait is rounded down",
      "Math.ceil((atMs - nowMs) / 1000)",
      "Math.floor((atMs - nowMs) / 1000)",
    ],
    ["text that is not a date counts as one", "if (!httpDate.test(value)) return null", ""],
  ]),
  ...faultsIn("sdk/src/core/credentials.ts", "src/core/credentials.test.ts", [
    ["a key is accepted in a browser", "given.apiKey !== undefined && isBrowser()", "false"],
    [
      "a malformed key is sent",
      "given.apiKey !== undefined && !apiKeyForm.test(given.apiKey)",
      'given.apiKey === ""',
    ],
    [
      "a key is sent with a call that accepts only tokens",
      'kind !== "accessToken" && this.#apiKey !== undefined',
      "this.#apiKey !== undefined",
    ],
    [
      "a token is sent with a call that accepts only keys",
      '(kind !== "apiKey" || isBrowser()) && this.#accessToken !== undefined',
      "this.#accessToken !== undefined",
    ],
    [
      "a malformed token is sent",
      'typeof given === "string" && accessTokenForm.test(given)',
      'typeof given === "string"',
    ],
  ]),
  ...faultsIn("sdk/src/core/log.ts", "src/core/log.test.ts", [
    ["a JSON-escaped secret is printed", ": [secret, inJson(secret)]", ": [secret]"],
    [
      "only the first occurrence of a secret is removed",
      "rest.replaceAll(secret",
      "rest.replace(secret",
    ],
  ]),
  ...faultsIn("sdk/src/core/path.ts", "src/core/path.test.ts", [
    ["an id can leave its segment", "return encodeURIComponent(value)", "return value"],
    ["an id can be the parent folder", 'value === "." || value === ".."', 'value === "."'],
  ]),
  ...faultsIn("sdk/src/core/pacing.ts", "src/core/pacing.test.ts", [
    ["one call too many is sent in a window", "left > 0 ? 0 :", "left >= 0 ? 0 :"],
    ["calls that wait are not counted", "window.left -= 1", "window.left -= 0"],
    [
      "a 429 is forgotten immediately",
      "endsAtMs: Math.max(current?.endsAtMs ?? 0, endsAtMs)",
      "endsAtMs: nowMs",
    ],
    [
      "an older response frees reserved calls",
      "isSame ? Math.min(current.left, remaining)",
      "isSame ? remaining",
    ],
  ]),
  ...faultsIn("sdk/src/core/response.ts", "test/redaction.test.ts", [
    ["echoed credentials are printed", "{ ...raw, text: redact(raw.text, secrets) }", "raw"],
  ]),
  ...faultsIn("sdk/src/core/response.ts", "src/core/response.test.ts", [
    [
      "a 200 without an envelope counts as a response",
      '"data" in body && isRecord(body["meta"])',
      '"data" in body',
    ],
    ["data of a foreign response is quoted", 'if (!type.startsWith("text/"))', 'if (type === "")'],
  ]),
  ...faultsIn("sdk/src/webhooks/verify-webhook.ts", "test/webhooks/verify.test.ts", [
    [
      "a webhook of any age verifies",
      "if (!(age <= toleranceSeconds))",
      "if (age < 0 && !(age <= toleranceSeconds))",
    ],
    ["a webhook from the future verifies", "if (!(age >= -toleranceSeconds))", "if (age > 0)"],
    [
      "a tolerance of NaN lets everything pass",
      "if (!(age <= toleranceSeconds))",
      "if (age > toleranceSeconds)",
    ],
    [
      "a webhook with a wrong signature verifies",
      "if (!verdicts.includes(true))",
      "if (verdicts.length === 0)",
    ],
    ["only the first secret is tried", "secrets.map(keyOf)", "secrets.slice(0, 1).map(keyOf)"],
    ["only the first signature is tried", '.split(" ", signaturesMax)', '.split(" ", 1)'],
    [
      "bytes that are not UTF-8 are accepted",
      'new TextDecoder("utf-8", { fatal: true })',
      'new TextDecoder("utf-8")',
    ],
  ]),
  ...faultsIn("sdk/src/webhooks/signature.ts", "test/webhooks/verify.test.ts", [
    [
      "a signature has two valid forms",
      "return encodeBase64(bytes) === text ? bytes : undefined",
      "return bytes",
    ],
    ["the id is not signed", "encoder.encode(`${id}.${second}.`)", "encoder.encode(`${second}.`)"],
  ]),
  ...faultsIn("normal-form/src/csv.ts", "src/csv.test.ts", [
    [
      "a cell that a spreadsheet reads as a formula is not neutralized",
      "(/^[=+\\-@\\t\\r]/.test(cell) ? `'${cell}` : cell)",
      "cell",
    ],
    ["a quote inside a cell ends it", `\`"\${cell.replaceAll('"', '""')}"\``, '`"${cell}"`'],
    ["a line break inside a cell is not quoted", '/["\\r\\n]/.test(cell)', '/["]/.test(cell)'],
    [
      "an inherited member counts as a value",
      "value !== null && Object.hasOwn(value, name)",
      "value !== null && name in value",
    ],
  ]),
  ...faultsIn("normal-form/src/domain.ts", "src/domain.test.ts", [
    ["a trailing dot makes a different domain", '.replace(/\\.$/, "")', ""],
    ["a number counts as a host", "!/(?:^|\\.)\\d+$/.test(host) &&", ""],
  ]),
  ...faultsIn("normal-form/src/suppression-rule.ts", "src/suppression-rule.test.ts", [
    [
      "a public suffix is a valid rule",
      'getPublicSuffix(value, suffixOptions) === value ? "public_suffix" : { type, value }',
      "{ type, value }",
    ],
    [
      "localhost is a valid rule",
      'value === undefined || value === "localhost"',
      "value === undefined",
    ],
    [
      "a rule of a type that is not replaced is accepted",
      "types !== undefined && !types.includes(type)",
      "types !== undefined && types.length === 0",
    ],
    ["an industry in capitals is a different one", "text.toLowerCase().trim()", "text.trim()"],
    [
      "a rule may have any length",
      'if (isTooLong(value, type)) return "value_too_long"\n  return hiddenCharacter',
      "return hiddenCharacter",
    ],
  ]),
]
