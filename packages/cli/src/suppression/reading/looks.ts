// What texts look like, before it is known what they are.

const looks = [
  ["email", /^[^\s@,;|]+@[^\s@,;|]+\.[^\s@,;|]+$/],
  ["domain", /^[^\s@,;|]+\.[^\s@,;|]+$/],
] as const

/** Of the values whose type is not said, so many have to look like one. The others are rejected. */
const SHARE_MIN = 0.8

/** What the values look like; the first may be a header. Null when they do not say it, or are mixed. */
export const lookOf = (values: ReadonlyArray<string>): "email" | "domain" | null => {
  const filled = values.filter((value) => value.trim() !== "")
  const [first = "", ...below] = filled
  const told = looksLikeValue(first) || below.length === 0 ? filled : below
  const of = ([, look]: (typeof looks)[number]): number =>
    told.filter((value) => look.test(value.trim())).length
  const [emails, domains] = [of(looks[0]), of(looks[1])]
  if (emails > 0 && domains > 0) return null
  if (told.length === 0 || emails + domains < told.length * SHARE_MIN) return null
  return emails > 0 ? "email" : "domain"
}

/** Whether a text holds what may be an address or a host name, right or wrong. */
export const looksLikeValue = (text: string): boolean =>
  /\S@|@\S|:\/\//.test(text) || looksLikeDomain(text)

/** Also an address of the Internet, and a name with dots. */
export const looksLikeDomain = (text: string): boolean =>
  /^[^\s@]*[^\s@.]\.[^\s@]+$/.test(text.trim())
