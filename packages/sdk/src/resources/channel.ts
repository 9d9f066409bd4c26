// How a session came to the site. Source: spec 6.5. Further values may be added
// within /v1 (spec 11), so a `switch` over a channel needs a default.

/** Derived by the server from click ids, then `utm_medium`, then the referrer. */
export type Channel =
  | "direct"
  | "organic_search"
  | "paid_search"
  | "organic_social"
  | "paid_social"
  | "email"
  | "referral"
  | "display"
  | "affiliate"
  | "ai_assistant"
  | "other"
