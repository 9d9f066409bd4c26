// Removes credentials from text that the SDK did not write, such as a proxy's response or a third-party error message.

/** Shorter strings are not credentials, and could match parts of ordinary words. spec 5.12 */
const secretLengthMin = 10

/** Returns the text without the secrets, in plain form and as JSON escapes them. */
export function redact(text: string, secrets: ReadonlyArray<string>): string {
  return secrets
    .flatMap((secret) => (secret.length < secretLengthMin ? [] : [secret, inJson(secret)]))
    .reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text)
}

const inJson = (secret: string): string => JSON.stringify(secret).slice(1, -1)
