// Rejected rows as a file.

import { expect, test } from "vitest"
import { rejectedHeader, rejectedText } from "./rejected-rows.ts"

test("a rejected row is written as a line that no spreadsheet treats as a formula", () => {
  const row = { line: 3, type: "@x", value: '=1+"1",', reason: "invalid_type" }

  expect(rejectedHeader + rejectedText(row)).toBe(
    'line,type,value,reason,message\r\n3,\'@x,"\'=1+""1"",",invalid_type,\r\n',
  )
  expect(rejectedText({ ...row, value: "a".repeat(600) }).length).toBeLessThan(600)
})
