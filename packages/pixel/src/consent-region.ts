/**
 * Whether a time zone requires consent: in the EEA, the United Kingdom and Switzerland (spec 6.6), including overseas
 * regions of the EU.
 *
 * It matches `Europe/…`, except zones of other countries, which it recognizes by the start of their names, and zones
 * elsewhere by a part of their names. Gibraltar and the Crown dependencies count as inside because their own law asks
 * for the same. A browser that reports no zone counts as outside. The server knows the country and decides again.
 */
const INSIDE =
  /^Europe\/(?!A[ns]|Belg|Ch|Ist|K|M[io]|Po|S[aik]|Ti|U|Vat|Vo|Zap)|Azo|Canar|Madei|Reyk|Nico|Fam|Longy|Ceu|Guade|Mart|Caye|Marig|Reun|Mayo/

export const requiresConsent = (timeZone: string): boolean => INSIDE.test(timeZone)
