// Importing a stream into a real Postgres: formats, batches, what a broken stream leaves, and two concurrent
// imports (spec 5.14).
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Stream } from "effect"
import { Imports, readAheadBytes } from "../../src/people/imports/imports.ts"
import { batchRows } from "../../src/people/imports/merged-import.ts"
import { type RejectedRow, rejectedMax } from "../../src/people/imports/row-reader.ts"
import { arrive, drain, identify, organizationId } from "../identification/identification-layer.ts"
import { links, ndjson, people, rows, send, sendPeople, sha256, testLayer } from "./people-layer.ts"

const person = (index: number, change: object = {}) => ({
  email: `p${index}@harbor.example`,
  firstName: `P${index}`,
  ...change,
})
const persons = (count: number, change: object = {}) =>
  Array.from({ length: count }, (_, index) => person(index, change))

const count = Effect.map(
  rows<{ count: number }>("select count(*)::int as count from person"),
  ([row]) => row?.count,
)

describe("a stream", () => {
  it.live("of CSV can have nested names, lists, quotes, a byte order mark and CRLF", () =>
    Effect.gen(function* () {
      const text =
        "\ufeffemail,firstName,company.name,emails\r\n" +
        'a@b.example,Ann,"Harbor, ""West""\nLogistics",x@b.example|y@b.example\r\n' +
        "\r\n" +
        "c@d.example,,,\r\n"

      const result = yield* send(people, [text.slice(0, 60), text.slice(60)], { format: "csv" })

      assert.deepInclude(result, { received: 2, inserted: 2, rejectedCount: 0 })
      assert.deepStrictEqual(
        yield* rows("select email, first_name, company_name, emails from person order by email"),
        [
          {
            email: "a@b.example",
            first_name: "Ann",
            company_name: 'Harbor, "West"\nLogistics',
            emails: ["x@b.example", "y@b.example"],
          },
          { email: "c@d.example", first_name: null, company_name: null, emails: [] },
        ],
      )
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("of NDJSON may begin with a byte order mark", () =>
    Effect.gen(function* () {
      const result = yield* send(people, [`\ufeff${ndjson([person(0), person(1)])}`], {})

      assert.deepInclude(result, { received: 2, inserted: 2, rejectedCount: 0 })
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("of CSV can have one flag for all phones of a person", () =>
    Effect.gen(function* () {
      const text =
        "email,phones,phonesDnc\na@b.example,+14155550134|+14155550135,true\n" +
        "c@d.example,+14155550136|+14155550137,false|true\n"

      yield* send(people, [text], { format: "csv" })

      assert.deepStrictEqual(yield* rows("select phones_dnc from person order by email"), [
        { phones_dnc: [true, true] },
        { phones_dnc: [false, true] },
      ])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("lists the first hundred rejected rows by number, and counts all of them", () =>
    Effect.gen(function* () {
      const lines = [
        ...Array.from({ length: rejectedMax + 50 }, (_, index) => `{"email":"bad ${index}"}`),
        "",
        "no json",
        JSON.stringify(person(1)),
        "[]",
        `{"email":"${"x".repeat(70_000)}"}`,
      ]
      const result = yield* send(people, [lines.join("\n")], {})

      assert.deepInclude(result, {
        received: rejectedMax + 54,
        inserted: 1,
        rejectedCount: rejectedMax + 53,
      })
      assert.lengthOf(result.rejected, rejectedMax)
      assert.deepStrictEqual(result.rejected.at(-1), {
        row: rejectedMax,
        field: "email",
        reason: "invalid_value",
      })
    }).pipe(Effect.provide(testLayer)),
  )

  const unreadable: ReadonlyArray<
    readonly [string, string | Uint8Array, RejectedRow["reason"], number]
  > = [
    ["a line that is not JSON", `${JSON.stringify(person(1))}\n{`, "unreadable_row", 2],
    ["a line that is not UTF-8", Buffer.from([0x22, 0xff, 0x22, 0x0a]), "unreadable_row", 1],
    ["a line that is not an object", "7\n", "not_an_object", 1],
    ["a line of more than 64 KiB", `\n"${"x".repeat(65_536)}"`, "row_too_long", 1],
  ]
  for (const [what, text, reason, row] of unreadable) {
    it.live(`rejects ${what}, and only that`, () =>
      Effect.gen(function* () {
        const result = yield* send(people, [text], {})
        assert.deepStrictEqual(result.rejected, [{ row, field: null, reason }])
      }).pipe(Effect.provide(testLayer)),
    )
  }

  const headers: ReadonlyArray<
    readonly [string, string | Uint8Array, typeof people | typeof links]
  > = [
    ["without a required column", "firstName,lastName\nA,B\n", people],
    ["with an empty name", "email,,firstName\na@b.example,,\n", people],
    ["that names a column twice", "email,email\na@b.example,a@b.example\n", people],
    ["in UTF-16", Buffer.from("\ufeffemail\na@b.example\n", "utf16le"), people],
    ["that is missing", "", people],
    ["of links without a required column", "kind,value\nemail,a\n", links],
  ]
  for (const [what, text, kind] of headers) {
    it.live(`with a CSV header ${what} imports nothing`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(send(kind, [text], { format: "csv" }))
        assert.strictEqual(error._tag, "ImportRefused")
        assert.strictEqual(yield* count, 0)
      }).pipe(Effect.provide(testLayer)),
    )
  }

  it.live("without rows imports nothing", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* send(people, ["\n"], {}), { received: 0, rejectedCount: 0 })
    }).pipe(Effect.provide(testLayer)),
  )
})

describe("batches", () => {
  const size = batchRows.most * 2 + 1

  it.live("count exactly across batches, even if a key is repeated in a later one", () =>
    Effect.gen(function* () {
      const all = [...persons(size), person(0, { firstName: "Again" }), person(1)]

      const first = yield* sendPeople(all)
      const second = yield* sendPeople(all)
      const third = yield* sendPeople([
        person(5, { firstName: "New" }),
        ...persons(size),
        person(5, { firstName: "New" }),
      ])

      assert.deepInclude(first, { received: size + 2, inserted: size, updated: 0, unchanged: 2 })
      // The first row of p0 restores its name, the last one changes it again.
      assert.deepInclude(second, { inserted: 0, updated: 1, unchanged: size + 1 })
      assert.deepInclude(third, { inserted: 0, updated: 2, unchanged: size })
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("of new people, followed by people who are stored already, are merged", () =>
    Effect.gen(function* () {
      const visitor = person(batchRows.most)
      yield* Effect.andThen(arrive(identify(0, visitor.email)), drain)
      yield* sendPeople([person(size - 1, { firstName: "Old", jobTitle: "Captain" })])

      const result = yield* sendPeople(persons(size))

      assert.deepInclude(result, { inserted: size - 1, updated: 1, unchanged: 0 })
      assert.strictEqual(yield* count, size)
      assert.deepStrictEqual(
        yield* rows("select first_name, job_title from person where email = $1", [
          person(size - 1).email,
        ]),
        [{ first_name: `P${size - 1}`, job_title: "Captain" }],
      )
      assert.deepStrictEqual(yield* rows("select first_name from visitor"), [
        { first_name: visitor.firstName },
      ])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("of stored people, followed by new ones, are merged", () =>
    Effect.gen(function* () {
      // So the first batch holds none of the new ones.
      const known = persons(batchRows.most)
      const alias = "alias@harbor.example"
      yield* Effect.andThen(arrive(identify(0, alias)), drain)
      yield* sendPeople(known)

      const result = yield* sendPeople([
        ...known,
        ...persons(batchRows.most + 5).slice(batchRows.most),
        person(batchRows.most + 5, { emails: [alias] }),
      ])

      assert.deepInclude(result, { inserted: 6, updated: 0, unchanged: batchRows.most })
      assert.deepStrictEqual(yield* rows("select first_name from visitor"), [
        { first_name: `P${batchRows.most + 5}` },
      ])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("that were committed stay when the stream breaks, and sending it again resumes", () =>
    Effect.gen(function* () {
      const { run } = yield* Imports
      const isRead = yield* Deferred.make<void>()
      const input = Stream.concat(
        // Blank lines make the body larger than what is read before the import has a place.
        Stream.make(
          Buffer.from(ndjson(persons(batchRows.first + 10)) + "\n".repeat(readAheadBytes)),
        ),
        Stream.fromEffect(Effect.andThen(Deferred.await(isRead), Effect.fail("broken" as const))),
      )
      const exit = yield* Effect.exit(
        run({
          kind: yield* people,
          format: "ndjson",
          input,
          organizationId,
          isShared: false,
          actor: { type: "operator" },
          onProgress: () => Deferred.doneUnsafe(isRead, Effect.void),
        }),
      )

      assert.deepStrictEqual(exit, Exit.fail("broken"))
      assert.strictEqual(yield* count, batchRows.first)
      const again = yield* sendPeople(persons(batchRows.first + 10))
      assert.deepInclude(again, { inserted: 10, updated: 0, unchanged: batchRows.first })
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("of one file sent twice concurrently are written once", () =>
    Effect.gen(function* () {
      const fibers = yield* Effect.forEach([1, 2], () =>
        Effect.forkChild(sendPeople(persons(size))),
      )
      const results = yield* Effect.forEach(fibers, Fiber.join)

      assert.strictEqual(yield* count, size)
      assert.strictEqual(
        results.reduce((sum, { inserted }) => sum + inserted, 0),
        size,
      )
      assert.isTrue(results.every(({ updated }) => updated === 0))
    }).pipe(Effect.provide(testLayer)),
  )

  it.live(
    "each raise the version of the data, because readers may have cached the ones before",
    () =>
      Effect.gen(function* () {
        const version = Effect.map(
          rows<{ version: number }>(
            "select version::int as version from data_version where kind = 'people'",
          ),
          ([row]) => row?.version ?? 0,
        )
        const before = yield* version
        yield* sendPeople(persons(size))

        assert.isAtLeast((yield* version) - before, 3)
      }).pipe(Effect.provide(testLayer)),
  )

  it.live("leave one entry in the audit log, and none when nothing changed", () =>
    Effect.gen(function* () {
      yield* sendPeople(persons(size))
      yield* sendPeople(persons(size))

      assert.deepStrictEqual(
        yield* rows("select action, actor_type from audit_entry where organization_id = $1", [
          organizationId,
        ]),
        [{ action: "people.imported", actor_type: "operator" }],
      )
    }).pipe(Effect.provide(testLayer)),
  )
})

describe("identity links", () => {
  it.live(
    "of every kind are stored by kind and value, and importing them again changes nothing",
    () =>
      Effect.gen(function* () {
        const text = (hash: string) =>
          "kind,value,emailHash\n" +
          `email,${sha256("a@b.example").toUpperCase()},${hash}\n` +
          `anonymous_id,88AC470A-224F-4BDB-A28B-577D65372EDD,${hash}\n` +
          `external_id, crm-17 ,${hash}\n` +
          `external_id,crm-17,${hash}\n`
        const sent = (hash: string) => send(links, [text(hash)], { format: "csv" })

        const [first, again, other] = [
          yield* sent(sha256("x@y.example")),
          yield* sent(sha256("x@y.example")),
          yield* sent(sha256("z@y.example")),
        ]

        assert.deepInclude(first, { received: 4, inserted: 3, updated: 0, unchanged: 1 })
        assert.deepInclude(again, { inserted: 0, updated: 0, unchanged: 4 })
        assert.deepInclude(other, { inserted: 0, updated: 3, unchanged: 1 })
        assert.deepStrictEqual(
          yield* rows("select kind, value, email_hash from identity_link order by kind"),
          [
            {
              kind: "anonymous_id",
              value: "88ac470a-224f-4bdb-a28b-577d65372edd",
              email_hash: sha256("z@y.example"),
            },
            { kind: "external_id", value: "crm-17", email_hash: sha256("z@y.example") },
          ],
        )
      }).pipe(Effect.provide(testLayer)),
  )

  it.live("are rejected for missing or invalid fields", () =>
    Effect.gen(function* () {
      const emailHash = "a".repeat(64)
      const result = yield* send(
        links,
        [
          ndjson([
            { value: "x", emailHash },
            { kind: "external_id", emailHash },
            { kind: "external_id", value: "x" },
            { kind: "cookie", value: "x", emailHash },
            { kind: "email", value: "a@b.example", emailHash },
            { kind: "anonymous_id", value: "x", emailHash },
            { kind: "external_id", value: "x".repeat(256), emailHash },
            { kind: "external_id", value: "x", emailHash: "x" },
          ]),
        ],
        {},
      )
      assert.deepStrictEqual(
        result.rejected.map(({ field, reason }) => `${field} ${reason}`),
        [
          "kind missing_field",
          "value missing_field",
          "emailHash missing_field",
          "kind invalid_value",
          "value invalid_value",
          "value invalid_value",
          "value value_too_long",
          "emailHash invalid_value",
        ],
      )
    }).pipe(Effect.provide(testLayer)),
  )
})
