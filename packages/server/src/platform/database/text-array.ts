// Texts as Postgres writes an array of them, which it reads in half the time of JSON.

/** Empty if all are null, because `unnest` fills short arrays with nulls. */
export const textArray = (texts: ReadonlyArray<string | null>): string =>
  texts.every((text) => text === null)
    ? "{}"
    : `{${texts.map((text) => (text === null ? "null" : `"${text.replaceAll(/["\\]/g, "\\$&")}"`)).join(",")}}`
