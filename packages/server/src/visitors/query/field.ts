// What a rule can ask about, by type: the type decides the operators (spec 3.3). A `custom.`
// field is the value of one key of customAttribution.

/** `texts` is a list of texts, one or more for each session in window and scope. */
export type FieldType = "number" | "text" | "texts" | "boolean" | "datetime"

const fieldTypes = {
  "behavior.pageviews": "number",
  "behavior.sessions": "number",
  "behavior.pricing_page_views": "number",
  "behavior.demo_page_views": "number",
  "behavior.visited_paths": "texts",
  "behavior.landing_paths": "texts",
  "behavior.exit_paths": "texts",
  "behavior.total_duration_seconds": "number",
  "behavior.max_session_pageviews": "number",
  "behavior.active_days": "number",
  "behavior.form_submissions": "number",
  "behavior.custom_events": "texts",
  "timing.first_seen_at": "datetime",
  "timing.last_seen_at": "datetime",
  "timing.days_since_last_seen": "number",
  "timing.is_returning": "boolean",
  "company.name": "text",
  "company.domain": "text",
  "company.industry": "text",
  "company.zip_code": "text",
  "company.employee_count": "number",
  "company.revenue_range": "text",
  "company.job_title": "text",
  "company.seniority": "text",
  "company.department": "text",
  "contact.email_domain": "text",
  "contact.has_business_email": "boolean",
  "contact.has_personal_email": "boolean",
  "contact.has_phone": "boolean",
  "contact.has_linkedin": "boolean",
  "contact.phones_dnc": "boolean",
  "contact.city": "text",
  "contact.state": "text",
  "contact.country": "text",
  "attribution.utm_source": "texts",
  "attribution.utm_medium": "texts",
  "attribution.utm_campaign": "texts",
  "attribution.utm_term": "texts",
  "attribution.utm_content": "texts",
  "attribution.referrer_domain": "texts",
  "attribution.click_id_types": "texts",
  "attribution.channel": "texts",
  "pixel.id": "texts",
  "pixel.domain": "texts",
} as const satisfies Readonly<Record<string, FieldType>>

type FieldTypes = typeof fieldTypes
export type CustomField = `custom.${string}`

/** The fields of a type. */
export type FieldOf<Type extends FieldType> =
  | { [Name in keyof FieldTypes]: FieldTypes[Name] extends Type ? Name : never }[keyof FieldTypes]
  | ("text" extends Type ? CustomField : never)

export type Field = FieldOf<FieldType>

/** Every field but the custom ones, which are without number. */
export const fieldNames = Object.keys(fieldTypes) as ReadonlyArray<keyof FieldTypes> // its keys

export const customPattern = /^custom\.[A-Za-z0-9_.-]{1,64}$/

export const isField = (name: unknown): name is Field =>
  typeof name === "string" && (Object.hasOwn(fieldTypes, name) || customPattern.test(name))

export const isCustomField = (field: Field): field is CustomField => field.startsWith("custom.")

export const typeOfField = (field: Field): FieldType =>
  isCustomField(field) ? "text" : fieldTypes[field]

/** The key of customAttribution; its case counts. */
export const customKeyOf = (field: CustomField): string => field.slice("custom.".length)
