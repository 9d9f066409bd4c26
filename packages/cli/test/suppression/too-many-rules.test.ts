// A list with more rules than the comparison can hold is not changesBetween, so that no rule of the file
// is removed by mistake.

import { join } from "node:path"
import { DigestSet } from "@footfall/normal-form/reading"
import { Footfall } from "@footfall/sdk"
import { afterEach, beforeEach, expect, test } from "vitest"
import { changesTo } from "../../src/suppression/changes.ts"
import { SpoolWriter } from "../../src/suppression/rule-spool.ts"
import { FakeApi } from "../fixtures/fake-api.ts"
import { configDirectory } from "../fixtures/footfall.ts"
import { apiKey } from "../fixtures/records.ts"

/** 16 tables of 256 slots are full at 3,072 rules. */
const [few, many] = [2_000, 5_000]

let api: FakeApi
beforeEach(async () => {
  api = await FakeApi.start()
})
afterEach(() => api[Symbol.asyncDispose]())

const rules = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    type: "email" as const,
    value: `person${index}@acme.example`,
  }))

/** The changes from `present` rules to `wanted` rules. */
const changesBetween = async (wanted: number, present: number) => {
  const folder = configDirectory()
  const spools = {
    wanted: join(folder, "wanted"),
    additions: join(folder, "additions"),
    removals: join(folder, "removals"),
  }
  const spool = new SpoolWriter(spools.wanted)
  for (const rule of rules(wanted)) spool.add({ ...rule, file: 0, line: 1 })
  spool.close()
  api.on("GET /v1/data/suppression-rules", () => ({
    data: {
      rules: rules(present).map((rule) => ({ ...rule, id: "x", createdAt: "" })),
      ...{ counts: {}, total: present, filteredTotal: present, limit: 5_000, offset: 0 },
      hasMore: false,
    },
    meta: { hasMore: false, nextCursor: null },
  }))
  return changesTo(new Footfall({ apiKey, baseUrl: api.baseUrl }), spools, undefined, {
    waiting: { wait: async () => {}, onWait: () => {} },
    hooks: {},
    onRules: () => {},
    newSet: () => new DigestSet(2 ** 8),
  })
}

test.each([
  ["a file", many, few, "The files have more than about 6,000,000 rules"],
  ["a list", few, many, "The list has more than about 6,000,000 rules"],
])("%s with too many rules is rejected", async (_what, wanted, present, message) => {
  const changes = changesBetween(wanted, present)

  await expect(changes).rejects.toThrow(message)
})

test("a rule in both lists is not a change, within the comparison's limit", async () => {
  const changes = changesBetween(few, few)

  expect(await changes).toMatchObject({ removals: { email: 0 }, additions: { email: 0 } })
})
