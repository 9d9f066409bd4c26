// Help is for people who look around: it goes to standard output and is no error.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { version } from "../src/version.ts"
import { footfall } from "./fixtures/footfall.ts"

const commands = [
  "visitors list",
  "visitors get",
  "visitors query",
  "visitors sessions",
  "visitors export",
  "visitors erase",
  "segments list",
  "segments get",
  "segments create",
  "segments update",
  "segments delete",
  "segments preview",
  "pixels list",
  "pixels get",
  "pixels create",
  "pixels update",
  "pixels delete",
  "pixels verify",
  "topics list",
  "topics search",
  "topics facets",
  "topics trend",
  "topics compare",
  "topics movers",
  "topics analyze",
  "topics analyses",
  "topic-lists list",
  "topic-lists get",
  "topic-lists create",
  "topic-lists update",
  "topic-lists delete",
  "audiences filters",
  "audiences validate",
  "audiences preview",
  "audiences list",
  "audiences get",
  "audiences create",
  "audiences update",
  "audiences activate",
  "audiences pause",
  "audiences delete",
  "runs start",
  "runs list",
  "runs get",
  "runs cancel",
  "runs stats",
  "runs results",
  "runs export",
  "destinations list",
  "destinations get",
  "destinations create",
  "destinations update",
  "destinations activate",
  "destinations pause",
  "destinations delete",
  "destinations rotate-secret",
  "destinations test",
  "integrations accounts list",
  "integrations accounts connect",
  "integrations accounts check",
  "integrations accounts disconnect",
  "integrations lists",
  "webhooks list",
  "webhooks get",
  "webhooks create",
  "webhooks update",
  "webhooks delete",
  "webhooks rotate-secret",
  "webhooks test",
  "webhooks deliveries",
  "webhooks redeliver",
  "webhook verify",
  "listen",
  "keys list",
  "keys create",
  "keys revoke",
  "members list",
  "members add",
  "members role",
  "members remove",
  "organizations list",
  "organizations create",
  "organizations update",
  "organizations use",
  "profile add",
  "profile list",
  "profile use",
  "profile remove",
  "account",
  "doctor",
  "import",
  "login",
  "logout",
  "whoami",
  "accept-invitation",
]

test.each(["", ...commands])("help of `footfall %s` has examples", async (command) => {
  const { exitCode, stdout, stderr } = await footfall([
    ...command.split(" ").filter(Boolean),
    "--help",
  ])

  expect(stdout).toContain("Usage: footfall")
  expect(stdout).toMatch(/Examples:\n {2}\$ footfall/)
  expect(stderr).toBe("")
  expect(exitCode).toBe(0)
})

test.each([
  [],
  ...[
    "visitors",
    "segments",
    "pixels",
    "topics",
    "topic-lists",
    "audiences",
    "destinations",
    "integrations",
    "webhook",
    "keys",
    "members",
    "organizations",
    "profile",
  ].map((noun) => [noun]),
])("`footfall %s` alone shows what there is", async (...words) => {
  const { exitCode, stdout, stderr } = await footfall(words)

  expect(stdout).toContain("Commands:")
  expect(stderr).toBe("")
  expect(exitCode).toBe(0)
})

test("help offers no option that takes a key", async () => {
  const { stdout } = await footfall(["visitors", "list", "--help"])

  expect(stdout).toContain("--api-key-stdin")
  expect(stdout).not.toMatch(/--(api-)?key /)
})

test("the version is the one of the package", async () => {
  const { stdout } = await footfall(["--version"])

  const file = readFileSync(join(import.meta.dirname, "../package.json"), "utf8")
  expect(version).toBe(JSON.parse(file).version)
  expect(stdout).toBe(`${version}\n`)
})
