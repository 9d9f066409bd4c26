// Without a terminal, no command prompts or waits for input. It exits with 2 and says what to pass,
// even if standard input stays open, as under a job runner.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { expect, test } from "vitest"
import { footfallPath, isolated } from "./fixtures/footfall.ts"
import { apiKey } from "./fixtures/records.ts"

const id = "70865832-8a6e-409c-95c5-d15bafae1a05"
const credentials = {
  FOOTFALL_API_KEY: apiKey,
  FOOTFALL_ACCESS_TOKEN: "a.b.c",
  FOOTFALL_BASE_URL: "http://127.0.0.1:9",
}

test.concurrent.each([
  ["login"],
  ["login --email a@b.example"],
  ["accept-invitation"],
  ["profiles create local"],
  ["integrations accounts create"],
  [`segments delete ${id}`],
  [`topic-lists delete ${id}`],
  [`audiences delete ${id}`],
  [`keys delete ${id}`],
  [`sign-ins delete ${id}`],
  ["sign-ins end-others"],
  [`webhooks delete ${id}`],
  [`destinations delete ${id} ${id}`],
  ["top"],
])("`footfall %s` exits with 2", async (line) => {
  const child = spawn(process.execPath, [footfallPath, ...line.split(" ")], {
    env: isolated(credentials),
  })

  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ])

  expect(stderr).toContain("USAGE_ERROR")
  expect(stdout).toBe("")
  expect(exitCode).toBe(2)
})
