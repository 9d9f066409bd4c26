// One topic of the public catalog in an import. Every field except the words is required (spec 2.19).
import type { CopyValue } from "../../../people/imports/copy-text.ts"
import { text, textList } from "../../../people/imports/field.ts"
import type { ImportRow } from "../../../people/imports/merged-import.ts"
import {
  type FieldValues,
  missingField,
  RecordReader,
} from "../../../people/imports/record-reader.ts"
import type { Rejection } from "../../../people/imports/rejection.ts"
import { canonical } from "../../../people/person/vocabulary.ts"
import { topicIdField } from "../../signals/import/signal-row.ts"
import { TopicType } from "../topic.ts"

/** Units: code points (spec 2.19). */
const topicNameLengthMax = 255
const topicGroupLengthMax = 100

const needed = [
  topicIdField,
  text({ path: "topicName", column: "topic_name" }, topicNameLengthMax),
  text({ path: "type", column: "type" }, topicGroupLengthMax, canonical(TopicType.literals)),
  text({ path: "industry", column: "industry" }, topicGroupLengthMax),
  text({ path: "category", column: "category" }, topicGroupLengthMax),
]
/** Other names that pages and searches use for the topic. */
const words = textList(
  { path: "words", column: "words" },
  { itemsMax: 20, lengthMax: 60 },
  (word) => word,
)
const fields = [...needed, words]

export const topicReader = new RecordReader(fields)

export const topicRow = (submitted: FieldValues): ImportRow | Rejection =>
  missingField(needed, submitted) ?? { key: String(submitted.values[0]), submitted }

/** By column name. */
export const topicColumns = ({
  submitted,
}: ImportRow): Readonly<Record<string, CopyValue | undefined>> =>
  Object.fromEntries(fields.map(({ column }, place) => [column, submitted.values[place]]))
