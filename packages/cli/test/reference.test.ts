// docs/reference/cli.md matches the commands.

import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import { cliReference } from "../scripts/cli-reference.ts"

it("is what `npm run reference` generates", async () => {
  const page = new URL("../../../docs/reference/cli.md", import.meta.url)

  expect(await readFile(page, "utf8")).toBe(await cliReference())
})

it("has every command, including nested groups, and nothing hidden", async () => {
  const text = await cliReference()

  expect(text).toContain("### footfall integrations accounts create\n")
  expect(text).toContain("## footfall sync\n")
  expect(text).not.toContain("--password [secret]")
})
