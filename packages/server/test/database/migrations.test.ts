// The schema is migrated once, whoever starts at the same time, and never halfway.
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer, Option, Redacted, Schedule } from "effect"
import { PgClient } from "@effect/sql-pg"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { readdirSync } from "node:fs"
import { advisoryLocks } from "../../src/platform/database/advisory-locks.ts"
import { Database } from "../../src/platform/database/database.ts"
import { DatabaseConfig } from "../../src/platform/database/database-config.ts"
import { Migrations } from "../../src/platform/database/migrations.ts"
import { statements as firstSchema } from "../../src/platform/database/migrations/0001-visitors.ts"
import { statements as ruleCounts } from "../../src/platform/database/migrations/0067-rule-counts.ts"
import { oneSpelling } from "../../src/platform/database/migrations/0072-one-spelling.ts"
import { statements as creators } from "../../src/platform/database/migrations/0077-creators.ts"
import { internationalRules } from "../../src/platform/database/migrations/0032-international-rules.ts"
import { testDatabaseUrl } from "../support/database.ts"

/** The names of all migrations, in order, as `Migrations.run` returns them. */
const every = readdirSync(new URL("../../src/platform/database/migrations", import.meta.url))
  .toSorted()
  .map((file) => file.replace(/^0*(\d+)-(.*)\.ts$/, "$1_$2").replaceAll("-", "_"))

/** The address of an empty database, dropped with the scope. */
const emptyDatabase = Effect.acquireRelease(
  Effect.promise(() => testDatabaseUrl()),
  ({ drop }) => Effect.promise(drop),
).pipe(
  Effect.tap((database) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`drop schema public cascade`
      yield* sql`create schema public`
    }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(database.url) }))),
  ),
  Effect.map(({ url }) => url),
)

/** A separate server on the database. */
const replica = (url: string) =>
  Database.layer.pipe(
    Layer.provide(
      Layer.succeed(DatabaseConfig, { url: Option.some(Redacted.make(url)), dataDir: "unused" }),
    ),
  )

