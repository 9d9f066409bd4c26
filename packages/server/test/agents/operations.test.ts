// The tools for agents describe the API as it is.
import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { agentOperations } from "../../scripts/agent-operations.ts"

test("the build gives the tools for agents the current API", async () => {
  const file = new URL("../../../agent-tools/src/operations.json", import.meta.url)

  expect(await readFile(file, "utf8")).toBe(agentOperations())
})
