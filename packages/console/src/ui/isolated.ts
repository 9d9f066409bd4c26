// Right-to-left text from outside, such as a visitor's name, must not change the order of what stands next to it. For
// elements the style sheet sees to that (base.css); this is for sentences without elements: notices, titles and
// messages. Characters that reorder text on purpose are removed when the console reads them (session/session.ts).

const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** A template whose right-to-left values are isolated from the words around them. */
export const isolated = (words: TemplateStringsArray, ...values: ReadonlyArray<unknown>): string =>
  String.raw({ raw: words }, ...values.map((value) => isolate(String(value))))

const isolate = (text: string): string => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text)

/** Without the characters that set the direction of the text after them. A name could hide in them. */
export const withoutDirections = (text: string): string =>
  text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, "")
