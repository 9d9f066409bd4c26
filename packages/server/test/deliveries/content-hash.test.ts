// The hash of a sent contact is the same in SQL, which compares whole runs, as in code: SHA-256 of the RFC 8785 form by
// `canonicalize` (spec 2.16), for any text.
import { assert, describe, it } from "@effect/vitest"
import canonicalize from "canonicalize"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import {
  contactHash,
  contactText,
  listContactHash,
} from "../../src/activation/deliveries/content.ts"
import {
  listContentHash,
  webhookContentHash,
} from "../../src/activation/deliveries/content-hash.ts"
import { fragmentOf, type SqlText } from "../../src/platform/database/sql-text.ts"
import {
  type AutomationConfig,
  mappedAttributes,
} from "../../src/activation/destinations/connectors/automation-config.ts"
import { listContact } from "../../src/activation/destinations/connectors/list-contact.ts"
import { type ResultDbRow, resultRow } from "../../src/intent/runs/results/result-row.ts"
import type { Topic } from "../../src/intent/topics/topic.ts"
import { TestDatabase } from "../support/database.ts"
import { storedRow } from "./stored-row.ts"

/** Postgres stores neither NUL nor half of a surrogate pair. Requests that contain one are rejected. */
const text = fc.string({ unit: "binary", maxLength: 12 }).filter((value) => !value.includes("\0"))
const maybe = fc.option(
  fc.oneof(text, fc.constantFrom("", "é\u2028\u2029", "\u0001\u001f\u007f", '"\\/\b\f\n\r\t')),
)

const topic = fc.record<Topic>({
  topicId: fc.integer({ min: 1, max: 2_000_000_000 }),
  topicName: text,
  type: fc.constantFrom("b2b", "b2c", "both"),
  industry: text,
  category: text,
})

const row = (topics: ReadonlyArray<Topic>): fc.Arbitrary<ResultDbRow> =>
  fc.record({
    position: fc.constant(1),
    hashedEmail: fc.stringMatching(/^[0-9a-f]{64}$/),
    firstName: maybe,
    lastName: maybe,
    email: maybe,
    businessEmail: maybe,
    personalEmail: maybe,
    emailStatus: maybe,
    phone: maybe,
    linkedinUrl: maybe,
    headline: maybe,
    jobTitle: maybe,
    seniority: maybe,
    department: maybe,
    companyName: maybe,
    companyDomain: maybe,
    companyIndustry: maybe,
    companyIndustryGroup: maybe,
    companyRevenueRange: maybe,
    companySize: maybe,
    companyLinkedinUrl: maybe,
    city: maybe,
    state: maybe,
    country: maybe,
    ageRange: maybe,
    gender: maybe,
    isB2b: fc.option(fc.constantFrom("y", "n")),
    // A run without topics has no scores.
    score: topics.length === 0 ? fc.constant(null) : fc.integer({ min: 1, max: 100 }),
    topicOverlap: topics.length === 0 ? fc.constant(null) : fc.integer({ min: 0, max: 10 }),
    matchedTopics: fc.shuffledSubarray(topics.map(({ topicId }) => topicId)),
  })

const contact = fc
  .uniqueArray(topic, { maxLength: 4, selector: ({ topicId }) => topicId })
  .chain((topics) => fc.record({ topics: fc.constant(topics), row: row(topics) }))

const config: fc.Arbitrary<AutomationConfig> = fc.record({
  listId: fc.constant("list-1"),
  emailSource: fc.constant("email"),
  newContactStatus: fc.constant("SUBSCRIBED"),
  onLeave: fc.constant("keep"),
  eraseAtProvider: fc.constant(false),
  fieldMapping: fc.dictionary(text, fc.constantFrom(...mappedAttributes), {
    noNullPrototype: true,
  }),
  tags: fc.array(text, { maxLength: 3 }),
})

const audienceId = "70865832-8a6e-409c-95c5-d15bafae1a05"

describe("content hash", () => {
  it.live("of a whole contact is the same in SQL and in code", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const samples = fc.sample(contact, { numRuns: 200, seed: 8785 })

      for (const { row, topics } of samples) {
        const sent = resultRow(row, byId(topics))
        assert.strictEqual(contactText(sent), canonicalize(sent))
        const expected = contactHash(sent)
        assert.strictEqual(yield* hashInSql(sql, row, webhookContentHash(topics)), expected)
      }
    }).pipe(Effect.provide(TestDatabase.layer)),
  )

  it.live("of a list contact is the same in SQL and in code", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const samples = fc.sample(fc.tuple(contact, config), { numRuns: 200, seed: 8785 })

      for (const [{ row, topics }, config] of samples) {
        const sent = listContact(resultRow(row, byId(topics)), { audienceId, config })
        if (sent === undefined) continue
        const statement = listContentHash({ audienceId, config }, topics)
        assert.strictEqual(yield* hashInSql(sql, row, statement), listContactHash(sent))
      }
    }).pipe(Effect.provide(TestDatabase.layer)),
  )
})

const byId = (topics: ReadonlyArray<Topic>) =>
  new Map(topics.map((topic) => [topic.topicId, topic]))

const hashInSql = (sql: SqlClient.SqlClient, row: ResultDbRow, hash: SqlText) =>
  sql<{ readonly hash: string }>`
    select encode(${fragmentOf(hash)}, 'hex') as hash
    from json_populate_record(null::run_result, ${JSON.stringify(storedRow(row))}::text::json) as result
  `.unprepared.pipe(Effect.map(([found]) => found!.hash))
