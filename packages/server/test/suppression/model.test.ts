// Random sequences of writes and reads on the list match a reference model: counts, totals, duplicates, filters,
// order and pages equal those of a plain list in memory. FOOTFALL_SOAK=1 for 2,000 sequences.
import { type RuleType, normalizeRule, ruleTypes } from "@footfall/normal-form"
import fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import { isSoak } from "../soak/size.ts"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"

const sequences = isSoak ? 2_000 : 60
let server: TestServer

beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

interface Stored {
  readonly type: RuleType
  readonly value: string
  /** The write that stored it. The order within a write is unspecified. */
  readonly write: number
}

/** Oldest write first. */
interface Model {
  rules: ReadonlyArray<Stored>
  writes: number
}

interface Real {
  readonly tenant: TestOrganization
}

const call = async ({ tenant }: Real, method: string, query: string, body?: unknown) => {
  const response = await fetch(`${server.url}/v1/data/suppression-rules${query}`, {
    method,
    headers: { "x-api-key": tenant.apiKey, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(response.status).toBe(200)
  // oxlint-disable-next-line no-explicit-any -- the assertions check its type
  return ((await response.json()) as { data: any }).data
}

const nameOf = ({ type, value }: { readonly type: string; readonly value: string }) =>
  `${type} ${value}`
const countsOf = (rules: Model["rules"]) =>
  Object.fromEntries(ruleTypes.map((type) => [type, rules.filter((r) => r.type === type).length]))

/** Rows as the model reads them: each rule once, and the other counts. */
const read = (rows: ReadonlyArray<unknown>, types?: ReadonlyArray<RuleType>) => {
  const rules = new Map<string, { readonly type: RuleType; readonly value: string }>()
  let repeated = 0
  let rejectedCount = 0
  for (const row of rows) {
    const rule = normalizeRule(row, types)
    if (typeof rule === "string") rejectedCount++
    else if (rules.has(nameOf(rule))) repeated++
    else rules.set(nameOf(rule), rule)
  }
  return { rules: [...rules.values()], repeated, rejectedCount }
}

class Add implements fc.AsyncCommand<Model, Real> {
  readonly rows: ReadonlyArray<unknown>
  constructor(rows: ReadonlyArray<unknown>) {
    this.rows = rows
  }
  check = () => true
  async run(model: Model, real: Real) {
    const { rejectedCount, repeated, rules } = read(this.rows)
    const known = new Set(model.rules.map(nameOf))
    const added = rules.filter((rule) => !known.has(nameOf(rule)))
    model.rules = [...model.rules, ...added.map((rule) => ({ ...rule, write: model.writes }))]
    model.writes++

    expect(await call(real, "POST", "", { rules: this.rows })).toMatchObject({
      added: added.length,
      removed: 0,
      duplicates: repeated + rules.length - added.length,
      rejectedCount,
      total: model.rules.length,
    })
  }
  toString = () => `add(${JSON.stringify(this.rows)})`
}

class Replace implements fc.AsyncCommand<Model, Real> {
  readonly rows: ReadonlyArray<unknown>
  readonly types: ReadonlyArray<RuleType> | undefined
  constructor(rows: ReadonlyArray<unknown>, types: ReadonlyArray<RuleType> | undefined) {
    this.rows = rows
    this.types = types
  }
  check = () => true
  async run(model: Model, real: Real) {
    const { rejectedCount, repeated, rules } = read(this.rows, this.types)
    const kept = model.rules.filter(({ type }) => this.types?.includes(type) === false)
    const removed = model.rules.length - kept.length
    model.rules = [...kept, ...rules.map((rule) => ({ ...rule, write: model.writes }))]
    model.writes++

    const body = { rules: this.rows, ...(this.types === undefined ? {} : { types: this.types }) }
    expect(await call(real, "PUT", "", body)).toMatchObject({
      added: rules.length,
      removed,
      duplicates: repeated,
      rejectedCount,
      total: model.rules.length,
    })
  }
  toString = () => `replace(${JSON.stringify([this.rows, this.types])})`
}

class Remove implements fc.AsyncCommand<Model, Real> {
  readonly rows: ReadonlyArray<unknown>
  constructor(rows: ReadonlyArray<unknown>) {
    this.rows = rows
  }
  check = () => true
  async run(model: Model, real: Real) {
    const names = new Set(read(this.rows).rules.map(nameOf))
    const kept = model.rules.filter((rule) => !names.has(nameOf(rule)))
    const deleted = model.rules.length - kept.length
    model.rules = kept
    model.writes++

    const answer = await call(real, "DELETE", "", { rules: this.rows })
    expect(answer).toEqual({ deleted, total: kept.length })
  }
  toString = () => `remove(${JSON.stringify(this.rows)})`
}

class List implements fc.AsyncCommand<Model, Real> {
  readonly type: RuleType | undefined
  readonly text: string
  readonly limit: number
  constructor(type: RuleType | undefined, text: string, limit: number) {
    this.type = type
    this.text = text
    this.limit = limit
  }
  check = () => true
  async run(model: Model, real: Real) {
    const { limit, text, type } = this
    const wanted = model.rules
      .filter((rule) => (type === undefined || rule.type === type) && rule.value.includes(text))
      .toReversed()
    const filter = `limit=${limit}&q=${encodeURIComponent(text)}${type === undefined ? "" : `&type=${type}`}`
    const seen: Array<Stored> = []
    for (let offset = 0; offset === 0 || offset < wanted.length; offset += limit) {
      const answer = await call(real, "GET", `?${filter}&offset=${offset}`)
      expect(answer).toMatchObject({
        counts: countsOf(model.rules),
        total: model.rules.length,
        filteredTotal: wanted.length,
        offset,
        hasMore: offset + limit < wanted.length,
      })
      seen.push(...answer.rules)
    }

    const writeOf = new Map(wanted.map((rule) => [nameOf(rule), rule.write]))
    expect(seen.map((rule) => writeOf.get(nameOf(rule)))).toEqual(wanted.map(({ write }) => write))
    expect(new Set(seen.map(nameOf)).size).toBe(wanted.length)
  }
  toString = () => `list(${JSON.stringify([this.type, this.text, this.limit])})`
}

/** Few values in many spellings, so that rows coincide. */
const row = fc.oneof(
  { arbitrary: fc.constantFrom(..."abcd").map(emailRow), weight: 4 },
  {
    arbitrary: fc
      .tuple(
        fc.constantFrom("domain", "company_domain"),
        fc.constantFrom("a.example", "https://WWW.A.example/x", "b.example.", "bücher.example"),
      )
      .map(([type, value]) => ({ type, value })),
    weight: 4,
  },
  {
    arbitrary: fc
      .constantFrom("Retail", " retail ", "Higher Education")
      .map((value) => ({ type: "industry", value })),
    weight: 3,
  },
  {
    arbitrary: fc.constantFrom<unknown>(
      null,
      7,
      { type: "phone", value: "a" },
      { type: "email", value: "a" },
      { type: "domain", value: "co.uk" },
      { type: "industry" },
    ),
    weight: 1,
  },
)

function emailRow(name: string) {
  return { type: "email", value: ` ${name.toUpperCase()}@A.example` }
}

const rows = (minLength: number) => fc.array(row, { minLength, maxLength: 6 })
const type = fc.option(fc.constantFrom(...ruleTypes), { nil: undefined })
const types = fc.option(fc.uniqueArray(fc.constantFrom(...ruleTypes), { minLength: 1 }), {
  nil: undefined,
})

const commands = fc.commands(
  [
    rows(0).map((given) => new Add(given)),
    fc.tuple(rows(0), types).map(([given, limitedTo]) => new Replace(given, limitedTo)),
    rows(1).map((given) => new Remove(given)),
    fc
      .tuple(type, fc.constantFrom("", "a", ".example", "retail"), fc.constantFrom(1, 2, 500))
      .map(([only, text, limit]) => new List(only, text, limit)),
  ],
  { maxCommands: 10 },
)

it(`${sequences} random sequences match the model`, { timeout: 900_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const tenant = await server.makeOrganization()
      await fc.asyncModelRun(
        () => ({ model: { rules: [], writes: 0 }, real: { tenant } }),
        sequence,
      )
    }),
    { numRuns: sequences },
  )
})
