// The result of reading files, as figures; the rules are in the spool. It is part of the journal of an import, so
// that a resumed import reports the whole.

import type { Figures, RejectedRow } from "@footfall/normal-form/reading"

/** One file. */
export interface PreparedFile {
  readonly file: string
  /** For people: how it was read. */
  readonly reading: string
  readonly rows: number
  readonly rejectedCount: number
  /** The file with its rejected rows; null if there are none, or no place to write them. */
  readonly rejectedFile: string | null
  /** Length of that file. */
  readonly rejectedBytes: number
}

/** A rejected row as results tell it. */
export interface FileRejection extends RejectedRow {
  readonly file: string
}

/** All files together. */
export interface Prepared extends Figures {
  /** Whether no file holds anything: not a header or a comment either. */
  readonly isEmpty: boolean
  readonly files: ReadonlyArray<PreparedFile>
  /** The first 100. */
  readonly rejected: ReadonlyArray<FileRejection>
}
