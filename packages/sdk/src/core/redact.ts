// Takes credentials out of what others wrote: an echoing proxy, a foreign error.

/** Shorter texts are not credentials, and would match parts of ordinary words. spec 5.12 */
const secretLengthMin = 10

/** The text without the secrets, as they are and as JSON writes them. */
export function redact(text: string, secrets: ReadonlyArray<string>): string {
  return secrets
    .flatMap((secret) => (secret.length < secretLengthMin ? [] : [secret, inJson(secret)]))
    .reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text)
}

const inJson = (secret: string): string => JSON.stringify(secret).slice(1, -1)
