// The next step depends on the command's credentials: a key or a session.

import { ApiError, BadRequestError, PermissionError } from "@footfall/sdk"
import { expect, it } from "vitest"
import { apiErrorAdvice } from "./api-error-advice.ts"

const rejected = (status: number) =>
  new ApiError({
    status,
    code: "CODE",
    message: "No.",
    requestId: null,
    details: undefined,
    retryAfterSeconds: null,
  })

it.each([
  [["suppression", "import", "rules.csv"], "profiles update"],
  [["visitors", "list"], "profiles update"],
  [["import", "people", "people.csv"], "footfall login"],
  [["keys", "list"], "footfall login"],
  [["accept-invitation", "--stdin"], "Paste the whole invitation."],
])("a rejected credential of %j is fixed with %s", (words, step) => {
  expect(apiErrorAdvice(rejected(401), words)).toMatchObject({
    exitCode: 4,
    nextStep: expect.stringContaining(step),
  })
})

it("a missing object suggests the list command of its noun", () => {
  expect(apiErrorAdvice(rejected(404), ["suppression", "remove", "x"])).toEqual({
    exitCode: 5,
    nextStep: "To list them: footfall suppression list",
  })
})

it("an issue whose text is already in the message shows only its path", () => {
  const issue = { path: "/body/minScore", code: "max", message: "At most 80." }
  const error = new BadRequestError({
    status: 400,
    code: "VALIDATION_ERROR",
    message: "At most 80.",
    requestId: null,
    details: { issues: [issue, { ...issue, path: "/body/maxScore", message: "A number." }] },
    retryAfterSeconds: null,
  })

  expect(apiErrorAdvice(error, ["audiences", "preview"])).toEqual({
    exitCode: 1,
    nextStep: "Where: /body/minScore /body/maxScore: A number.",
  })
})

it.each([
  ["operator", "Only owners of the operator's organization can do this."],
  ["owner", "This requires the role owner."],
])("an action that requires %s says so", (required, sentence) => {
  const error = new PermissionError({
    status: 403,
    code: "FORBIDDEN",
    message: "No.",
    requestId: null,
    details: { required },
    retryAfterSeconds: null,
  })

  expect(apiErrorAdvice(error, ["import", "topics"])).toEqual({
    exitCode: 4,
    nextStep: `${sentence} Run: footfall whoami`,
  })
})
