/**
 * Whether consent is required in a time zone: in the EEA, the United Kingdom and Switzerland
 * (spec 6.6), with the regions of the EU overseas.
 *
 * The rule: `Europe/…` without the zones of other countries, which the beginnings of their names tell
 * from those inside, and the zones elsewhere by a part of their names. Gibraltar and the islands of
 * the Crown count as inside, as their own law asks for the same. A browser that names no zone is
 * outside; the server, which knows the country, decides again.
 */
const INSIDE =
  /^Europe\/(?!A[ns]|Belg|Ch|Ist|K|M[io]|Po|S[aik]|Ti|U|Vat|Vo|Zap)|Azo|Canar|Madei|Reyk|Nico|Fam|Longy|Ceu|Guade|Mart|Caye|Marig|Reun|Mayo/

export const requiresConsent = (timeZone: string): boolean => INSIDE.test(timeZone)
