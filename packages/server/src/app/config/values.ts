// Parsers for the values of configuration variables. Each says what it expects, for the error message.
import { type Network, parseNetwork } from "../../platform/http/client-address.ts"

/** Returns undefined for invalid text; `expected` completes "Expected …". */
export interface Parser<A> {
  readonly parse: (text: string) => A | undefined
  readonly expected: string
}

export const nonEmpty: Parser<string> = {
  parse: (text) => text || undefined,
  expected: "a non-empty value",
}

export const anyText: Parser<string> = { parse: (text) => text, expected: "a non-empty value" }

export const portOf: Parser<number> = {
  parse: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
  expected: "a port from 0 to 65535",
}

export const wholeNumber = (min: number, max: number): Parser<number> => ({
  parse: (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined,
  expected: `a whole number from ${min} to ${max}`,
})

/** Empty means none: 0. */
export const numberOrNone = (min: number, max: number): Parser<number> => {
  const { expected, parse } = wholeNumber(min, max)
  return { parse: (text) => (text === "" ? 0 : parse(text)), expected }
}

export const addressOf: Parser<string> = {
  parse: (text) =>
    /^https?:\/\/[^\s?#/][^\s?#]*$/.test(text) && URL.canParse(text)
      ? text.replace(/(?<!\/)\/+$/, "")
      : undefined,
  expected: "a URL that starts with http:// or https://",
}

export const basePathExpected = 'a path such as "/footfall", without a slash at the end'

/** Empty means none. */
export const isBasePath = (path: string): boolean =>
  path === "" || /^(?:\/[\w.~!$()*+,;=:@%-]+)+$/.test(path)

/** Empty means none. */
export const addressOrNone: Parser<string> = {
  parse: (text) => (text === "" ? text : addressOf.parse(text)),
  expected: addressOf.expected,
}

/** Where to report a vulnerability: an address becomes `mailto:`. Empty means none. */
export const contactOf: Parser<string> = {
  parse: (text) => {
    if (text === "" || /^https:\/\/[^\s?#/][!-~]*$/.test(text)) return text
    const address = /^(?:mailto:)?([!-?A-~]+@[!-?A-~]+)$/.exec(text)?.[1]
    return address === undefined ? undefined : `mailto:${address}`
  },
  expected: "an email address or a URL that starts with https://",
}

/** Of ClickHouse. Empty means none. */
export const clusterOf: Parser<string> = {
  parse: (text) => (/^[\w-]{0,64}$/.test(text) ? text : undefined),
  expected: "the name of a cluster: at most 64 letters, digits, underscores and hyphens",
}

/** Empty means none. */
export const issuerOf: Parser<string> = {
  parse: (text) =>
    text === "" || (/^https?:\/\/[^\s?#/][^\s?#]*$/.test(text) && URL.canParse(text))
      ? text
      : undefined,
  expected: "a URL that starts with https://",
}

/** Shown on a button. Units: characters. */
const issuerNameMax = 60

export const issuerNameOf: Parser<string> = {
  parse: (text) => (text.length <= issuerNameMax && !/\p{C}/u.test(text) ? text : undefined),
  expected: `a name of at most ${issuerNameMax} characters`,
}

// spec 1.2.1
export const switchOf: Parser<boolean> = {
  parse: (text) => {
    const value = text.toLowerCase()
    if (["on", "true", "1"].includes(value)) return true
    return ["off", "false", "0"].includes(value) ? false : undefined
  },
  expected: "on or off",
}

export const networksOf: Parser<ReadonlyArray<Network>> = {
  parse: (text) => {
    const items = text.split(",").map((item) => item.trim())
    try {
      return items.filter((item) => item !== "").map(parseNetwork)
    } catch {
      return undefined
    }
  },
  expected: "a comma-separated list of networks such as 10.0.0.0/8",
}

export const headerOf: Parser<string> = {
  parse: (text) => (/^[A-Za-z0-9-]*$/.test(text) ? text.toLowerCase() : undefined),
  expected: "the name of a header",
}

export const oneOf = <const Values extends ReadonlyArray<string>>(
  ...values: Values
): Parser<Values[number]> => ({
  parse: (text) => values.find((value) => value === text.toLowerCase()),
  expected: values.join(" or "),
})

export const logLevels = {
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  silent: "None",
} as const

export const logLevelOf = oneOf("debug", "info", "warn", "error", "silent")
