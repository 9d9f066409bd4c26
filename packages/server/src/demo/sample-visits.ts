// How the people of the sample data come to the site and walk through it.

/** Where sample sessions come from: landing query values and external referrer. */
export interface SampleSource {
  readonly utm: readonly [source: string, medium: string, campaign: string] | undefined
  readonly referrer: string | undefined
}

export const sources: ReadonlyArray<SampleSource> = [
  { utm: undefined, referrer: undefined },
  { utm: undefined, referrer: undefined },
  { utm: undefined, referrer: "https://www.google.com/" },
  { utm: undefined, referrer: "https://duckduckgo.com/" },
  { utm: ["newsletter", "email", "spring-launch"], referrer: undefined },
  { utm: ["google", "cpc", "visitor-identification"], referrer: "https://www.google.com/" },
  { utm: ["linkedin", "paid-social", "ops-leaders"], referrer: "https://www.linkedin.com/" },
  { utm: undefined, referrer: "https://news.ycombinator.com/" },
]

/** Walks through the site, in the order people take them. */
export const walks: ReadonlyArray<ReadonlyArray<string>> = [
  ["/", "/product", "/pricing"],
  ["/blog/who-visits-your-site", "/product"],
  ["/", "/pricing", "/book-demo"],
  ["/pricing"],
  ["/blog/suppression-at-scale", "/docs/quickstart", "/docs/webhooks"],
  ["/", "/customers", "/customers/harbor-logistics", "/pricing", "/book-demo"],
  ["/docs/quickstart", "/docs/self-hosting"],
  ["/", "/security"],
  ["/blog/intent-without-cookies", "/", "/product", "/pricing"],
  ["/careers"],
]
