// Normalizes an email address for comparison: trimmed and lowercase, nothing else (spec 1.5). It only checks that the
// form is plausible, in time linear in the length.
import { hiddenCharacter } from "./hidden-character.ts"

const localLengthMax = 64
const localPart = /^[^\s@"(),:;<>[\\\]]+$/u
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u

/** The normalized address, or undefined if the text isn't an address. *Bounds*: `lengthMax` characters. */
export const normalizeEmail = (text: string, lengthMax: number): string | undefined => {
  // A trailing dot doesn't change the host.
  const email = text.trim().toLowerCase().replace(/\.$/, "")
  const at = email.lastIndexOf("@")
  if (at < 1 || at > localLengthMax || email.length > lengthMax) return undefined
  const local = email.slice(0, at)
  const labels = email.slice(at + 1).split(".")
  if (!localPart.test(local) || hiddenCharacter(email) !== undefined) return undefined
  if (local.startsWith(".") || local.endsWith(".")) return undefined
  return labels.length > 1 && labels.every((label) => domainLabel.test(label)) ? email : undefined
}
