// Tests on the texts of a session. A session stores paths and event names as lines (lines.ts) and everything else
// as a single value. Channels and click ids have fixed names, so the matching ones are known before querying.
import { decodedPath } from "@footfall/pixel/path-filter"
import { foldCase } from "../../../platform/database/case-folding.ts"
import { exposedClickIds } from "../../../collect/visits/attribution.ts"
import { channels } from "../../../collect/visits/channel.ts"
import { pathLengthMax } from "../../../collect/visits/page-url.ts"
import type { SessionPart } from "./condition.ts"
import type { FieldOf } from "./predicate.ts"
import { lineOf } from "./lines.ts"
import type { RuleScope } from "./rule-scope.ts"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import {
  anyOf,
  escapePattern,
  contains,
  equals,
  isLike,
  isOneOf,
  isPresent,
  never,
  startsWith,
} from "./tests.ts"

/** Tests whether one of a session's texts passes. */
export interface TextsSource {
  readonly part: SessionPart
  readonly isPresent: SqlText
  equals(wanted: string): SqlText
  contains(wanted: string): SqlText
  startsWith(wanted: string): SqlText
  isOneOf(wanted: ReadonlyArray<string>): SqlText
}

/** The fields of sessions. Tags are those of a person or a company. */
export type SessionTextsField = Exclude<FieldOf<"texts">, `${string}.tags`>

export const textsSource = (field: SessionTextsField, scope: RuleScope): TextsSource => {
  switch (field) {
    case "behavior.visited_paths":
      return pathsSource(storedPaths)
    case "behavior.landing_paths":
      return pathsSource(textSource(path("session.entry_url")))
    case "behavior.exit_paths":
      return pathsSource(textSource(path("session.exit_url")))
    case "behavior.custom_events":
      return linesSource(SqlText.of("session.custom_events"))
    case "attribution.channel":
      return wordsSource(channels, (words) => sqlText`session.channel = any(${words}::text[])`)
    case "attribution.click_id_types":
      return wordsSource(exposedClickIds, (words) => sqlText`session.click_ids ?| ${words}::text[]`)
    case "pixel.id":
      return pixelSource(SqlText.of("pixel.id::text"), scope)
    case "pixel.domain":
      return pixelSource(SqlText.of("fold_case(pixel.domain)"), scope)
    default:
      return textSource(texts[field])
  }
}

const folded = (column: string): SqlText => SqlText.of(`fold_case(session.${column})`)

/**
 * The path of a stored address (origin and path) in plain letters: everything from the first slash after `http://`.
 * Without escapes it is ASCII.
 */
export const path = (url: string): SqlText => {
  const start = `8 + strpos(substr(${url}, 9), '/')`
  const raw = `substr(${url}, ${start}, ${pathLengthMax})`
  return SqlText.of(
    `case when strpos(${raw}, '%') = 0 then lower(${raw} collate "C") else plain_path(${raw}) end`,
  )
}

const texts = {
  "attribution.utm_source": folded("utm_source"),
  "attribution.utm_medium": folded("utm_medium"),
  "attribution.utm_campaign": folded("utm_campaign"),
  "attribution.utm_term": folded("utm_term"),
  "attribution.utm_content": folded("utm_content"),
  // A hostname as URLs print it: lower case, ASCII.
  "attribution.referrer_domain": SqlText.of("session.referrer_domain"),
}

const textSource = (value: SqlText): TextsSource => ({
  part: "row",
  isPresent: isPresent(value),
  equals: (wanted) => equals(value, wanted),
  contains: (wanted) => contains(value, wanted),
  startsWith: (wanted) => startsWith(value, wanted),
  isOneOf: (wanted) => isOneOf(value, wanted),
})

