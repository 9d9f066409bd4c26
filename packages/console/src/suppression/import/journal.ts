// How far an import has come, kept in this browser until it is done, so that it goes on after a reload once the same file
// is chosen again. It holds the name of the file and counts, and nothing of what is in it.
import type { Asked } from "./messages.ts"

export interface ImportJournal {
  readonly organizationId: string
  readonly name: string
  readonly size: number
  /** Units: milliseconds since 1970. */
  readonly modifiedMs: number
  readonly asked: Asked
  readonly rules: number
  /** What the server has taken. */
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
