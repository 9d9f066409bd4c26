// Two processes compute scores while their connections are lost at any moment: afterwards everyone has the score that a
// computation without failures gives (spec 2.23.6).
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import * as fc from "fast-check"
import { ScoreComputing } from "../../src/people/score/computing.ts"
import { defaultScore } from "../../src/people/score/default-score.ts"
import { now, person } from "../visitors/query/arbitrary.ts"
import { putPeople } from "../visitors/query/put-people.ts"
import { at, makePixel, makeTenant } from "../visitors/visitors-layer.ts"
import { noteAll, scoreComputing, scoreLayer, settle, useSettings } from "./score-layer.ts"

const rounds = 30
const people = fc.sample(person, { numRuns: 300, seed: 20_261_130 })

/** What is stored, without when it was computed. */
const stored = (organizationId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.all([
      sql`
        select visitor_id, email_hash, company_key, rank, fit, interest, is_hot, fit_held,
          interest_held, top, revision
        from visitor_score where organization_id = ${organizationId} order by visitor_id`,
      sql`
        select domain, rank, fit, interest, is_hot, fit_held, anonymous_held, surplus, top, revision
        from company_score where organization_id = ${organizationId} order by domain`,
    ]),
  )

layer(scoreLayer, { excludeTestServices: true })("scores", (it) => {
  it.effect(
    "are whole after connections were lost at any moment, with two processes at once",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { organizationId, pixelId } = yield* makeTenant
        const pixels = [
          { id: pixelId, domain: "tidewater.example" },
          { id: yield* makePixel(organizationId, "acme.example"), domain: "acme.example" },
        ]
        yield* putPeople(
          organizationId,
          pixels,
          people.map((each) => ({ ...each, id: randomUUID() })),
        )
        yield* useSettings(organizationId, defaultScore, 1)
        yield* settle(organizationId, now)
        const settings = { ...defaultScore, weights: { fit: 0.3, interest: 0.7 } }
        yield* useSettings(organizationId, settings, 2)
        let isOver = false
        // A new process each time, which remembers nothing.
        const process = Effect.gen(function* () {
          const { pass } = yield* ScoreComputing
          yield* Effect.catchCause(at(now)(pass), () => Effect.void)
        }).pipe(Effect.provide(Layer.fresh(scoreComputing)))
        const working = Effect.repeat(process, { while: () => !isOver })
        let lost = 0
        const killing = Effect.gen(function* () {
          for (let round = 0; round < rounds; round++) {
            // Each once, so that a note that is lost leaves the score of the earlier settings.
            yield* Effect.eventually(sql`
              with people as (
                insert into score_stale (organization_id, visitor_id)
                select organization_id, id
                from (select *, row_number() over (order by id) as place from visitor) as visitor
                where organization_id = ${organizationId} and place % ${rounds}::int = ${round}::int
              )
              insert into score_stale_company (organization_id, domain)
              select organization_id, domain
              from (select *, row_number() over (order by domain) as place from company) as company
              where organization_id = ${organizationId} and place % ${rounds}::int = ${round}::int`)
            yield* Effect.sleep(`${5 + ((round * 37) % 60)} millis`)
            const ended = yield* Effect.orElseSucceed(
              sql`
                select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid()
                  and query like '%score%' and state <> 'idle'`,
              () => [],
            )
            lost += ended.length
          }
          isOver = true
        })
        yield* Effect.all([working, working, killing], { concurrency: 3, discard: true })
        assert.isAbove(lost, 0)
        yield* settle(organizationId, now)
        const found = yield* stored(organizationId)

        yield* noteAll(organizationId)
        yield* settle(organizationId, now)
        const [visitors, companies] = yield* stored(organizationId)
        assert.isAbove(visitors!.length, 100)
        assert.isAbove(companies!.length, 2)
        assert.deepStrictEqual(found, [visitors, companies])
      }),
    60_000,
  )
})
