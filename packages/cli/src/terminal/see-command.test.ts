// A command with two ids at common screen widths, and at every other width.

import fc from "fast-check"
import { expect, test } from "vitest"
import { seeCommand } from "./see-command.ts"

const audience = "70865832-8a6e-409c-95c5-d15bafae1a05"
const run = "efb5aab5-6869-4672-9dc1-601e8732e865"
const command = `footfall runs stats ${audience} ${run}`

test.each([
  [60, `See: footfall runs stats \\\n     ${audience} \\\n     ${run}\n`],
  [80, `See: footfall runs stats ${audience} \\\n     ${run}\n`],
  [120, `See: ${command}\n`],
  [98, `See: ${command}\n`],
  [97, `See: footfall runs stats ${audience} \\\n     ${run}\n`],
])("at %i columns", (columns, text) => {
  expect(seeCommand(command, columns)).toBe(text)
})

test("no line is longer than the screen, and a shell reads the lines as one command", () => {
  fc.assert(
    fc.property(fc.integer({ min: 43, max: 200 }), (columns) => {
      const text = seeCommand(command, columns)

      expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(columns)
      expect(text.replaceAll(/ \\\n +/g, " ")).toBe(`See: ${command}\n`)
    }),
  )
})

test("a word longer than the screen stays whole", () => {
  expect(seeCommand(`footfall runs list ${audience}`, 20)).toBe(
    `See: footfall runs \\\n     list \\\n     ${audience}\n`,
  )
})
