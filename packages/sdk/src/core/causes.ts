// Why a request failed, as text. Keeps messages, not the errors themselves: a third-party error may hold the request and
// its headers.

/** Maximum number of causes in an error message. */
const causesMax = 5

/** Returns the messages of an error and its causes. */
export function causes(error: unknown): string {
  const messages: Array<string> = []
  for (let each = error; each instanceof Error && messages.length < causesMax; each = each.cause) {
    const code = "code" in each && typeof each.code === "string" ? each.code : ""
    const message = each.message.includes(code) ? each.message : `${each.message} (${code})`
    messages.push(message.trim())
  }
  return messages.filter(Boolean).join(": ") || "the sending function gave no reason"
}
