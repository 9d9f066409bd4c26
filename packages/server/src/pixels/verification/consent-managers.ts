// Consent managers by the hosts their scripts come from. One on a page explains why nothing is sent before
// a visitor has chosen; a manager that is served from the site's own host is not found by this.

/** A host and everything below it. */
const names: ReadonlyArray<readonly [host: string, name: string]> = [
  ["axept.io", "Axeptio"],
  ["cdn-cookieyes.com", "CookieYes"],
  ["consentmanager.net", "consentmanager"],
  ["cookie-script.com", "CookieScript"],
  ["cookiebot.com", "Cookiebot"],
  ["cookiebot.eu", "Cookiebot"],
  ["cookiefirst.com", "CookieFirst"],
  ["cookiehub.eu", "CookieHub"],
  ["cookiehub.net", "CookieHub"],
  ["cookielaw.org", "OneTrust"],
  ["onetrust.com", "OneTrust"],
  ["fundingchoicesmessages.google.com", "Google Privacy & messaging"],
  ["cmp.inmobi.com", "InMobi Choice"],
  ["cmp.quantcast.com", "InMobi Choice"],
  ["iubenda.com", "iubenda"],
  ["ketchcdn.com", "Ketch"],
  ["osano.com", "Osano"],
  ["privacy-center.org", "Didomi"],
  ["privacy-mgmt.com", "Sourcepoint"],
  ["securiti.ai", "Securiti"],
  ["termly.io", "Termly"],
  ["transcend-cdn.com", "Transcend"],
  ["trustarc.com", "TrustArc"],
  ["usercentrics.eu", "Usercentrics"],
]

/** Of a host without a port, in lower case; undefined when no manager is known by it. */
export const consentManagerOf = (host: string): string | undefined =>
  names.find(([known]) => host === known || host.endsWith(`.${known}`))?.[1]
