// The built subpath @footfall/sdk/normal-form: the function from packages/normal-form, which has
// its own tests.

import { normalizeRule as shared } from "@footfall/normal-form"
import { expect, it } from "vitest"
import { normalizeRule } from "../src/normal-form.ts"

it("is the server's own function", () => {
  expect(normalizeRule).toBe(shared)
  expect(normalizeRule({ type: "domain", value: "https://www.Rival.example/x" })).toEqual({
    type: "domain",
    value: "rival.example",
  })
  expect(normalizeRule({ type: "email", value: "a@b.example" }, ["domain"])).toBe(
    "type_not_in_types",
  )
})
