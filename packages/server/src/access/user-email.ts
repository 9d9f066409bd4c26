// The address of a user, in normal form. Without Effect, because the operator's command checks addresses before it loads
// any (docs/adr/0005).
import { normalizeEmail } from "@footfall/normal-form/email"

/** The specification names no bound: that of a mail path (RFC 5321, 4.5.3.1.3). Units: characters. */
export const userEmailLengthMax = 254

/** The normalized address of a user, or undefined if the text is not an address. */
export const userEmail = (text: string): string | undefined =>
  normalizeEmail(text, userEmailLengthMax)

/** The address that someone typed, as it would be stored. A text that is no address belongs to no one. */
export const typedEmail = (text: string): string => userEmail(text) ?? text.trim()
