// Braille dots, by their bits in Unicode.

import { expect, test } from "vitest"
import { BrailleCanvas } from "./chart.tsx"

test.each([
  [0, 0, "⠁"],
  [1, 0, "⠈"],
  [0, 2, "⠄"],
  [0, 3, "⡀"],
  [1, 3, "⢀"],
])("the dot at %i, %i is %s", (x, y, character) => {
  const canvas = new BrailleCanvas({ columns: 1, rows: 1 })

  canvas.dot({ x, y })

  expect(canvas.rows()).toEqual([character])
})

test("a line includes both ends and has no gap", () => {
  const canvas = new BrailleCanvas({ columns: 3, rows: 2 })

  canvas.line({ x: 0, y: 7 }, { x: 5, y: 0 })

  expect(canvas.rows()).toEqual([" ⢀⠎", "⡰⠁ "])
})

test("points outside are not drawn", () => {
  const canvas = new BrailleCanvas({ columns: 2, rows: 1 })

  for (const [x, y] of [
    [-1, 0],
    [0, -1],
    [4, 0],
    [0, 4],
  ] as const) {
    canvas.dot({ x, y })
  }

  expect(canvas.rows()).toEqual(["  "])
})
