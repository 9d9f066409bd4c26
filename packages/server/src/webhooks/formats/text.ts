// Text of strangers in a message with limits: on one line, and as long as it may be once it is escaped.

/** Control characters, and what turns the direction of a text or hides in it, would change what is beside it. */
// oxlint-disable-next-line no-control-regex -- those are what is replaced
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g

/** The escaped text, cut between characters so that it has at most `lengthMax` code units. */
export const fitted = (
  text: string,
  lengthMax: number,
  escape: (character: string) => string = (character) => character,
): string => {
  let fits = ""
  let cut = ""
  for (const character of text.replaceAll(unseen, " ").trim()) {
    const escaped = escape(character)
    if (fits.length + escaped.length > lengthMax) return `${cut}…`
    fits += escaped
    // With room for the sign that something is missing.
    if (fits.length < lengthMax) cut = fits
  }
  return fits
}
