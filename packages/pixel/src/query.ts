/**
 * Queries of addresses, read without `URL`, which a page may have replaced.
 */

/** The query with the parameters that pass, as they stand; empty, or with its question mark. */
export const keepParameters = (
  query: string,
  passes: (key: string, value: string) => unknown,
): string =>
  query
    .replace(/[?&]([^=&]*)=?([^&]*)/g, (pair, key: string, value: string) =>
      passes(key, value) ? pair : "",
    )
    .replace(/^&/, "?")
