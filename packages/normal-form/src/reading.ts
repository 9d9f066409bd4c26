// Reads files of suppression rules of any size. It detects the file kind and layout, and returns a rule or a rejection
// for each row. The CLI and the console both include this code. Pure, without Node APIs.
export { encodingOf, fileKind, hasUtf8Mark, HEAD_BYTES, type Encoding } from "./reading/bytes.ts"
export { DigestSet } from "./reading/digest-set.ts"
export { freeMailWarning, isFreeMailRule } from "./reading/free-mail.ts"
export { layoutOf, type Layout, type LayoutQuestion } from "./reading/layout.ts"
export { defused, type ColumnChoice, type Missing, ReadingError } from "./reading/column-kinds.ts"
export { rejectedHeader, rejectedText, type RejectedRow } from "./reading/tally.ts"
export { isMost, isOfOtherTypes, type Removals } from "./reading/tally.ts"
export { readRows, RowReader, type SourceRow } from "./reading/rows.ts"
export { firstRows, tableIn } from "./reading/table.ts"
export {
  type Figures,
  noCounts,
  type RowRejectionReason,
  ruleName,
  Tally,
  REPORTED_MAX,
} from "./reading/tally.ts"
export { RecordReader } from "./reading/records.ts"
export { adviceFor, ruleAsWritten } from "./reading/wrapping.ts"
