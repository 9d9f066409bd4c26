// Escapes text for HTML.

const entities: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  }),
)

/** Safe in elements and in quoted attributes. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (one) => entities.get(one)!)
