// What changes in the interim responses before the final one: the status 100, and nothing else.
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { InterimHeads } from "./interim-answers.ts"

/** The texts, each a response to one request, after passing through in pieces of this size. */
const passed = (answers: ReadonlyArray<string>, size: number): string => {
  const heads = new InterimHeads()
  let all = ""
  for (const answer of answers) {
    heads.expect()
    for (let at = 0; at < answer.length; at += size) {
      const chunk = Buffer.from(answer.slice(at, at + size))
      heads.pass(chunk)
      all += chunk.toString()
    }
  }
  return all
}

const answer = "HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\nHTTP/1.1 100"

describe("interim responses", () => {
  it.each([
    ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 102 Continue\r\n\r\n"],
    ["HTTP/1.0 100 Go on\nvia: 100\n\n", "HTTP/1.0 102 Go on\nvia: 100\n\n"],
    ["HTTP/1.1 103 Hints\r\nlink: <a>\r\n\r\n", "HTTP/1.1 103 Hints\r\nlink: <a>\r\n\r\n"],
    ["HTTP/1.1 110 Soon\r\n\r\n", "HTTP/1.1 110 Soon\r\n\r\n"],
    ["", ""],
  ])("%j become %j, in pieces of any size, repeatedly", (interim, expected) => {
    for (let size = 1; size <= 120; size++) {
      const twice = passed([interim + answer, interim + interim + answer], size)

      assert.strictEqual(twice, expected + answer + expected + expected + answer)
    }
  })

  it("bytes that are not HTTP do not change", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary-ascii" }),
        fc.integer({ min: 1, max: 9 }),
        (text, size) => {
          fc.pre(!text.startsWith("HTTP/1."))
          assert.strictEqual(passed([text], size), text)
        },
      ),
    )
  })
})
