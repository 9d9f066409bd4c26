// What a session counts by name: page views by address, and custom events with the values of their properties (spec 3.3).
// They are kept in the session's row by identification, so a rule needs no events, wherever these are.
import { decodedPath } from "@footfall/pixel/path-filter"
import { foldCase } from "../../../platform/database/case-folding.ts"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { type Condition, none, some } from "./condition.ts"
import { eventPropertyOf } from "./of.ts"
import type { PredicateOf } from "./predicate.ts"
import { linesSource, path, storedPaths } from "./session-texts.ts"
import {
  allOf,
  contains,
  endsWith,
  equals,
  escapePattern,
  isLike,
  never,
  numberTest,
  startsWith,
} from "./tests.ts"

/** How often a custom event was sent in the session. Sessions of 0.2 only know that it was. */
export const eventCount = (name: string): SqlText => sqlText`case
        when session.tracked is null then (${names.equals(name)})::int
        else coalesce((session.tracked -> ${name}::text ->> 0)::int, 0) end`

const names = linesSource(SqlText.of("session.custom_events"))

/** How many page views of the session match a path filter. Its paths are searched first, because most sessions have none. */
export const pathViews = (filter: string): SqlText => {
  if (filter === "/$") return viewsOf(storedPaths.equals("/"), equals(pagePath, "/"))
  const segments = segmentsOf(filter)
  const star = segments.indexOf("*")
  const start = segments.slice(0, star === -1 ? undefined : star).join("/")
  return viewsOf(
    storedPaths.startsWith(start),
    star === -1 ? isBelow(start) : matchesSegments(segments),
  )
}

const viewsOf = (
  isPossible: SqlText,
  test: SqlText,
): SqlText => sqlText`case when ${isPossible} then (
          select coalesce(sum(coalesce(page.views, 1)), 0)
          from unnest(session.page_urls, session.page_views) as page (url, views)
          where ${test}) else 0 end`

const pagePath = path("page.url")

/** As path filters are compared, in plain letters and without the trailing slash. */
const segmentsOf = (filter: string): ReadonlyArray<string> =>
  foldCase(decodedPath(filter)).replace(/\/$/, "").split("/")

/** The path itself or a path below it. */
const isBelow = (start: string): SqlText =>
  sqlText`(${pagePath} = ${start}::text or ${isLike(pagePath, `${escapePattern(start)}/%`)})`

/**
 * `*` is one whole segment. Compares segments, because Postgres keeps no more than 32 compiled expressions, and a rule may
 * have more filters.
 */
const matchesSegments = (segments: ReadonlyArray<string>): SqlText => {
  const named = segments.flatMap((segment, place) =>
    segment === "*" || place === 0
      ? []
      : [sqlText`path.segments[${SqlText.of(String(place + 1))}] = ${segment}::text`],
  )
  return sqlText`exists (
            select from (
              select string_to_array(regexp_replace(${pagePath}, '/$', ''), '/') as segments
            ) as path
            where ${allOf([
              sqlText`cardinality(path.segments) >= ${SqlText.of(String(segments.length))}`,
              ...named,
            ])})`
}

/** One event has such a value, or, with a negative operator, none has. */ // spec 3.3
export const propertyCondition = (predicate: PredicateOf<"property">): Condition => {
  const { event, property } = eventPropertyOf(String(predicate.of ?? ""))
  const said = sqlText`session.tracked -> ${event}::text -> 1 -> ${property}::text`
  const test = propertyTest(said, predicate)
  const isNegative = predicate.op === "exists" ? !predicate.value : negative.has(predicate.op)
  return (isNegative ? none : some)(test, "row")
}

const negative: ReadonlySet<string> = new Set(["neq", "not_contains", "not_in"])

/** Tests the list of a property's values. */
const propertyTest = (said: SqlText, predicate: PredicateOf<"property">): SqlText => {
  switch (predicate.op) {
    case "exists":
      return sqlText`${said} is not null`
    case "eq":
    case "neq":
      return isSaid(said, predicate.value)
    case "in":
    case "not_in":
      return sqlText`${said} ?| ${predicate.value.filter((text) => text !== "").map(foldCase)}::text[]`
    case "contains":
    case "not_contains":
      return someText(said, contains(text, predicate.value))
    case "starts_with":
      return someText(said, startsWith(text, predicate.value))
    case "ends_with":
      return someText(said, endsWith(text, predicate.value))
    default: {
      const { op, value } = predicate
      const number = SqlText.of(
        "case when jsonb_typeof(said.value) = 'number' then (said.value #>> '{}')::float8 end",
      )
      return someValue(
        said,
        numberTest(number, { field: "behavior.event_count", op, value } as PredicateOf<"number">),
      )
    }
  }
}

const isSaid = (said: SqlText, value: string | number): SqlText =>
  value === ""
    ? never
    : sqlText`${said} @> ${JSON.stringify(typeof value === "string" ? foldCase(value) : value)}::text::jsonb`

const text = SqlText.of("(said.value #>> '{}')")

const someText = (said: SqlText, test: SqlText): SqlText =>
  someValue(said, sqlText`jsonb_typeof(said.value) = 'string' and ${test}`)

const someValue = (said: SqlText, test: SqlText): SqlText => sqlText`exists (
        select from jsonb_array_elements(${said}) as said (value) where ${test})`
