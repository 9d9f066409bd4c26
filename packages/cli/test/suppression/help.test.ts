// Every command of the group has help with examples, and the group lists all of them.

import { expect, test } from "vitest"
import { footfall } from "../fixtures/footfall.ts"

const commands = ["list", "add", "remove", "import", "plan", "apply", "export", "industries", "why"]

test.each(commands)("help of `footfall suppression %s` has examples", async (command) => {
  const { exitCode, stdout, stderr } = await footfall(["suppression", command, "--help"])

  expect(stdout).toMatch(/Examples:\n {2}\$ .*footfall suppression/)
  expect(stderr).toBe("")
  expect(exitCode).toBe(0)
})

test("`footfall suppression` alone lists its commands", async () => {
  const { stdout, exitCode } = await footfall(["suppression"])

  for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command} `, "m"))
  expect(exitCode).toBe(0)
})
