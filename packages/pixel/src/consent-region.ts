/**
 * Whether consent is required in a time zone: in the EEA, the United Kingdom and Switzerland
 * (decisions.md 6.6), with the regions of the EU overseas.
 *
 * The rule: all of `Europe/…` but the large countries beside that region (Turkey, Ukraine, Belarus
 * and most of Russia), all of the Arctic and the Atlantic, and the zones elsewhere by a part of their
 * names. So the Balkans, the small states and a few islands are asked for consent too: their names
 * would take 43 bytes, and their own law asks for much the same. A browser that names no zone is
 * outside; the server, which knows the country, decides again.
 */
const INSIDE = /^Europe\/(?!Ist|K|M[io]|U)|^A\w+tic\/|Nic|Fam|Ceu|Guade|Mart|Caye|Mari|Reu|Mayo/

export const requiresConsent = (timeZone: string): boolean => INSIDE.test(timeZone)
