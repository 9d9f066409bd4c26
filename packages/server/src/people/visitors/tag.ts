// A tag of a person or a company (spec 2.24). Tags are compared without case, so a tag's key is its text in folded case.
import { hiddenCharacter } from "@footfall/normal-form"
import { Schema, SchemaTransformation } from "effect"
import { foldCase } from "../../platform/database/case-folding.ts"
import { lengthAtLeast, lengthAtMost } from "../../platform/http/fields.ts"

/** Maximum tags of a person or a company. */ // spec 10.3
export const tagsMax = 20
/** Maximum characters of a tag. */ // spec 10.3
export const tagLengthMax = 50
/** Maximum different tags of an organization's people, and of its companies. */ // spec 10.3
export const differentTagsMax = 500

/** NFC, without spaces around it, and with one space between words. */
export const normalTag = (text: string): string =>
  text.normalize().trim().replaceAll(/\s+/gu, " ").normalize()

/** What tags are compared by. */
export const tagKey = (text: string): string => foldCase(normalTag(text))

/** A tag in a request. Separators of lists and characters that no one sees are refused as they were sent. */
export const Tag = Schema.String.check(
  Schema.makeFilter((text) => !text.includes(",") && hiddenCharacter(text.trim()) === undefined, {
    issueCode: "format",
    expected: "a text without commas, line breaks and invisible characters",
  }),
).pipe(
  Schema.decodeTo(
    Schema.String.check(lengthAtLeast(1), lengthAtMost(tagLengthMax)),
    SchemaTransformation.transform({
      decode: normalTag,
      encode: (tag: string): string => tag,
    }),
  ),
)

export interface KeyedTag {
  readonly key: string
  readonly tag: string
}

/** The tags with their keys, each once: the first spelling stays. */
export const distinctTags = (tags: ReadonlyArray<string>): ReadonlyArray<KeyedTag> => [
  ...new Map(tags.toReversed().map((tag) => [tagKey(tag), { key: tagKey(tag), tag }])).values(),
]
