import { Exit, Schema } from "effect"
import { expect, it } from "vitest"
import { requestText } from "./fields.ts"

const decode = Schema.decodeUnknownExit(requestText({ lengthMin: 1, lengthMax: 3 }))

it.each([
  ["", false],
  ["  \n ", false],
  ["a", true],
  ["😀😀😀", true],
  ["😀😀😀😀", false],
  ["  abc\t", true],
  [1, false],
  [null, false],
])("%j of 1 to 3 characters after trimming: %j", (text, isTaken) => {
  expect(Exit.isSuccess(decode(text))).toBe(isTaken)
})

it("accepted text is trimmed", () => {
  expect(decode("  a b\n")).toEqual(Exit.succeed("a b"))
})
