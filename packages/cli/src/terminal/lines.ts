// Sentences for people that repeat what strangers wrote.

import { plainText } from "./plain-text.ts"

/** One sentence a line, each safe to print; null leaves a line out. */
export const lines = (...sentences: ReadonlyArray<string | null>): string =>
  sentences
    .filter((sentence) => sentence !== null)
    .map((sentence) => `${plainText(sentence)}\n`)
    .join("")
