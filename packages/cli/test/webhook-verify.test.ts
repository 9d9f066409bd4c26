// `footfall webhooks verify` as a user runs it: the worked example of the specification in every
// form in which people save it, what it rejects and why, where the secret is read from, and every
// exit code.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import {
  workedHeaders,
  workedSecret,
  workedWebhooks,
} from "../../sdk/test/support/worked-webhooks.ts"
import { footfall } from "./fixtures/footfall.ts"
import { temporaryFolder } from "../../../scripts/test-run/temporary-folder.ts"

const folder = temporaryFolder("webhook")
let files = 0
const file = (content: string | Uint8Array): string => {
  const path = join(folder, `${(files += 1)}.txt`)
  writeFileSync(path, content)
  return path
}

const [webhook] = workedWebhooks
const { body } = webhook!
const headerLines = Object.entries(workedHeaders(webhook!)).map(
  ([name, value]) => `${name}: ${value}`,
)
const requestLine = "POST /footfall HTTP/1.1"
const message = [requestLine, "host: hooks.tidewater.example", ...headerLines, "", body].join(
  "\r\n",
)
const secretFile = file(`${workedSecret}\n`)
const environment = { FOOTFALL_WEBHOOK_SECRET: workedSecret }

const verify = (path: string, ...words: ReadonlyArray<string>) =>
  footfall(["webhooks", "verify", path, ...words], { environment })

const failure = (stderr: string) =>
  (JSON.parse(stderr) as { error: { code: string; message: string } }).error

describe("the worked example verifies", () => {
  test.each([
    ["as received", message],
    ["with line breaks of a text editor", message.replaceAll("\r\n", "\n")],
    ["without its first line", message.slice(requestLine.length + 2)],
    ["in capitals", message.replaceAll(/^webhook-\w+/gm, (name) => name.toUpperCase())],
    [
      "with its length, and a line break after it",
      `${message.replace("host:", `content-length: ${Buffer.byteLength(body)}\r\nhost:`)}\n`,
    ],
    [
      "as footfall listen --json prints it",
      `${JSON.stringify({ headers: workedHeaders(webhook!), body })}\n`,
    ],
  ])("%s", async (_, content) => {
    const { exitCode, stderr, stdout } = await verify(file(content))

    expect(stderr).toBe("")
    expect(JSON.parse(stdout)).toEqual({
      data: {
        verified: true,
        id: webhook!.id,
        event: "intent.audience.sync.started",
        attempt: null,
        isTest: false,
        sentAt: "2026-03-11T09:05:01.000Z",
        payload: JSON.parse(body),
      },
    })
    expect(exitCode).toBe(0)
  })

  test("as a body with its headers in a second file", async () => {
    const headers = headerLines.flatMap((line) => ["--header", line])

    expect(await verify(file(body), ...headers)).toMatchObject({ exitCode: 0, stderr: "" })
  })

  test("on standard input", async () => {
    const run = await footfall(["webhooks", "verify", "-"], { environment, input: message })

    expect(run).toMatchObject({ exitCode: 0, stderr: "" })
  })
})

describe("the secret comes", () => {
  const path = file(message)
  const run = (words: ReadonlyArray<string>, more: object = {}) =>
    footfall(["webhooks", "verify", path, ...words], more)

  test("from the environment, a file or standard input, without a warning", async () => {
    expect(await run([], { environment })).toMatchObject({ exitCode: 0, stderr: "" })
    expect(await run(["--secret-file", secretFile])).toMatchObject({ exitCode: 0, stderr: "" })
    expect(await run(["--secret-stdin"], { input: `${workedSecret}\n` })).toMatchObject({
      exitCode: 0,
      stderr: "",
    })
  })

  test("from the command line with a warning", async () => {
    const { exitCode, stderr } = await run(["--secret", workedSecret])

    expect(stderr).toContain("warning: other users can read a secret on the command line")
    expect(stderr).not.toContain(workedSecret.slice(6, 20))
    expect(exitCode).toBe(0)
  })

  test("more than once, as during a rotation", async () => {
    const other = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
    const both = file(`${other}\n${workedSecret}\n`)

    expect(await run(["--secret-file", both])).toMatchObject({ exitCode: 0 })
    expect(await run(["--secret-file", file(other)])).toMatchObject({ exitCode: 1 })
  })

  test.each([
    ["from nowhere", [], "No signing secret given."],
    ["as something else", ["--secret-file", file("sk_123")], "Invalid signing secret"],
    ["from a file that is not there", ["--secret-file", "/nowhere"], "File not found: "],
  ])("%s: usage", async (_, words, message) => {
    const { exitCode, stderr, stdout } = await run(words)

    expect(failure(stderr).message).toContain(message)
    expect(stdout).toBe("")
    expect(exitCode).toBe(2)
  })
})

