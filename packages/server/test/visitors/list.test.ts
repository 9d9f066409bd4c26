// The order of the visitor list and its pages (spec 1.6): reading it by page and by cursor while people appear and
// disappear.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { VisitorFilter, VisitorList } from "../../src/people/visitors/visitors.ts"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import {
  crowd,
  day,
  emailsOf,
  everyone,
  list,
  now,
  put,
  scene,
  seeAgain,
  type Seen,
  visitorsLayer,
} from "./visitors-layer.ts"

const inOrder = (people: ReadonlyArray<Seen>) =>
  people
    .toSorted((a, b) => b.at - a.at || (hashOf(a) < hashOf(b) ? -1 : 1))
    .map(({ email }) => email)

const hashOf = ({ email }: Seen): string => hashEmail(email).sha256

/** Reads every page. Runs `between` before each page after the first. */
const walk = Effect.fnUntraced(function* (
  filter: VisitorFilter,
  by: "cursor" | "page",
  between: (page: number) => Effect.Effect<void, unknown, SqlClient.SqlClient> = () => Effect.void,
) {
  const pages: Array<VisitorList> = [yield* list(filter)]
  for (let last = pages[0]!; last.nextCursor !== null; last = pages.at(-1)!) {
    yield* Effect.orDie(between(last.page))
    pages.push(
      yield* list(filter, by === "page" ? { page: last.page + 1 } : { cursor: last.nextCursor }),
    )
  }
  return pages
})

layer(visitorsLayer, { excludeTestServices: true })("the visitor list", (it) => {
  it.effect("the order is lastSeenAt desc, then emailHash asc", () =>
    Effect.gen(function* () {
      const people = crowd(40, 7)
      const tenant = yield* scene(people)

      const page = yield* list(everyone(tenant))

      assert.deepStrictEqual(emailsOf(page), inOrder(people))
    }),
  )

  for (const { count, pages } of [
    { count: 0, pages: [0] },
    { count: 49, pages: [49] },
    { count: 50, pages: [50] },
    { count: 51, pages: [50, 1] },
    { count: 100, pages: [50, 50] },
    { count: 101, pages: [50, 50, 1] },
  ]) {
    it.effect(`a page has 50, and hasMore is true if there is another: ${count} people`, () =>
      Effect.gen(function* () {
        const tenant = yield* scene(crowd(count))

        const walked = yield* walk(everyone(tenant), "page")

        assert.deepStrictEqual(
          walked.map(({ visitors }) => visitors.length),
          pages,
        )
        assert.deepStrictEqual(
          walked.map(({ hasMore, nextCursor }) => [hasMore, nextCursor !== null]),
          pages.map((_, index) => [index < pages.length - 1, index < pages.length - 1]),
        )
        assert.deepStrictEqual(
          walked.map(({ page, total }) => [page, total]),
          pages.map((_, index) => [index + 1, count]),
        )
      }),
    )
  }

  for (const page of [3, 4, 1_000, 2_147_483_647]) {
    it.effect(`a page past the end is empty: page ${page} of 2`, () =>
      Effect.gen(function* () {
        const tenant = yield* scene(crowd(100))

        const found = yield* list(everyone(tenant), { page })

        assert.deepStrictEqual(
          [found.visitors.length, found.hasMore, found.nextCursor, found.page, found.total],
          [0, false, null, page, 100],
        )
      }),
    )
  }

  for (const by of ["page", "cursor"] as const) {
    it.effect(`reading all pages by ${by} returns each of 2,000 visitors once, in order`, () =>
      Effect.gen(function* () {
        const people = crowd(2_000, 130)
        const tenant = yield* scene(people)

        const pages = yield* walk(everyone(tenant), by)

        assert.deepStrictEqual(pages.flatMap(emailsOf), inOrder(people))
        assert.deepStrictEqual(
          pages.map(({ page }) => page),
          Array.from({ length: 40 }, (_, index) => index + 1),
        )
      }),
    )

    it.effect(
      `reading all pages by ${by} skips and repeats no one if all were seen at the same time`,
      () =>
        Effect.gen(function* () {
          const people = crowd(420, 420)
          const tenant = yield* scene(people)

          const pages = yield* walk(everyone(tenant), by)

          assert.deepStrictEqual(pages.flatMap(emailsOf), inOrder(people))
        }),
    )
  }

  it.effect(
    "reading by cursor repeats no one while people arrive, and skips only those who moved",
    () =>
      Effect.gen(function* () {
        const people = crowd(600, 9)
        const tenant = yield* scene(people)
        const order = inOrder(people)

        const pages = yield* walk(everyone(tenant), "cursor", (page) =>
          Effect.gen(function* () {
            const moment = now + page
            yield* put(
              tenant,
              Array.from({ length: 30 }, (_, index) => ({
                email: `new${page}.${index}@x.io`,
                at: moment,
              })),
            )
            // One that was returned already, and one that was not yet.
            yield* seeAgain(tenant, [order[page]!, order[580 - page]!], moment)
          }),
        )

        const given = pages.flatMap(emailsOf)
        const moved = new Set(pages.map(({ page }) => order[580 - page]!).slice(0, -1))
        assert.strictEqual(new Set(given).size, given.length)
        assert.deepStrictEqual(
          given,
          order.filter((email) => !moved.has(email)),
        )
      }),
  )

  it.effect("pages by cursor keep total and asOf; a page by number has the current window", () =>
    Effect.gen(function* () {
      const old = Array.from({ length: 120 }, (_, index) => ({
        email: `old${index}@acme.example`,
        at: now - day + index,
      }))
      const tenant = yield* scene(old)
      const filter = everyone(tenant, { timeframe: "24h" })
      const first = yield* list(filter)

      const later = now + 600_000
      yield* put(tenant, [{ email: "late@acme.example", at: now + 1 }])
      const second = yield* list(filter, { cursor: first.nextCursor! }, later)
      const third = yield* list(filter, { cursor: second.nextCursor! }, later)
      const again = yield* list(filter, { page: 1 }, later)

      assert.deepStrictEqual(
        [first, second, third].map(({ total, visitors }) => [total, visitors.length]),
        [
          [120, 50],
          [120, 50],
          [120, 20],
        ],
      )
      assert.deepStrictEqual(
        [second, third].map(({ coverage }) => coverage.from),
        [first.coverage.from, first.coverage.from],
      )
      assert.deepStrictEqual([again.total, again.visitors.length], [1, 1])
    }),
  )

  it.effect("page keeps counting when the list is read by cursor", () =>
    Effect.gen(function* () {
      const tenant = yield* scene(crowd(220))
      const third = yield* list(everyone(tenant), { page: 3 })

      const fourth = yield* list(everyone(tenant), { cursor: third.nextCursor! })
      const fifth = yield* list(everyone(tenant), { cursor: fourth.nextCursor! })

      assert.deepStrictEqual(
        [third.page, fourth.page, fifth.page, fifth.visitors.length],
        [3, 4, 5, 20],
      )
    }),
  )
})
