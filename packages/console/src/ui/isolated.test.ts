// Right-to-left text in sentences.
import { expect, it } from "vitest"
import { isolated, withoutDirections } from "./isolated.ts"

it("isolates a right-to-left value from the words around it, and leaves others as they are", () => {
  expect(isolated`Erased ${"שרה"} and ${"Jane"}`).toBe("Erased \u2068שרה\u2069 and Jane")
})

it("removes every character that sets the direction of the text after it", () => {
  const all = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
  expect(withoutDirections(`a${[...all].join("b")}c`)).toBe("abbbbbbbbc")
})
