// The progress of an import, kept in this browser until it's done. After a reload the import continues when the user
// chooses the same file. It stores the file name and counts, never the content.
import type { LayoutOptions } from "./messages.ts"

export interface ImportJournal {
  readonly organizationId: string
  readonly name: string
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modifiedMs: number
  readonly asked: LayoutOptions
  readonly rules: number
  /** How much the server has accepted. */
  readonly done: number
  readonly added: number
  readonly duplicates: number
}

const key = "footfall.import"

export const readJournal = (organizationId: string): ImportJournal | null => {
  try {
    // Only this file writes it.
    const journal = JSON.parse(localStorage.getItem(key) ?? "null") as ImportJournal | null
    return journal?.organizationId === organizationId ? journal : null
  } catch {
    return null
  }
}

export const writeJournal = (journal: ImportJournal): void =>
  localStorage.setItem(key, JSON.stringify(journal))

export const forgetJournal = (): void => localStorage.removeItem(key)

export const isOfFile = (journal: ImportJournal, { lastModified, name, size }: File): boolean =>
  journal.name === name && journal.size === size && journal.modifiedMs === lastModified
