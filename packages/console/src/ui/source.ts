// Where a visit came from. A campaign names `google` what a referrer names `google.com`, and both are one source.

/** Sites whose name alone says who they are. */
const wellKnown =
  /^(?:www\.|m\.|l\.|lm\.)?(google|bing|duckduckgo|linkedin|facebook|instagram|youtube|reddit|github)\.(?:com|net|org|(?:com?\.)?[a-z]{2})$/

/** Null for a direct visit. */
export const sourceOf = (
  utmSource: string | null,
  referrerDomain: string | null,
): string | null => {
  const source = utmSource ?? referrerDomain
  return source === null ? null : (wellKnown.exec(source)?.[1] ?? source)
}
