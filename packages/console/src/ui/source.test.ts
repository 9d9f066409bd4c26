// One name for a source, however a visit names it.
import { expect, it } from "vitest"
import { sourceOf } from "./source.ts"

it("names a campaign's google and a referrer's google.com the same", () => {
  expect(sourceOf("google", "www.google.com")).toBe("google")
  expect(sourceOf(null, "google.com")).toBe("google")
  expect(sourceOf(null, "www.google.co.uk")).toBe("google")
  expect(sourceOf(null, "lm.facebook.com")).toBe("facebook")
})

it("leaves other sources as they are, and a direct visit without one", () => {
  expect(sourceOf("newsletter", null)).toBe("newsletter")
  expect(sourceOf(null, "google.attacker.example")).toBe("google.attacker.example")
  expect(sourceOf(null, "notgoogle.com")).toBe("notgoogle.com")
  expect(sourceOf(null, null)).toBeNull()
})
