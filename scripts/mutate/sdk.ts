// Faults in the SDK and in the normalization of addresses and rules, which it shares with the server and the command
// line.
import { faultsIn } from "./fault.ts"

export const sdk = [
  ...faultsIn("sdk/src/core/retry.ts", "src/core/retry.test.ts", [
    ["one attempt too many is made", "retriesDone >= maxRetries", "retriesDone > maxRetries"],
    [
      "a POST without a key is repeated",
      'return request.method === "POST" && request.idempotencyKey !== undefined',
      'return request.method === "POST"',
    ],
    ["an upload is repeated", "if (request.upload !== undefined) return false", ""],
    [
      "a server error of the application is repeated",
      "new Set([408, 429, 502, 503, 504])",
      "new Set([408, 429, 500, 502, 503, 504])",
    ],
    [
      "a wait longer than the client wants is waited for",
      "if (askedSeconds > retryAfterMaxSeconds) return null",
      "",
    ],
    ["waits do not grow", "backoffBaseMs * 2 ** retriesDone", "backoffBaseMs * 2"],
    [
      "waits have no upper end",
      "Math.min(backoffMaxMs, backoffBaseMs",
      "Math.max(0, backoffBaseMs",
    ],
    [
      "Retry-After is cut by chance",
      "askedSeconds * 1000 + random * backoffMs",
      "random * (askedSeconds * 1000 + backoffMs)",
    ],
    [
      "a 429 of a POST is not repeated",
      "if (error instanceof ApiError && error.status === 429) return true",
      "",
    ],
  ]),
  ...faultsIn("sdk/src/core/retry.ts", "src/core/retry-after.test.ts", [
    [
      "a date in the past makes a negative wait",
      "Math.max(0, Math.ceil((atMs - nowMs) / 1000))",
      "Math.ceil((atMs - nowMs) / 1000)",
    ],
    [
      "part of a second is left out of the wait",
      "Math.ceil((atMs - nowMs) / 1000)",
      "Math.floor((atMs - nowMs) / 1000)",
    ],
    ["a text that is no date is one", "if (!httpDate.test(value)) return null", ""],
  ]),
  ...faultsIn("sdk/src/core/credentials.ts", "src/core/credentials.test.ts", [
    ["a key is taken into a browser", "given.apiKey !== undefined && isBrowser()", "false"],
    [
      "a key of another form is sent",
      "given.apiKey !== undefined && !apiKeyForm.test(given.apiKey)",
      'given.apiKey === ""',
    ],
    [
      "a key goes to a call that takes tokens alone",
      'kind !== "accessToken" && this.#apiKey !== undefined',
      "this.#apiKey !== undefined",
    ],
    [
      "a token goes to a call that takes keys alone",
      '(kind !== "apiKey" || isBrowser()) && this.#accessToken !== undefined',
      "this.#accessToken !== undefined",
    ],
    [
      "a token of another form is sent",
      'typeof given === "string" && accessTokenForm.test(given)',
      'typeof given === "string"',
    ],
  ]),
  ...faultsIn("sdk/src/core/log.ts", "src/core/log.test.ts", [
    ["a secret as JSON writes it is printed", ": [secret, inJson(secret)]", ": [secret]"],
    [
      "only the first place of a secret is taken out",
      "rest.replaceAll(secret",
      "rest.replace(secret",
    ],
  ]),
  ...faultsIn("sdk/src/core/path.ts", "src/core/path.test.ts", [
    ["an id can leave its segment", "return encodeURIComponent(value)", "return value"],
    ["an id can be the folder above", 'value === "." || value === ".."', 'value === "."'],
  ]),
  ...faultsIn("sdk/src/core/pacing.ts", "src/core/pacing.test.ts", [
    ["one call more than is left is sent", "left > 0 ? 0 :", "left >= 0 ? 0 :"],
    ["calls that wait are not counted", "window.left -= 1", "window.left -= 0"],
    [
      "a refusal is forgotten at once",
      "endsAtMs: Math.max(known?.endsAtMs ?? 0, endsAtMs)",
      "endsAtMs: nowMs",
    ],
    [
      "an older answer gives calls back",
      "isSame ? Math.min(known.left, remaining)",
      "isSame ? remaining",
    ],
  ]),
  ...faultsIn("sdk/src/core/answer.ts", "test/redaction.test.ts", [
    [
      "credentials that were echoed are printed",
      "{ ...raw, text: redact(raw.text, secrets) }",
      "raw",
    ],
  ]),
  ...faultsIn("sdk/src/core/answer.ts", "src/core/answer.test.ts", [
    [
      "a 200 without an envelope is an answer",
      '"data" in body && isRecord(body["meta"])',
      '"data" in body',
    ],
    ["data of a foreign answer is repeated", 'if (!type.startsWith("text/"))', 'if (type === "")'],
  ]),
  ...faultsIn("sdk/src/webhooks/verify-webhook.ts", "test/webhooks/verify.test.ts", [
    [
      "a webhook of any age verifies",
      "if (!(age <= toleranceSeconds))",
      "if (age < 0 && !(age <= toleranceSeconds))",
    ],
    ["a webhook of the future verifies", "if (!(age >= -toleranceSeconds))", "if (age > 0)"],
    [
      "a tolerance that is no number lets everything pass",
      "if (!(age <= toleranceSeconds))",
      "if (age > toleranceSeconds)",
    ],
    [
      "a webhook with a wrong signature verifies",
      "if (!verdicts.includes(true))",
      "if (verdicts.length === 0)",
    ],
    [
      "only the first secret is tried",
      '(typeof secret === "string" ? [secret] : secret).map(keyOf)',
      "[secret].flat().slice(0, 1).map(keyOf)",
    ],
    ["only the first signature is tried", '.split(" ", signaturesMax)', '.split(" ", 1)'],
    [
      "bytes that are no UTF-8 are read",
      'new TextDecoder("utf-8", { fatal: true })',
      'new TextDecoder("utf-8")',
    ],
  ]),
  ...faultsIn("sdk/src/webhooks/signature.ts", "test/webhooks/verify.test.ts", [
    [
      "two texts are one signature",
      "return encodeBase64(bytes) === text ? bytes : undefined",
      "return bytes",
    ],
    ["the id is not signed", "encoder.encode(`${id}.${second}.`)", "encoder.encode(`${second}.`)"],
  ]),
  ...faultsIn("normal-form/src/csv.ts", "src/csv.test.ts", [
    [
      "a cell that a spreadsheet takes for a formula is written as it is",
      "(/^[=+\\-@\\t\\r]/.test(cell) ? `'${cell}` : cell)",
      "cell",
    ],
    ["a quote inside a cell ends it", `\`"\${cell.replaceAll('"', '""')}"\``, '`"${cell}"`'],
    ["a line break inside a cell is not quoted", '/[",\\r\\n]/.test(cell)', '/[",]/.test(cell)'],
    [
      "an inherited member is a value",
      "value !== null && Object.hasOwn(value, name)",
      "value !== null && name in value",
    ],
  ]),
  ...faultsIn("normal-form/src/domain.ts", "src/domain.test.ts", [
    ["a trailing dot makes another domain", '.replace(/\\.$/, "")', ""],
    ["a number is a host", "!/(?:^|\\.)\\d+$/.test(host) &&", ""],
  ]),
  ...faultsIn("normal-form/src/suppression-rule.ts", "src/suppression-rule.test.ts", [
    [
      "a public suffix is a rule",
      'getPublicSuffix(value, suffixOptions) === value ? "public_suffix" : { type, value }',
      "{ type, value }",
    ],
    ["localhost is a rule", 'value === undefined || value === "localhost"', "value === undefined"],
    [
      "a rule of a type that is not replaced is taken",
      "types !== undefined && !types.includes(type)",
      "types !== undefined && types.length === 0",
    ],
    ["an industry in capitals is another one", "text.toLowerCase().trim()", "text.trim()"],
    [
      "a rule may be of any length",
      'if (isTooLong(value, type)) return "value_too_long"\n  return hiddenCharacter',
      "return hiddenCharacter",
    ],
  ]),
]
