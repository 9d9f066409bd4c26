// Reads files of suppression rules of any size. It detects the file kind and layout, and returns each row as written, or
// as a rule. The server reads with it; the command line takes its warnings from here. Pure, without Node APIs.
export { encodingOf, fileKind, HEAD_BYTES } from "./reading/bytes.ts"
export { freeMailWarning, isFreeMailRule } from "./reading/free-mail.ts"
export { type Layout, layoutOf } from "./reading/layout.ts"
export { defused, ReadingError } from "./reading/column-kinds.ts"
export { isMost, isOfOtherTypes } from "./reading/removals.ts"
export { rejectedHeader, rejectedText, type RowRejectionReason } from "./reading/rejected-rows.ts"
export { RowReader, type SourceRow } from "./reading/rows.ts"
export { firstRows, tableIn } from "./reading/table.ts"
export { RecordReader, type TextRecord } from "./reading/records.ts"
export { adviceFor, ruleAsWritten } from "./reading/wrapping.ts"