layer(Layer.empty, { excludeTestServices: true })("migrations", (it) => {
  it.effect("leave triggers that count writes only where a replica must have reached them", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      yield* Effect.provide(Migrations.run, replica(url))

      const tables = yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ readonly name: string }>`
          select distinct tgrelid::regclass::text as name from pg_trigger
          where tgfoid = 'note_list_write'::regproc order by name`,
      ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url) })))

      assert.deepStrictEqual(
        tables.map(({ name }) => name),
        ["audience_run", "signal_alias_map", "suppression_list", "tombstone"],
      )
    }),
  )

  it.effect("run once when five replicas start on an empty database together", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase

      const runs = yield* Effect.all(
        Array.from({ length: 5 }, () => Effect.provide(Migrations.run, replica(url))),
        { concurrency: "unbounded" },
      )

      assert.deepStrictEqual(runs.flat(), every)
    }),
  )

  it.effect("take no lock on a schema that is up to date", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      yield* Effect.provide(Migrations.run, replica(url))

      const again = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`select pg_advisory_xact_lock(${advisoryLocks.migration})`
        return yield* Effect.provide(Migrations.run, Layer.fresh(replica(url)))
      }).pipe(
        (held) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(held)),
        Effect.provide(replica(url)),
      )

      assert.deepStrictEqual(again, [])
    }),
  )

  it.effect("leave nothing when the process running them dies, and run in the next", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase

      // The session ends while the migration's transaction is open, as with kill -9 of the server.
      yield* Effect.gen(function* () {
        const watching = yield* SqlClient.SqlClient
        const dying = yield* Effect.forkChild(Effect.provide(Migrations.run, replica(url)))
        const found = yield* watching<{ pid: number }>`
          select pid from pg_locks
          where locktype = 'advisory' and granted
            and database = (select oid from pg_database where datname = current_database())`.pipe(
          Effect.repeat({
            until: (rows) => rows.length > 0,
            schedule: Schedule.spaced("1 millis"),
          }),
        )
        yield* watching`select pg_terminate_backend(${found[0]?.pid ?? 0})`
        assert.isTrue(Exit.isFailure(yield* Fiber.await(dying)))
        assert.isFalse(yield* Migrations.isCurrent)
        assert.deepStrictEqual(yield* Migrations.run, every)
        assert.isTrue(yield* Migrations.isCurrent)
      }).pipe(Effect.provide(replica(url)))
    }),
  )

  it.effect("say whether the schema is current", () =>
    Effect.gen(function* () {
      assert.isFalse(yield* Migrations.isCurrent)

      yield* Migrations.run

      assert.isTrue(yield* Migrations.isCurrent)
      assert.deepStrictEqual(yield* Migrations.run, [])
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(emptyDatabase, replica)))),
  )

  it.effect("bring a database of the first release up to date, with its data", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const statement of firstSchema) yield* sql.unsafe(statement)
      yield* sql`
        create table schema_migration (
          migration_id integer primary key not null,
          created_at timestamptz not null default now(),
          name varchar(255) not null
        )`
      yield* sql`insert into schema_migration (migration_id, name) values (1, 'visitors')`
      const id = "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f"
      yield* sql`insert into organization (id, name, slug) values (${id}, 'Tidewater', 'tidewater')`
      yield* sql`
        insert into visitor
          (organization_id, id, email, email_hash, first_seen_at, last_seen_at, company_name)
        values (${id}, ${id}, 'jane@harbor.example', 'ab', now(), now(), 'Harbor')`
      yield* sql`
        insert into person (organization_id, email_hash, email, company_name)
        values (${id}, 'ab', 'jane@harbor.example', 'Harbor')`
      yield* sql`
        insert into session (organization_id, id, pixel_id, anonymous_id, visitor_id, started_at,
          ended_at, pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls,
          page_times, channel, device_type, converted)
        values (${id}, ${id}, ${id}, ${id}, ${id}, now(), now(), 1, 1, 0, 0,
          array['https://tidewater.example/plans'], array[now()], 'direct', 'desktop', true)`

      assert.deepStrictEqual(yield* Migrations.run, every.slice(1))

      const [visitor] = yield* sql`
        select email_domain, held_back, suppressed, company_name from visitor`
      assert.deepStrictEqual(visitor, {
        email_domain: "harbor.example",
        held_back: false,
        suppressed: false,
        company_name: "Harbor",
      })
      const [credit] = yield* sql`select count(*)::int as charged from credit`
      assert.deepStrictEqual(credit, { charged: 1 })
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(emptyDatabase, replica)))),
  )

  it.effect("give existing rules about non-ASCII domains both keys, and update their marks", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Migrations.run
      yield* sql`drop view suppression_rule_key`
      yield* sql`drop index suppression_rule_also`
      yield* sql`alter table suppression_rule drop column also_key`
      const id = "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f"
      const anna = createHash("sha256").update("anna@xn--bcher-kva.example").digest("hex")
      const hashed = createHash("sha256").update("anna@bücher.example").digest("hex")
      yield* sql`insert into organization (id, name, slug) values (${id}, 'Tidewater', 'tidewater')`
      yield* sql`
        insert into suppression_list (organization_id, cycle_at, changed_at, email, domain)
        values (${id}, now(), now(), 2, 2)`
      yield* sql`
        insert into suppression_rule
          (organization_id, type, value, match_key, created_at, takes_part_at)
        select ${id}, type, value, key, now() - age, now() - age
        from (values
          ('email', 'anna@bücher.example', ${hashed}, interval '2 hours'),
          ('email', 'anna@xn--bcher-kva.example', ${anna}, interval '1 hour'),
          ('domain', 'xn--gre-6ka8i.example', 'xn--gre-6ka8i.example', interval '1 hour'),
          ('domain', 'harbor.example', 'harbor.example', interval '1 hour')
        ) as rule (type, value, key, age)`
      yield* sql`
        insert into visitor
          (organization_id, id, email, email_hash, email_domain, first_seen_at, last_seen_at)
        select ${id}, gen_random_uuid(), email, encode(sha256(email::bytea), 'hex'),
          split_part(email, '@', 2), now(), now()
        from (values ('anna@xn--bcher-kva.example'), ('jo@größe.example'), ('jo@else.example'))
          as known (email)`
      yield* sql`
        insert into visitor_address (organization_id, email_hash, visitor_id, email, kind)
        select organization_id, email_hash, id, email, 'business' from visitor`

      yield* internationalRules

      assert.deepStrictEqual(
        yield* sql`select value, match_key, also_key from suppression_rule order by value`,
        [
          { value: "anna@bücher.example", match_key: anna, also_key: hashed },
          { value: "harbor.example", match_key: "harbor.example", also_key: null },
          {
            value: "xn--gre-6ka8i.example",
            match_key: "xn--gre-6ka8i.example",
            also_key: "größe.example",
          },
        ],
      )
      assert.deepStrictEqual(yield* sql`select email, domain from suppression_list`, [
        { email: 1, domain: 2 },
      ])
      assert.deepStrictEqual(
        yield* sql`select email, email_domain as domain, suppressed from visitor order by email`,
        [
          {
            email: "anna@xn--bcher-kva.example",
            domain: "xn--bcher-kva.example",
            suppressed: true,
          },
          { email: "jo@else.example", domain: "else.example", suppressed: false },
          { email: "jo@größe.example", domain: "xn--gre-6ka8i.example", suppressed: true },
        ],
      )
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(emptyDatabase, replica)))),
  )

  it.effect("name the earliest owner or admin of an organization as its creator", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Migrations.run
      yield* sql`alter table organization drop column party, drop column created_by`
      const [first, second] = [
        "00000000-0000-4000-8000-000000000001",
        "00000000-0000-4000-8000-000000000002",
      ]
      const [ida, jo, kai] = ["a", "b", "c"].map(
        (end) => `00000000-0000-4000-8000-00000000000${end}`,
      )
      yield* sql`
        insert into organization (id, name, slug)
        values (${first}, 'One', 'one'), (${second}, 'Two', 'two')`
      yield* sql`
        insert into user_account (id, email)
        values (${ida}, 'ida@x.example'), (${jo}, 'jo@x.example'), (${kai}, 'kai@x.example')`
      yield* sql`
        insert into member (organization_id, user_id, role, created_at, accepted_at)
        values (${first}, ${ida}, 'owner', now() - interval '4 days', null),
          (${first}, ${jo}, 'viewer', now() - interval '3 days', now()),
          (${first}, ${kai}, 'admin', now() - interval '2 days', now()),
          (${second}, ${jo}, 'owner', now() - interval '1 day', null)`

      for (const statement of creators) yield* sql.unsafe(statement)

      assert.deepStrictEqual(
        yield* sql`select name, created_by, party from organization order by name`,
        [
          { name: "One", created_by: kai, party: kai },
          { name: "Two", created_by: null, party: second },
        ],
      )
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(emptyDatabase, replica)))),
  )

  it.effect("give every spelling of an address the same hash, and lose nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Migrations.run
      yield* sql`drop table spelling_join`
      const id = "019cc000-0000-7000-8000-000000000072"
      yield* sql`insert into organization (id, name, slug) values (${id}, 'Quay', 'quay')`
      const unicode = "ida@blåbær.example"
      const ascii = "ida@xn--blbr-roah.example"
      const decomposed = "jose\u0301@quay.example"
      const composed = "jos\u00e9@quay.example"
      const sha = (text: string) => createHash("sha256").update(text).digest("hex")
      yield* sql`
        insert into suppression_list (organization_id, cycle_at, changed_at, email, domain)
        values (${id}, now(), now(), 3, 0)`
      yield* sql`
        insert into suppression_rule
          (organization_id, type, value, match_key, also_key, created_at, takes_part_at)
        values (${id}, 'email', ${unicode}, ${sha(ascii)}, ${sha(unicode)}, now(), now()),
          (${id}, 'email', ${decomposed}, ${sha(decomposed)}, null, now(), now()),
          (${id}, 'email', ${composed}, ${sha(composed)}, null, now(), now())`
      yield* sql`
        insert into visitor
          (organization_id, id, email, email_hash, email_domain, first_seen_at, last_seen_at)
        select ${id}, gen_random_uuid(), email, encode(sha256(convert_to(email, 'UTF8')), 'hex'),
          'x.example', now(), now()
        from (values (${unicode}), ('kai@blåbær.example'), ('kai@xn--blbr-roah.example'),
          ('liv@quay.example')) as known (email)`
      yield* sql`
        insert into visitor_address (organization_id, email_hash, visitor_id, email, kind, first_seen_at)
        select organization_id, email_hash, id, email, 'business', now() from visitor`
      yield* sql`
        insert into visitor_pixel
          (organization_id, visitor_id, pixel_id, email_hash, first_seen_at, last_seen_at)
        select organization_id, id, gen_random_uuid(), email_hash, now(), now() from visitor`
      yield* sql`
        insert into person (organization_id, email_hash, email, emails, first_name)
        values (${id}, ${sha(unicode)}, ${unicode}, array[${unicode}, ${decomposed}], 'Ida')`
      yield* sql`
        insert into person_address (organization_id, email_hash, person_hash)
        values (${id}, ${sha(decomposed)}, ${sha(unicode)})`

      yield* sql`
        insert into user_account (id, email)
        select gen_random_uuid(), email
        from (values ('ola@blåbær.example'), ('per@blåbær.example'), ('per@xn--blbr-roah.example'))
          as known (email)`

      yield* sql.withTransaction(oneSpelling)

      assert.deepStrictEqual(
        (yield* sql<{ readonly email: string }>`select email from user_account order by email`).map(
          ({ email }) => email,
        ),
        ["ola@xn--blbr-roah.example", "per@blåbær.example", "per@xn--blbr-roah.example"],
      )

      assert.deepStrictEqual(
        yield* sql`select value, match_key, also_key from suppression_rule order by value`,
        [
          { value: ascii, match_key: sha(ascii), also_key: sha(unicode) },
          { value: composed, match_key: sha(composed), also_key: null },
        ],
      )
      assert.deepStrictEqual(yield* sql`select email from suppression_list`, [{ email: 2 }])
      assert.deepStrictEqual(
        yield* sql`
          select v.email, a.email_hash as hash, a.email as spelled
          from visitor v
          join visitor_address a on a.organization_id = v.organization_id and a.visitor_id = v.id
          order by v.email, a.email, a.email_hash`,
        [
          { email: ascii, hash: sha(ascii), spelled: ascii },
          { email: ascii, hash: sha(unicode), spelled: null },
          // A worker merges these two.
          { email: "kai@blåbær.example", hash: sha("kai@blåbær.example"), spelled: null },
          {
            email: "kai@xn--blbr-roah.example",
            hash: sha("kai@xn--blbr-roah.example"),
            spelled: "kai@xn--blbr-roah.example",
          },
          { email: "liv@quay.example", hash: sha("liv@quay.example"), spelled: "liv@quay.example" },
        ],
      )
      assert.deepStrictEqual(yield* sql`select email_hash as hash from spelling_join`, [
        { hash: sha("kai@xn--blbr-roah.example") },
      ])
      assert.deepStrictEqual(
        yield* sql`
          select v.email from visitor_pixel p join visitor v on v.id = p.visitor_id
          where p.email_hash <> v.email_hash`,
        [],
      )
      assert.deepStrictEqual(
        yield* sql`select email_hash as hash, email, emails, first_name as name from person`,
        [{ hash: sha(ascii), email: ascii, emails: [ascii, composed], name: "Ida" }],
      )
      assert.deepStrictEqual(
        yield* sql`
          select email_hash as alias, person_hash as person from person_address
          where organization_id = ${id} order by alias`,
        [sha(composed), sha(decomposed), sha(unicode)]
          .toSorted()
          .map((alias) => ({ alias, person: sha(ascii) })),
      )
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(emptyDatabase, replica)))),
  )

  it.effect("count the rules of every list again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Migrations.run
      const [right, wrong, empty] = yield* Effect.forEach(["right", "wrong", "empty"], (name) =>
        Effect.map(
          sql<{ readonly id: string }>`
            insert into organization (id, name, slug)
            values (gen_random_uuid(), ${name}, ${name}) returning id`,
          ([row]) => row!.id,
        ),
      )
      yield* sql`
        insert into suppression_list (organization_id, cycle_at, changed_at, email, domain, industry)
        values (${right}, now(), now(), 1, 2, 0), (${wrong}, now(), now(), 0, 3, 0),
          (${empty}, now(), now(), 4, 0, 1)`
      yield* sql`
        insert into suppression_rule
          (organization_id, type, value, match_key, created_at, takes_part_at, removed_at)
        select organization, type, value, value, now(), now(), case when value = 'gone' then now() end
        from (values ('email', 'a'), ('domain', 'b'), ('domain', 'c'), ('domain', 'gone'))
          as rule (type, value)
        cross join (values (${right}::uuid), (${wrong}::uuid)) as list (organization)`

      yield* Effect.forEach(ruleCounts, (statement) => sql.unsafe(statement))

      assert.deepStrictEqual(
        yield* sql`
          select name, email, domain, company_domain, industry
          from suppression_list join organization on id = organization_id order by name`,
        [
          { name: "empty", email: 0, domain: 0, company_domain: 0, industry: 0 },
          { name: "right", email: 1, domain: 2, company_domain: 0, industry: 0 },
          { name: "wrong", email: 1, domain: 2, company_domain: 0, industry: 0 },
        ],
      )
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(emptyDatabase, replica)))),
  )

  it.effect(
    "refuse to start on a schema newer than the code, while running servers keep serving",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* Migrations.run
        yield* sql`insert into schema_migration (migration_id, name) values (999, 'later')`

        const exit = yield* Effect.exit(Migrations.run)

        assert(Exit.isFailure(exit))
        const error = Option.getOrThrow(Cause.findErrorOption(exit.cause))
        assert.strictEqual(error._tag, "SchemaNewer")
        assert.include(error.message, "has schema 999")
        assert.include(error.message, "Start a newer version")
        assert.isTrue(yield* Migrations.isCurrent)
      }).pipe(Effect.provide(Layer.unwrap(Effect.map(emptyDatabase, replica)))),
  )

  it.effect("wait for each other longer than a request's statement may take", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      const hurried = PgClient.layer({
        url: Redacted.make(url),
        startupParameters: { statement_timeout: "50ms", lock_timeout: "50ms" },
      })

      // The lock is the migrations' own. It is released when the other has waited for a while.
      const done = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const waiting = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`select pg_advisory_xact_lock(4100000001)`
            const waiting = yield* Effect.forkChild(
              Effect.provide(Migrations.run, hurried, { local: true }),
            )
            yield* sql`select pg_sleep(0.3)`
            return waiting
          }),
        )
        return yield* Fiber.join(waiting)
      }).pipe(Effect.provide(replica(url)))

      assert.deepStrictEqual(done, every)
    }),
  )
})
