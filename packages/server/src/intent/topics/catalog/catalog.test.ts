import { expect, it } from "vitest"
import { Recent } from "./catalog.ts"

it("keeps the most recently used answers and computes the others again", () => {
  const computed: Array<string> = []
  const recent = new Recent<string>(2)
  const ask = (key: string) =>
    recent.get(key, () => {
      computed.push(key)
      return key.toUpperCase()
    })

  expect(["a", "b", "a", "c", "a", "b"].map(ask)).toEqual(["A", "B", "A", "C", "A", "B"])
  expect(computed).toEqual(["a", "b", "c", "b"])
})
