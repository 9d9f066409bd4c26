// What the presets know about the bodies of their vendors: the records in them, each one's fields, and its id (spec
// 15.3.5). Bodies are hostile: only named own properties are read.
import { isObject, type JsonObject } from "../visits/batch.ts"
import { emailHashOf, normalizeEmail } from "../visits/email-address.ts"
import type { Preset } from "./inbound-source.ts"
import { type Found, type Mapping, mappedFields } from "./mapping.ts"

interface PresetReader {
  /** The records of one body, each of which gives itself again. */
  readonly records: (body: unknown) => ReadonlyArray<unknown>
  readonly fields: (record: unknown) => Found
}

const one = (body: unknown) => [body]

const rb2bMapping: Mapping = {
  kind: "person",
  fields: {
    email: `$["Business Email"]`,
    firstName: `$["First Name"]`,
    lastName: `$["Last Name"]`,
    jobTitle: `$["Title"]`,
    linkedinUrl: `$["LinkedIn URL"]`,
    companyName: `$["Company Name"]`,
    website: `$["Website"]`,
    industry: `$["Industry"]`,
    employeeCount: `$["Employee Count"]`,
    revenue: `$["Estimate Revenue"]`,
    city: `$["City"]`,
    state: `$["State"]`,
    zipCode: `$["Zipcode"]`,
    url: `$["Captured URL"]`,
    referrer: `$["Referrer"]`,
    at: `$["Seen At"]`,
    "custom.rb2b_tags": `$["Tags"]`,
  },
}

