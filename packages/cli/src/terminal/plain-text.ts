// Text that strangers wrote (names, campaigns, paths, a proxy's error page) made safe to print:
// nothing in it can move the cursor, colour the screen or turn the reading direction around.

import { stripVTControlCharacters } from "node:util"

/** The text on one line, without control characters and direction overrides. */
export const plainText = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/[\r\n\t]+/g, " ")
    .replace(/[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu, "")
