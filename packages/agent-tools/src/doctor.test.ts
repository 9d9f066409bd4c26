// What agents hear of the doctor before they call it.

import { expect, test } from "vitest"
import { agentTools } from "./index.ts"

test("the doctor says that it reaches the sites of pixels, which are not the server's own", () => {
  const doctor = agentTools(false).find(({ name }) => name === "run_doctor")

  expect(doctor).toMatchObject({ isOpenWorld: true, isWrite: false })
})