/** Own: of an object that a vendor sent. */
const ownOf = (value: unknown, ...path: ReadonlyArray<string>): unknown => {
  let at = value
  for (const name of path) {
    // own keys: checked first.
    at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  return at
}

const listOf = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value.slice(0, answersMax) : []
const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined

/** Answers of one form that are looked at. */
const answersMax = 500

const foundOf = (entries: ReadonlyArray<readonly [string, unknown]>): Found => {
  const found = new Map<string, unknown>()
  for (const [name, value] of entries) {
    const isAbsent = value === undefined || value === null || value === ""
    if (!isAbsent && !found.has(name)) found.set(name, value)
  }
  return found
}

/** What a question asks for, by its title or name, without case, punctuation and `your`. */
const questions: ReadonlyMap<string, string> = new Map([
  ["email", "email"],
  ["email address", "email"],
  ["work email", "email"],
  ["business email", "email"],
  ["first name", "firstName"],
  ["firstname", "firstName"],
  ["last name", "lastName"],
  ["lastname", "lastName"],
  ["surname", "lastName"],
  ["name", "fullName"],
  ["full name", "fullName"],
  ["whats name", "fullName"],
  ["what is name", "fullName"],
  ["company", "companyName"],
  ["company name", "companyName"],
  ["organization", "companyName"],
  ["job title", "jobTitle"],
  ["title", "jobTitle"],
  ["role", "jobTitle"],
  ["phone", "phone"],
  ["phone number", "phone"],
  ["website", "website"],
  ["company website", "website"],
  ["linkedin", "linkedinUrl"],
  ["linkedin url", "linkedinUrl"],
  ["city", "city"],
  ["state", "state"],
  ["country", "country"],
  ["page", "url"],
  ["url", "url"],
  ["page url", "url"],
  ["referrer", "referrer"],
])
const titleLengthMax = 100

const questionOf = (title: unknown): string | undefined => {
  if (typeof title !== "string" || title.length > titleLengthMax) return undefined
  const words = title
    .toLowerCase()
    .replaceAll(/['\u2019]/g, "")
    .replaceAll(/[^a-z]+/g, " ")
    .replaceAll(/\byour\b/g, "")
    .replaceAll(/ {2,}/g, " ")
    .trim()
  return questions.get(words)
}

const named = (title: unknown, value: unknown): ReadonlyArray<readonly [string, unknown]> => {
  const field = questionOf(title)
  return field === undefined ? [] : [[field, value]]
}

/** Fields of the form that its page filled in, such as `utm_source` or `page`. */
const hiddenFields = (hidden: unknown) =>
  isObject(hidden)
    ? Object.entries(hidden)
        .slice(0, answersMax)
        .flatMap(([name, value]) => named(name, value))
    : []

const typeform: PresetReader = {
  records: one,
  fields: (record) => {
    const response = ownOf(record, "form_response")
    const titles = new Map(
      listOf(ownOf(response, "definition", "fields")).map(
        (field) => [ownOf(field, "id"), ownOf(field, "title")] as const,
      ),
    )
    const answers = listOf(ownOf(response, "answers"))
    return foundOf([
      ...answers.flatMap((answer) => {
        const type = ownOf(answer, "type")
        if (type === "email") return [["email", ownOf(answer, "email")] as const]
        if (type === "phone_number") return [["phone", ownOf(answer, "phone_number")] as const]
        const value =
          ownOf(answer, "text") ?? ownOf(answer, "url") ?? ownOf(answer, "choice", "label")
        return named(titles.get(ownOf(answer, "field", "id")), value)
      }),
      ...hiddenFields(ownOf(response, "hidden")),
      ["at", ownOf(response, "submitted_at")],
      ["eventName", "form_submitted"],
      ["id", ownOf(record, "event_id")],
    ])
  },
}

const tally: PresetReader = {
  records: one,
  fields: (record) => {
    const fields = listOf(ownOf(record, "data", "fields"))
    return foundOf([
      ...fields.flatMap((field) => {
        const type = ownOf(field, "type")
        const value = ownOf(field, "value")
        if (type === "INPUT_EMAIL") return [["email", value] as const]
        if (type === "INPUT_PHONE_NUMBER") return [["phone", value] as const]
        return typeof value === "string" ? named(ownOf(field, "label"), value) : []
      }),
      ["at", ownOf(record, "data", "createdAt") ?? ownOf(record, "createdAt")],
      ["eventName", "form_submitted"],
      ["id", ownOf(record, "eventId")],
    ])
  },
}

const bookings: ReadonlyMap<unknown, string> = new Map([
  ["BOOKING_CREATED", "booking_created"],
  ["BOOKING_RESCHEDULED", "booking_rescheduled"],
  ["BOOKING_CANCELLED", "booking_cancelled"],
])

/** Each attendee has a copy of the booking. Units: characters of all copies. */
const copiedMax = 4 * 1024 * 1024

const calcom: PresetReader = {
  records: (body) => {
    const payload = ownOf(body, "payload")
    const attendees = listOf(ownOf(payload, "attendees"))
    if (attendees.length < 2 || !isObject(body) || !isObject(payload)) return [body]
    const { triggerEvent, createdAt } = body
    const { type, uid } = payload
    const shared = JSON.stringify({ ...body, payload: { ...payload, attendees: [] } })
    const isLarge = shared.length * attendees.length > copiedMax
    return attendees.map((attendee) =>
      isLarge
        ? { triggerEvent, createdAt, payload: { type, uid, attendees: [attendee] } }
        : { ...body, payload: { ...payload, attendees: [attendee] } },
    )
  },
  fields: (record) => {
    const payload = ownOf(record, "payload")
    const [attendee] = listOf(ownOf(payload, "attendees"))
    const trigger = ownOf(record, "triggerEvent")
    const eventName = bookings.get(trigger)
    // Other triggers, such as a meeting that ended, are about no one new.
    if (eventName === undefined) return new Map()
    const email = ownOf(attendee, "email")
    const who = typeof email === "string" ? emailHashOf(normalizeEmail(email) ?? email) : ""
    const uid = textOf(ownOf(payload, "uid"))
    return foundOf([
      ["email", email],
      ["firstName", ownOf(attendee, "firstName")],
      ["lastName", ownOf(attendee, "lastName")],
      ["fullName", ownOf(attendee, "name")],
      ["phone", ownOf(attendee, "phoneNumber")],
      ["at", ownOf(record, "createdAt")],
      ["eventName", eventName],
      ["custom.booking", ownOf(payload, "type")],
      ["id", uid === undefined ? undefined : `${String(trigger)} ${uid} ${who}`],
    ])
  },
}

const calendly: PresetReader = {
  records: one,
  fields: (record) => {
    const event = ownOf(record, "event")
    const invitee = ownOf(record, "payload")
    const eventName = calendlyEvent(event, invitee)
    if (eventName === undefined) return new Map()
    const uri = textOf(ownOf(invitee, "uri"))
    return foundOf([
      ["email", ownOf(invitee, "email")],
      ["firstName", ownOf(invitee, "first_name")],
      ["lastName", ownOf(invitee, "last_name")],
      ["fullName", ownOf(invitee, "name")],
      ["phone", ownOf(invitee, "text_reminder_number")],
      ...listOf(ownOf(invitee, "questions_and_answers")).flatMap((answer) =>
        named(ownOf(answer, "question"), ownOf(answer, "answer")),
      ),
      ["at", ownOf(record, "created_at")],
      ["eventName", eventName],
      ["custom.booking", ownOf(invitee, "scheduled_event", "name")],
      ["id", uri === undefined ? undefined : `${String(event)} ${uri}`],
    ])
  },
}

/** A change of the time is a cancellation and a new booking. The new one counts. */
const calendlyEvent = (event: unknown, invitee: unknown): string | undefined => {
  if (event === "invitee.created") {
    return textOf(ownOf(invitee, "old_invitee")) === undefined
      ? "booking_created"
      : "booking_rescheduled"
  }
  return event === "invitee.canceled" && ownOf(invitee, "rescheduled") !== true
    ? "booking_cancelled"
    : undefined
}

const readers: Readonly<Record<Preset, PresetReader>> = {
  rb2b: { records: one, fields: (record) => mappedFields(record, rb2bMapping) },
  typeform,
  tally,
  calcom,
  calendly,
  generic: { records: one, fields: () => new Map() },
}

/** The records of one body by the preset. */
export const presetRecords = (preset: Preset, body: unknown): ReadonlyArray<unknown> =>
  readers[preset].records(body)

/** The fields of a record: the preset's, replaced by those of the mapping. */
export const fieldsOf = (
  record: unknown,
  { mapping, preset }: { readonly preset: Preset; readonly mapping: Mapping | null },
): Found =>
  new Map([
    ...readers[preset].fields(record),
    ...(mapping === null ? [] : mappedFields(record, mapping)),
  ])

/** The JSON object of a form-encoded body: a name that is repeated is an array. */
export const formObject = (text: string): JsonObject => {
  const values = new Map<string, Array<string>>()
  for (const [name, value] of new URLSearchParams(text)) {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]),
  )
}
