import { describe, expect, it } from "vitest"
import { checkOptions, OptionInvalid } from "./footfall-options.ts"
import { createFootfall } from "./index.ts"

describe("an option of createFootfall", () => {
  it.each([
    [
      "basePath",
      "footfall",
      'a path such as "/footfall", without a slash at the end, received "footfall"',
    ],
    [
      "basePath",
      "/footfall/",
      'a path such as "/footfall", without a slash at the end, received "/footfall/"',
    ],
    ["workers", "false", 'true or false, received "false"'],
    ["migrate", 1, "true or false, received number"],
    ["logger", {}, "a function, received object"],
    ["clientAddress", null, "a function, received null"],
    ["resolvers", [{}], "an array of objects with a resolve function, received object"],
  ])("%s: %j is refused with what was expected", (name, value, message) => {
    expect(() => checkOptions({ [name]: value })).toThrow(
      new OptionInvalid(`${name}: expected ${message}.`),
    )
  })

  it.each(["syncCycleSecond", "constructor", "__proto__"])(
    "that does not exist (%s) is refused with the names of those that do",
    (name) => {
      expect(() => checkOptions(Object.fromEntries([[name, 1]]))).toThrow(
        `Unknown option "${name}". Expected one of: allowPrivateWebhooks, basePath,`,
      )
    },
  )

  it("that is undefined counts as absent", () => {
    expect(() => checkOptions({ basePath: undefined, workers: undefined })).not.toThrow()
  })

  it("is checked before anything starts", async () => {
    await expect(createFootfall({ workers: "yes" as never })).rejects.toThrow(OptionInvalid)
  })
})
