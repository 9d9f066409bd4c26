// Fits text from strangers into a message: on one line, and within the limit after escaping.

/** Control characters, and characters that hide or reverse text, would change the text around them. */
// oxlint-disable-next-line no-control-regex -- those are what is replaced
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g

/** The escaped text, cut between characters to at most `lengthMax` code units. */
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
    // Leaves room for the ellipsis.
    if (fits.length < lengthMax) cut = fits
  }
  return fits
}
