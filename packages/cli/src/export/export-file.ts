// The file an export grows in: FILE.footfall-export.part, with its journal beside it. It takes the
// name FILE when it is whole, so nobody ever finds half an export under that name.

import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, renameSync } from "node:fs"
import { fstatSync, rmSync, writeSync } from "node:fs"
import { usageError } from "../errors/usage-error.ts"
import { removeJournal, writeJournal, type ExportJournal } from "./export-journal.ts"

/** Where an export and what belongs to it lie. */
export interface ExportPaths {
  readonly file: string
  readonly part: string
  readonly journal: string
  readonly lock: string
}

/** The names beside a file. */
export const exportPaths = (file: string): ExportPaths => ({
  file,
  part: `${file}.footfall-export.part`,
  journal: `${file}.footfall-export.json`,
  lock: `${file}.footfall-export.lock`,
})

/** Pages that come within this time are on the disk together. */
const CHECKPOINT_INTERVAL_MS = 1_000

/** Written by one process at a time. */
export class ExportFile {
  readonly #paths: ExportPaths
  readonly #descriptor: number
  #journal: ExportJournal
  #checkpointAtMs = -Infinity

  /**
   * Opens the part for the journal's state: empty for a new export, cut to its length for one that
   * goes on. Errors: usage, when the part is shorter than the journal says; those of the file system.
   */
  constructor(paths: ExportPaths, journal: ExportJournal) {
    const isNew = journal.bytes === 0
    this.#paths = paths
    this.#journal = journal
    this.#descriptor = openSync(paths.part, isNew ? "w" : "r+", 0o600)
    if (fstatSync(this.#descriptor).size < journal.bytes) {
      closeSync(this.#descriptor)
      throw usageError(
        `${paths.part} is shorter than its journal says.`,
        "Add --restart to begin anew.",
      )
    }
    ftruncateSync(this.#descriptor, journal.bytes)
  }

  /** How far the export has come. */
  get journal(): ExportJournal {
    return this.#journal
  }

  /**
   * Adds text, and with it the journal's new state.
   * Guarantee: after kill -9 or a power cut the journal on the disk speaks of bytes that are there.
   */
  append(text: string, state: Omit<ExportJournal, "bytes">): void {
    const bytes = Buffer.from(text)
    let written = 0
    while (written < bytes.length) {
      const position = this.#journal.bytes + written
      written += writeSync(this.#descriptor, bytes, written, bytes.length - written, position)
    }
    this.#journal = { ...state, bytes: this.#journal.bytes + bytes.length }
    if (performance.now() - this.#checkpointAtMs >= CHECKPOINT_INTERVAL_MS) this.checkpoint()
  }

  /** Brings what was written to the disk, and then the journal. */
  checkpoint(): void {
    fdatasyncSync(this.#descriptor)
    writeJournal(this.#paths.journal, this.#journal)
    this.#checkpointAtMs = performance.now()
  }

  /** Gives the whole file its name; the journal goes. */
  finish(): void {
    fsyncSync(this.#descriptor)
    closeSync(this.#descriptor)
    renameSync(this.#paths.part, this.#paths.file)
    removeJournal(this.#paths.journal)
  }

  /** Keeps everything for a later run. */
  leave(): void {
    this.checkpoint()
    closeSync(this.#descriptor)
  }
}

/** Forgets an unfinished export. */
export const forgetExport = ({ part, journal }: ExportPaths): void => {
  rmSync(journal, { force: true })
  rmSync(part, { force: true })
}
