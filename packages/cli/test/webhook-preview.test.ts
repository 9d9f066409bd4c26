// `webhooks preview` says how often a webhook would have sent, and about whom.

import { afterEach, beforeEach, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { apiKey } from "./fixtures/records.ts"

let api: FakeApi

beforeEach(async () => {
  api = await FakeApi.start()
})

afterEach(() => api[Symbol.asyncDispose]())

const harbor = { domain: "harbor.example", name: "Harbor" }
const at = new Date().toISOString()

const preview = async (
  samples: ReadonlyArray<object>,
  ...words: ReadonlyArray<string>
): Promise<string> => {
  const byAgain = { every_session: 2, "1h": 2, "24h": 1, "7d": 1, once: 1 }
  const heldBack = { again: 0, suppressed: 0 }
  api.on("POST /v1/data/webhooks/preview", () => ({
    data: { message: null, told: 2, heldBack, byAgain, samples },
  }))
  const { stdout } = await footfall(["webhooks", "preview", ...words, "--output", "table"], {
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
  })
  return stdout
}

test("an anonymous page view is of someone at a company, a visit is of the company", async () => {
  const page = { path: "/pricing", title: null, secondsVisible: null }
  const sample = { at, visitor: null, company: harbor, told: true }

  expect(await preview([{ ...sample, page }], "--trigger", "page_viewed")).toContain(
    ": Someone at Harbor viewed /pricing\n",
  )
  expect(await preview([{ ...sample, page: null }], "--trigger", "company_seen")).toContain(
    ": Harbor\n",
  )
})

test("the messages are those of the timeframe", async () => {
  expect(await preview([])).toMatch(/^2 messages in the last 30 days\.\n/)
  expect(await preview([], "--timeframe", "24h")).toMatch(/^2 messages in the last 24 hours\.\n/)
})
