// What a rule can ask about, by type: the type decides the operators. Source: spec 3.3.

/** Any field of a rule. */
export type RuleField = NumberField | TextField | TextListField | BooleanField | DatetimeField

/** Counts, inside the window and pixel scope where they are of behavior. */
export type NumberField =
  | "behavior.pageviews"
  | "behavior.sessions"
  | "behavior.pricing_page_views"
  | "behavior.demo_page_views"
  /** Sum over the sessions. */
  | "behavior.total_duration_seconds"
  /** Page views of the deepest session. */
  | "behavior.max_session_pageviews"
  /** Distinct UTC days with a session. */
  | "behavior.active_days"
  /** Forms in which the visitor gave an address. */
  | "behavior.form_submissions"
  /** Whole days. */
  | "timing.days_since_last_seen"
  | "company.employee_count"

/** One text, compared without case. */
export type TextField =
  | "company.name"
  | "company.domain"
  | "company.industry"
  | "company.zip_code"
  /** A `CompanyRevenueRange`, for example `50 million to 100 million`. */
  | "company.revenue_range"
  | "company.job_title"
  /** A `Seniority`, for example `vp`. */
  | "company.seniority"
  /** A `Department`, for example `operations`. */
  | "company.department"
  /** Domain of the primary address. */
  | "contact.email_domain"
  | "contact.city"
  | "contact.state"
  | "contact.country"
  /** A value of `customAttribution`; the key is 1 to 64 of `A-Z a-z 0-9 _ . -`. */
  | `custom.${string}`

/** Several texts: every value seen inside window and scope. */
export type TextListField =
  /** Paths alone, without query, as are the two below. */
  | "behavior.visited_paths"
  /** Of each session its first page. */
  | "behavior.landing_paths"
  /** Of each session its last page. */
  | "behavior.exit_paths"
  /** Names sent with `track()`. */
  | "behavior.custom_events"
  | "attribution.utm_source"
  | "attribution.utm_medium"
  | "attribution.utm_campaign"
  | "attribution.utm_term"
  | "attribution.utm_content"
  | "attribution.referrer_domain"
  /** Values of `ClickIdType`. */
  | "attribution.click_id_types"
  /** Values of `Channel`. */
  | "attribution.channel"
  /** The pixels that saw the visitor, as is the one below. */
  | "pixel.id"
  | "pixel.domain"

export type BooleanField =
  /** More than one session ever. */
  | "timing.is_returning"
  | "contact.has_business_email"
  | "contact.has_personal_email"
  | "contact.has_phone"
  | "contact.has_linkedin"
  | "contact.phones_dnc"

/** Over the whole history, inside the pixel scope. */
export type DatetimeField = "timing.first_seen_at" | "timing.last_seen_at"
