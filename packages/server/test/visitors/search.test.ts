// The search for people by a part of their name or of an address (spec 5.1.9).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import { VisitorStore } from "../../src/people/visitors/store.ts"
import {
  crowd,
  day,
  emailsOf,
  everyone,
  hour,
  list,
  makePixel,
  now,
  put,
  scene,
  scopeOf,
  type Tenant,
  visitorsLayer,
} from "./visitors-layer.ts"

interface Named {
  readonly first?: string | null
  readonly last?: string | null
  /** More addresses of the person. */
  readonly also?: ReadonlyArray<string>
  readonly at?: number
  readonly suppressed?: boolean
  readonly heldBack?: boolean
}

const name = Effect.fnUntraced(function* (
  { organizationId }: Tenant,
  email: string,
  { first = null, last = null }: Named,
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    update visitor set first_name = ${first}, last_name = ${last}
    where organization_id = ${organizationId} and email = ${email}`
})

/** Adds people by their primary address. */
const add = Effect.fnUntraced(function* (tenant: Tenant, people: Readonly<Record<string, Named>>) {
  const sql = yield* SqlClient.SqlClient
  const { organizationId } = tenant
  const all = Object.entries(people)
  yield* put(
    tenant,
    all.map(([email, { at, suppressed }], index) => ({
      email,
      at: at ?? now - hour - index * 1_000,
      ...(suppressed === undefined ? {} : { suppressed }),
    })),
  )
  for (const [email, person] of all) {
    yield* name(tenant, email, person)
    for (const other of person.also ?? []) {
      yield* sql`
        insert into visitor_address (organization_id, email_hash, visitor_id, email, kind)
        select ${organizationId}, ${hashEmail(other).sha256}, id, ${other}, 'personal'
        from visitor where organization_id = ${organizationId} and email = ${email}`
    }
    if (person.heldBack === true) {
      for (const table of ["visitor", "visitor_pixel"]) {
        yield* sql`
          update ${sql(table)} set held_back = true
          where organization_id = ${organizationId} and email_hash = ${hashEmail(email).sha256}`
      }
    }
  }
})

const peopleOf = Effect.fnUntraced(function* (people: Readonly<Record<string, Named>>) {
  const tenant = yield* scene([])
  yield* add(tenant, people)
  return tenant
})

/** The addresses of those found, and their number. */
const find = (tenant: Tenant, q: string, change: Parameters<typeof everyone>[1] = {}) =>
  Effect.map(list(everyone(tenant, { q, ...change })), (found) => {
    assert.strictEqual(found.total, found.visitors.length)
    return emailsOf(found)
  })

layer(visitorsLayer, { excludeTestServices: true })("the search for people", (it) => {
  it.effect("finds any part of the name and of every address", () =>
    Effect.gen(function* () {
      const tenant = yield* peopleOf({
        "h.nakamura@tidewater.example": { first: "Haruka", last: "Nakamura" },
        "kim@acme.example": { first: "Kim", also: ["minji.park@home.example"] },
        "zed@acme.example": {},
      })

      const found = (q: string) => find(tenant, q)

      assert.deepStrictEqual(yield* found("nakamura"), ["h.nakamura@tidewater.example"])
      assert.deepStrictEqual(yield* found("ruka naka"), ["h.nakamura@tidewater.example"])
      assert.deepStrictEqual(yield* found("  Haruka  Nakamura "), ["h.nakamura@tidewater.example"])
      assert.deepStrictEqual(yield* found("amura@tide"), ["h.nakamura@tidewater.example"])
      assert.deepStrictEqual(yield* found("minji"), ["kim@acme.example"])
      assert.deepStrictEqual(yield* found("@acme.example"), [
        "kim@acme.example",
        "zed@acme.example",
      ])
      assert.deepStrictEqual(yield* found("nakamura haruka"), [])
      // The name ends where the address begins.
      assert.deepStrictEqual(yield* found("kimkim"), [])
    }),
  )

  for (const [stored, ...asked] of [
    ["Muñoz", "munoz", "MUÑOZ", "mun\u0303oz", "ñ", "uñ"],
    ["mun\u0303oz", "muñoz"],
    ["Straße", "strasse", "STRASSE", "straße", "ss"],
    ["STRASSE", "straße", "ß"],
    ["İstanbullu", "istanbullu", "İSTANBUL", "i"],
    ["Işık", "isik", "ışık", "IŞIK", "ı"],
    ["Søren Łukasz Đorđe", "soren lukasz dorde", "SØREN", "đ"],
    ["Æsir Œuvre Þór", "aesir oeuvre thor"],
    ["Алексей Ёлкин", "алексеи елкин", "ЁЛКИН", "лк", "е"],
    ["Οδυσσεύς", "οδυσσευσ", "ΟΔΥΣΣΕΎΣ"],
    ["山田太郎", "山", "田太", "山田太郎", "太郎"],
    ["がんばる", "が", "がん", "か\u3099ん"],
    ["ﾔﾏﾀﾞ", "ヤマダ", "マ"],
    ["ＡＢＣ　Ｄ", "abc d"],
    ["김민지", "김", "민지"],
    ["Zoë 👩‍👩‍👧 Fox", "👩", "zoe", "👩‍👩‍👧 fox"],
    ["\u200Fשָׁלוֹם\u200E כהן", "שלום", "שלום כהן", "ש"],
    ["مُحَمَّد", "محمد"],
    ["Nguyễn Thị Ánh", "nguyen thi anh", "NGUYỄN"],
    [
      'O\'Brien\\ "x" & | ! ( ) : * <->',
      "o'brien",
      "'",
      "\\",
      '"x"',
      "& | ! ( )",
      ": *",
      "<->",
      "'b",
    ],
    ["100% _a", "%", "_", "0% _a"],
  ] as const) {
    it.effect(`finds ${stored} without case and accents`, () =>
      Effect.gen(function* () {
        const tenant = yield* peopleOf({
          "one@acme.example": { first: stored },
          "other@acme.example": { first: "Q", last: "W" },
        })

        for (const q of asked) {
          assert.deepStrictEqual(yield* find(tenant, q), ["one@acme.example"], q)
        }
      }),
    )
  }

  for (const q of ["%", "_", "a%c", "a_m", "*", "か", "\u0301", "\u200b", "e.*", "acme example"]) {
    it.effect(`nothing is a wildcard: ${JSON.stringify(q)} finds no one`, () =>
      Effect.gen(function* () {
        const tenant = yield* peopleOf({ "one@acme.example": { first: "Jane", last: "がん" } })

        assert.deepStrictEqual(yield* find(tenant, q), [])
      }),
    )
  }

  it.effect("narrows the list as the other parameters do", () =>
    Effect.gen(function* () {
      const tenant = yield* peopleOf({
        "new@acme.example": { first: "Jo" },
        "old@acme.example": { first: "Jo", at: now - 10 * day },
        "off@acme.example": { first: "Jo", suppressed: true },
        "held@acme.example": { first: "Jo", heldBack: true },
        "else@acme.example": { first: "Al" },
      })
      const pixelId = yield* makePixel(tenant.organizationId, "other.example")
      yield* add({ ...tenant, pixelId }, { "elsewhere@acme.example": { first: "Jo" } })
      const found = (change: Parameters<typeof everyone>[1]) => find(tenant, "jo", change)
      const { pixelId: first } = tenant

      assert.sameMembers(yield* found({}), [
        "new@acme.example",
        "off@acme.example",
        "elsewhere@acme.example",
        "old@acme.example",
      ])
      assert.deepStrictEqual(yield* found({ pixelId, timeframe: "7d" }), ["elsewhere@acme.example"])
      assert.deepStrictEqual(yield* found({ domain: "other.example" }), ["elsewhere@acme.example"])
      assert.deepStrictEqual(yield* found({ domain: "unknown.example" }), [])
      assert.deepStrictEqual(
        yield* found({ pixelId: first, timeframe: "7d", suppressed: "exclude" }),
        ["new@acme.example"],
      )
      assert.deepStrictEqual(yield* found({ suppressed: "only" }), ["off@acme.example"])
    }),
  )

  it.effect("never finds people of another organization", () =>
    Effect.gen(function* () {
      const ours = yield* peopleOf({ "jo@acme.example": { first: "Jo" } })
      const theirs = yield* peopleOf({ "jo.too@acme.example": { first: "Jo" } })

      assert.deepStrictEqual(yield* find(ours, "jo"), ["jo@acme.example"])
      assert.deepStrictEqual(yield* find(theirs, "jo"), ["jo.too@acme.example"])
    }),
  )

  it.effect("a new name is found, and the old one no longer is", () =>
    Effect.gen(function* () {
      const tenant = yield* peopleOf({ "x@acme.example": { first: "Quentin" } })

      yield* name(tenant, "x@acme.example", { first: "Beatrix", last: "Kiddo" })
      assert.deepStrictEqual(yield* find(tenant, "quentin"), [])
      assert.deepStrictEqual(yield* find(tenant, "beatrix k"), ["x@acme.example"])

      yield* name(tenant, "x@acme.example", {})
      assert.deepStrictEqual(yield* find(tenant, "beatrix"), [])
    }),
  )

  it.effect("nothing of someone who is gone stays in the index", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenant = yield* peopleOf({ "x@acme.example": { first: "Quentin" } })

      yield* sql`delete from visitor where organization_id = ${tenant.organizationId}`

      const left = yield* sql`
        select from visitor_name where organization_id = ${tenant.organizationId}`
      assert.strictEqual(left.length, 0)
    }),
  )

  it.effect("pages of many people are those of the list, by cursor and by number", () =>
    Effect.gen(function* () {
      const tenant = yield* scene(crowd(120, 7))
      yield* add(tenant, { "zoe@other.example": { first: "Zoe" } })
      const whole = yield* list(everyone(tenant), { page: 2 })

      const first = yield* list(everyone(tenant, { q: "ACME" }))
      const second = yield* list(everyone(tenant, { q: "ACME" }), { cursor: first.nextCursor! })
      const third = yield* list(everyone(tenant, { q: "ACME" }), { page: 3 })

      assert.deepStrictEqual(
        [first, second, third].map(({ total, visitors }) => [visitors.length, total]),
        [
          [50, 120],
          [50, 120],
          [20, 120],
        ],
      )
      const found = [first, second, third].flatMap(emailsOf)
      assert.strictEqual(new Set(found).size, 120)
      assert.includeMembers(
        found,
        emailsOf(whole).filter((email) => email !== "zoe@other.example"),
      )
    }),
  )

  it.effect("a cursor belongs to its search", () =>
    Effect.gen(function* () {
      const tenant = yield* scene(crowd(60))
      const { nextCursor } = yield* list(everyone(tenant, { q: "acme" }))

      const refused = yield* Effect.flip(
        list(everyone(tenant, { q: "p" }), { cursor: nextCursor! }),
      )

      assert.strictEqual(refused._tag, "CursorRefused")
    }),
  )

  it.effect("a search that finds most people is the list without the others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenant = yield* scene(crowd(30, 3))
      yield* add(tenant, {
        "zoe@other.example": { first: "Acme", suppressed: true },
        "al@other.example": {},
      })
      // More than are read by id.
      yield* sql`
        insert into visitor_name (organization_id, visitor_id, name)
        select ${tenant.organizationId}, gen_random_uuid(), 'acme ' || n
        from generate_series(1, 10001) as n`
      const store = yield* VisitorStore
      const scope = { ...scopeOf(tenant), q: { text: "ácme", emailHash: "" } }

      const rows = yield* store.list(scope, { offset: 0 }, 100)
      const { pixelId } = tenant

      assert.strictEqual(rows.length, 31)
      assert.strictEqual(yield* store.count(scope), 31)
      assert.strictEqual(yield* store.count({ ...scope, suppressed: "exclude" }), 30)
      assert.strictEqual(yield* store.count({ ...scope, pixelId }), 31)
      const onPixel = yield* store.list({ ...scope, pixelId }, { offset: 1 }, 100)
      assert.deepStrictEqual(
        onPixel.map(({ email }) => email),
        rows.slice(1).map(({ email }) => email),
      )
    }),
  )
})
