import { describe, expect, it } from "vitest"
import { hiddenCharacter, normalizeDomain, normalizeEmail, normalizeRule } from "./index.ts"

describe("an invisible character", () => {
  it.each([
    ["\u0000", "U+0000 (null)"],
    ["\u0007", "U+0007 (control character)"],
    ["\u007f", "U+007F (control character)"],
    ["\u0085", "U+0085 (control character)"],
    ["\u00ad", "U+00AD (soft hyphen)"],
    ["\u200b", "U+200B (zero width space)"],
    ["\u200d", "U+200D (zero width joiner)"],
    ["\u202e", "U+202E (invisible character)"],
    ["\u2060", "U+2060 (word joiner)"],
    ["\u3164", "U+3164 (invisible character)"],
    ["\ufeff", "U+FEFF (byte order mark)"],
    ["\u{e0041}", "U+E0041 (invisible character)"],
  ])(
    "%j makes an address, a domain and a rule invalid, and the message names it: %s",
    (character, name) => {
      const address = `ja${character}ne@acme.example`
      const domain = `ac${character}me.example`

      expect(hiddenCharacter(address)).toBe(name)
      expect(normalizeEmail(address, 254)).toBeUndefined()
      expect(normalizeEmail(`jane@${domain}`, 254)).toBeUndefined()
      expect(normalizeDomain(domain, 253)).toBeUndefined()
      expect(normalizeRule({ type: "email", value: address })).toBe("invalid_email")
      expect(normalizeRule({ type: "domain", value: domain })).toBe("invalid_domain")
      expect(normalizeRule({ type: "company_domain", value: domain })).toBe("invalid_domain")
      expect(normalizeRule({ type: "industry", value: `soft${character}ware` })).toBe(
        "invalid_industry",
      )
    },
  )

  it.each(["jane@acme.example", "größe@bücher.example", "a b", "名前", "👩"])(
    "is not found in %j",
    (text) => {
      expect(hiddenCharacter(text)).toBeUndefined()
    },
  )
})
