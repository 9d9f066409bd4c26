// The result of reading files, as numbers; the rules are in the spool. An import's journal contains it, so that a
// resumed import reports on the whole.

import type { Figures, RejectedRow } from "@footfall/normal-form/reading"

/** One file. */
export interface PreparedFile {
  readonly file: string
  /** How the file was read, for people. */
  readonly reading: string
  readonly rows: number
  readonly rejectedCount: number
  /** The file with the rejected rows; null if there are none, or nowhere to write them. */
  readonly rejectedFile: string | null
  /** Length of that file. */
  readonly rejectedBytes: number
}

/** A rejected row as shown in results. */
export interface FileRejection extends RejectedRow {
  readonly file: string
}

/** All files together. */
export interface Prepared extends Figures {
  /** Whether no file has a row. A header and comments are no rows. */
  readonly isEmpty: boolean
  readonly files: ReadonlyArray<PreparedFile>
  /** The first 100. */
  readonly rejected: ReadonlyArray<FileRejection>
}