export const linesSource = (lines: SqlText): TextsSource => {
  const includes = (part: string): SqlText => isLike(lines, `%${escapePattern(part)}%`)
  return {
    part: "row",
    isPresent: isPresent(lines),
    equals: (wanted) => (wanted === "" ? never : includes(`\n${lineOf(wanted)}\n`)),
    contains: (wanted) => (wanted === "" ? isPresent(lines) : includes(lineOf(wanted))),
    startsWith: (wanted) => includes(`\n${lineOf(wanted)}`),
    isOneOf: (wanted) => {
      const whole = wanted.filter((text) => text !== "").map(lineOf)
      return whole.length === 0
        ? never
        : sqlText`string_to_array(${lines}, chr(10)) && ${whole}::text[]`
    },
  }
}

/**
 * Version 0.2 stored paths with escapes, so lines that have one are decoded here. Since then only an escaped slash, star,
 * percent sign or control character keeps its escape. The planner has statistics for the stored lines.
 */
const eitherLines = (test: (lines: TextsSource) => SqlText): SqlText =>
  sqlText`(${test(linesSource(SqlText.of("session.paths")))}
      or (strpos(session.paths, '%') > 0 and ${test(linesSource(SqlText.of("plain_path(session.paths)")))}))`

/** The paths of a session's pages. */
export const storedPaths: TextsSource = {
  part: "row",
  isPresent: isPresent(SqlText.of("session.paths")),
  equals: (wanted) => eitherLines((lines) => lines.equals(wanted)),
  contains: (wanted) => eitherLines((lines) => lines.contains(wanted)),
  startsWith: (wanted) => eitherLines((lines) => lines.startsWith(wanted)),
  isOneOf: (wanted) => eitherLines((lines) => lines.isOneOf(wanted)),
}

/** Compares paths as path filters do: in plain letters, and a trailing slash makes no difference to a whole path. */
const pathsSource = (paths: TextsSource): TextsSource => ({
  part: paths.part,
  isPresent: paths.isPresent,
  equals: (wanted) => anyOf(withAndWithoutSlash(wanted).map(paths.equals)),
  contains: (wanted) => paths.contains(decodedPath(wanted)),
  startsWith: (wanted) => paths.startsWith(decodedPath(wanted)),
  isOneOf: (wanted) => paths.isOneOf(wanted.flatMap(withAndWithoutSlash)),
})

const withAndWithoutSlash = (wanted: string): ReadonlyArray<string> => {
  const path = decodedPath(wanted).replace(/(?<=.)\/$/, "")
  return path === "" || path === "/" ? [path] : [path, `${path}/`]
}

const wordsSource = (
  words: ReadonlyArray<string>,
  isOneOf: (words: ReadonlyArray<string>) => SqlText,
): TextsSource => {
  const matching = (passes: (word: string) => boolean): SqlText => {
    const passing = words.filter(passes)
    return passing.length === 0 ? never : isOneOf(passing)
  }
  return {
    part: "row",
    isPresent: matching(() => true),
    equals: (wanted) => matching((word) => word === foldCase(wanted)),
    contains: (wanted) => matching((word) => word.includes(foldCase(wanted))),
    startsWith: (wanted) => matching((word) => word.startsWith(foldCase(wanted))),
    isOneOf: (wanted) => {
      const texts = new Set(wanted.map(foldCase))
      return matching((word) => texts.has(word))
    },
  }
}

/** Computes once per statement which pixels match. A deleted pixel still counts as the one that saw the visit. */
const pixelSource = (value: SqlText, { organizationId }: RuleScope): TextsSource => {
  const text = textSource(value)
  const seenBy = (test: SqlText): SqlText => sqlText`session.pixel_id = any(array(
        select pixel.id from pixel
        where pixel.organization_id = ${organizationId}::uuid and ${test}))`
  return {
    part: "index",
    isPresent: seenBy(text.isPresent),
    equals: (wanted) => seenBy(text.equals(wanted)),
    contains: (wanted) => seenBy(text.contains(wanted)),
    startsWith: (wanted) => seenBy(text.startsWith(wanted)),
    isOneOf: (wanted) => seenBy(text.isOneOf(wanted)),
  }
}
