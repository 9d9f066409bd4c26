// What a predicate is about, if its field is about one of many (spec 3.1): the custom event, its property, the path
// filter or the topic that `of` names. Names are compared exactly, so nothing is trimmed.
import type { OfKind } from "@footfall/normal-form/rule-fields"
import { Result } from "effect"
import { show } from "../../../platform/http/issues.ts"
import { InvalidRule } from "./invalid-rule.ts"

/** Maximum characters of an event or of an event with its property. */ // spec 3.1
export const ofLengthMax = 255
/** Minimum and maximum characters of a path filter. */ // spec 6.4
export const pathFilterLength = { min: 2, max: 500 }

/** A property of a custom event. */
export interface EventProperty {
  readonly event: string
  readonly property: string
}

/** Cuts `<event>.<property>` at its last dot. */
export const eventPropertyOf = (of: string): EventProperty => {
  const dot = Math.max(of.lastIndexOf("."), 0)
  return { event: of.slice(0, dot), property: of.slice(dot + 1) }
}

/** `path`: the JSON pointer of `of`. */
export const readOf = (
  kind: OfKind,
  value: unknown,
  path: string,
): Result.Result<string | number, InvalidRule> =>
  kind === "topic" ? readTopic(value, path) : readName(readers[kind], value, path)

/** An unknown topic finds no one. */
const readTopic = (value: unknown, path: string): Result.Result<number, InvalidRule> =>
  typeof value === "number" && Number.isFinite(value)
    ? Result.succeed(value)
    : wrongType("the id of a topic, a number", value, path)

const wrongType = (expected: string, value: unknown, path: string) => {
  const received = value === undefined ? "none" : show(value)
  return InvalidRule.fail("wrong_value_type", path, `Expected ${expected}, received ${received}.`)
}

const readName = (
  { expected, isRight, lengthMax }: Reader,
  value: unknown,
  path: string,
): Result.Result<string, InvalidRule> => {
  if (typeof value !== "string" || !isRight(value)) {
    return wrongType(expected, value, path)
  }
  const length = [...value].length
  return length <= lengthMax
    ? Result.succeed(value)
    : InvalidRule.fail(
        "value_too_long",
        path,
        `Expected at most ${lengthMax} characters, received ${length}.`,
      )
}

interface Reader {
  readonly expected: string
  readonly isRight: (text: string) => boolean
  readonly lengthMax: number
}

const readers: Readonly<Record<Exclude<OfKind, "topic">, Reader>> = {
  event: {
    expected: "the name of a custom event",
    isRight: (text) => text.trim() !== "",
    lengthMax: ofLengthMax,
  },
  property: {
    expected: "a custom event and its property, such as Signed up.plan",
    isRight: (text) => {
      const { event, property } = eventPropertyOf(text)
      return event.trim() !== "" && property !== ""
    },
    lengthMax: ofLengthMax,
  },
  path: {
    expected: "a path filter, such as /pricing",
    isRight: (text) => text.startsWith("/") && text.length >= pathFilterLength.min,
    lengthMax: pathFilterLength.max,
  },
}
