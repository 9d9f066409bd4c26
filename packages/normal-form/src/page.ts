// The address of a page as people read it. Addresses are stored and compared with escapes; screens and messages show the
// letters. Pure.

/** Escapes of characters beyond ASCII. */
const escapes = /(?:%[89a-f][\da-f])+/gi

/** Nothing that hides, moves or imitates the signs of an address. */
const letters = /^[\p{L}\p{M}\p{N}\p{So}]+$/u

/** `/pr%C3%BCfung` as `/prüfung`. Escapes of anything but letters, digits and pictures stay, and so do broken ones. */
export const readablePage = (address: string): string =>
  address.replaceAll(escapes, (run) => {
    try {
      const text = decodeURIComponent(run)
      return letters.test(text) ? text : run
    } catch {
      return run
    }
  })