describe("rejected, with exit code 1:", () => {
  test.each([
    ["another body", message.replace("Warehouse", "Wharehouse"), "signature_mismatch"],
    ["another id", message.replace("msg_v", "msg_w"), "signature_mismatch"],
    ["another timestamp", message.replace("1773219901", "1773219902"), "signature_mismatch"],
    ["no signature", message.replace(/webhook-signature.*\r\n/, ""), "missing_header"],
    ["an unreadable timestamp", message.replace("1773219901", "soon"), "malformed_header"],
  ])("%s", async (_, content, reason) => {
    const { exitCode, stderr, stdout } = await verify(file(content))

    expect(failure(stderr)).toMatchObject({ code: "WEBHOOK_REFUSED" })
    expect(failure(stderr).message).toContain(`(${reason})`)
    expect(stdout).toBe("")
    expect(exitCode).toBe(1)
  })

  test("a body with a line break that an editor added, and it says so", async () => {
    for (const end of ["\n", "\r\n"]) {
      const { exitCode, stderr } = await verify(file(`${message}${end}`))

      expect(failure(stderr).message).toContain(
        "valid without the line break at the end of the file",
      )
      expect(exitCode).toBe(1)
    }
  })

  test("an old request, unless any age is accepted", async () => {
    const { exitCode, stderr } = await verify(file(message), "--tolerance", "300")

    expect(failure(stderr).message).toContain("(timestamp_too_old)")
    expect(exitCode).toBe(1)
  })
})

test.each([
  ["a body alone", body, [], "the body of a request but no headers"],
  ["not a request", "hello", [], "expected headers, an empty line and the body"],
  ["an invalid header line", "hello\n\nworld", [], "Invalid header"],
  ["an invalid header", body, ["--header", "webhook-id"], "Invalid header"],
  ["a tolerance of nothing", message, ["--tolerance", "0"], "Expected a whole number"],
])("%s is a usage error", async (_, content, words, sentence) => {
  const { exitCode, stderr } = await verify(file(content), ...words)

  expect(failure(stderr).message).toContain(sentence)
  expect(exitCode).toBe(2)
})

test("`webhook verify` is the same command, and help shows one name", async () => {
  const path = file(message)
  const [singular, plural, help, own] = await Promise.all([
    footfall(["webhook", "verify", path], { environment }),
    verify(path),
    footfall(["--help"]),
    footfall(["webhook", "verify", "--help"]),
  ])

  expect(singular).toEqual(plural)
  expect(help.stdout).toMatch(/^ +webhooks +/m)
  expect(help.stdout).not.toMatch(/webhook(\s|\|)/)
  expect(own.stdout).toContain("Usage: footfall webhooks verify")
})

test("a missing file, and reading both from standard input, are usage errors", async () => {
  const missing = await verify("/nowhere/request.http")
  const both = await footfall(["webhooks", "verify", "-", "--secret-stdin"], { input: "x" })

  expect(failure(missing.stderr).message).toContain("File not found")
  expect(failure(both.stderr).message).toContain("both the request and the secret")
  expect([missing.exitCode, both.exitCode]).toEqual([2, 2])
})
