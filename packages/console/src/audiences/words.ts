// Texts for audiences, runs, destinations and deliveries.
import type {
  Audience,
  AudienceFilter,
  AudienceStatus,
  Delivery,
  DeliveryErrorCode,
  DeliveryStatus,
  Destination,
  DestinationStatus,
  Run,
  RunStatus,
} from "@footfall/sdk"

type Tone = "good" | "warn" | "bad" | "neutral"

export const audienceTones: Readonly<Record<AudienceStatus, Tone>> = {
  draft: "neutral",
  active: "good",
  paused: "warn",
}

export const audienceWords = (audience: Audience): string => {
  const { accessType, dailyRefreshEnabled, lastRefreshedAt, status } = audience
  if (status === "draft") return "Draft: finds no one until you activate it."
  if (status === "paused") return "Paused: does not run. Activate it to resume."
  if (accessType === "one_shot") return "Active for one run. It is paused after that run."
  const words = dailyRefreshEnabled
    ? "Active: runs for every new day of data, and when you start it."
    : "Active: runs when you start it."
  return lastRefreshedAt === null ? `${words} Run it now to find the first people.` : words
}

export const runTones: Readonly<Record<RunStatus, Tone>> = {
  queued: "neutral",
  running: "neutral",
  completed: "good",
  failed: "bad",
  cancelled: "warn",
}

export const runWords = (run: Run): string => {
  const { attempts, candidateCount, errorMessage, resultCount, status } = run
  if (status === "queued") {
    return attempts === 0
      ? "Queued: it starts in a moment."
      : `Queued again after a failure: ${errorMessage ?? "see the error"}`
  }
  if (status === "running") return "Running: there are no results until it is done."
  if (status === "failed") return `Failed: ${errorMessage ?? "no reason is known"}`
  if (status === "cancelled") return "Cancelled before it started."
  const people = `${whole.format(resultCount)} ${resultCount === 1 ? "person" : "people"}`
  return resultCount === candidateCount
    ? `Completed: found ${people}.`
    : `Completed: found ${people} of ${whole.format(candidateCount)} with these scores. The others did not pass the filters, or are suppressed.`
}

const whole = new Intl.NumberFormat("en")

/** Whether the status can still change on its own. */
export const isUnderWay = (status: RunStatus | DeliveryStatus): boolean =>
  status === "queued" || status === "running" || status === "processing"

export const destinationTones: Readonly<Record<DestinationStatus, Tone>> = {
  draft: "neutral",
  active: "good",
  paused: "warn",
  needs_attention: "bad",
}

export const destinationWords = ({ stats, status }: Destination): string => {
  if (status === "draft") {
    return "Draft: nothing is sent to it until you approve it. Test it first: see below."
  }
  if (status === "active") return "Active: gets what changed after every completed run."
  if (status === "paused") return "Paused: waiting deliveries are kept until you resume it."
  const why = stats.lastErrorCode === null ? "" : ` ${deliveryErrorWords(stats.lastErrorCode)}`
  return `Deliveries stopped.${why} Fix this, then activate the destination.`
}

/** The host of a webhook, or the name of a list. */
export const targetOf = (destination: Destination): string => {
  if (destination.destinationType === "automation") {
    const { listId, listName } = destination.automation.config
    return listName ?? listId
  }
  const { url } = destination.webhook
  return URL.canParse(url) ? new URL(url).host : url
}

export const deliveryTones: Readonly<Record<DeliveryStatus, Tone>> = {
  queued: "neutral",
  processing: "neutral",
  completed: "good",
  failed: "bad",
  cancelled: "warn",
}

export const deliveryWords = (delivery: Delivery): string => {
  const { attempts, errorCode, failedCount, status } = delivery
  const why = errorCode === null ? "" : ` ${deliveryErrorWords(errorCode)}`
  if (status === "queued") {
    return attempts === 0 ? "Queued: it starts in a moment." : `Waits for another attempt.${why}`
  }
  if (status === "processing") return "Sending."
  if (status === "failed") return `Failed.${why}`
  if (status === "cancelled") return "Cancelled before it was sent."
  return failedCount === 0
    ? "Completed: every contact was sent or skipped."
    : "Completed, but not for every contact."
}

/** Describes an error code as a sentence. Unknown codes from a newer server are shown as they are. */
export const deliveryErrorWords = (code: DeliveryErrorCode | string): string =>
  errors.get(code) ?? `${code}.`

const errors: ReadonlyMap<string, string> = new Map<DeliveryErrorCode, string>([
  ["ENDPOINT_UNREACHABLE", "The receiver can't be reached."],
  ["ENDPOINT_TIMEOUT", "The receiver did not answer in time."],
  ["ENDPOINT_ERROR", "The receiver answered with an error of its own."],
  ["ENDPOINT_RATE_LIMITED", "The receiver takes no more at this pace."],
  ["ENDPOINT_REJECTED", "The receiver rejected the request."],
  ["ENDPOINT_AUTH", "The receiver asks for other credentials."],
  ["ENDPOINT_NOT_FOUND", "The receiver does not know this address."],
  ["ENDPOINT_GONE", "The receiver says that this address is gone for good."],
  ["URL_BLOCKED", "The address is not allowed: it leads to a private network."],
  ["TLS_ERROR", "The receiver's certificate is not valid."],
  ["ACCOUNT_DISCONNECTED", "The connected account no longer works."],
  ["LIST_NOT_FOUND", "The mailing list no longer exists."],
  ["PROVIDER_ERROR", "The mailing list provider answered with an error."],
  ["CONTACT_INVALID", "The receiver does not accept this contact."],
  ["CONSECUTIVE_ERRORS", "Too many contacts failed one after the other."],
  ["ALL_CONTACTS_FAILED", "Every contact failed."],
  ["INTERNAL_ERROR", "The server failed. If it happens again, tell its operator."],
])

/** Names and values of audience filters, as people read them. */
export const filterNames: Readonly<Record<AudienceFilter, string>> = {
  seniority: "Seniority",
  department: "Department",
  jobTitle: "Job title contains",
  companyIndustry: "Industry",
  companySize: "Employees",
  companyRevenueRange: "Revenue in US dollars",
  companyName: "Company name contains",
  companyDomain: "Company domain",
  state: "State or region",
  ageRange: "Age",
  gender: "Gender",
  isB2b: "Works in B2B",
  hasBusinessEmail: "Business address",
  hasPersonalEmail: "Personal address",
  hasPhone: "Phone number",
  hasLinkedin: "LinkedIn profile",
}

export const filtersOrder = Object.keys(filterNames) as ReadonlyArray<AudienceFilter>

/** Values whose words are not the value itself. */
const values = new Map([
  ["seniority vp", "VP"],
  ["seniority c_suite", "C-suite"],
  ["gender M", "male"],
  ["gender F", "female"],
  ["gender U", "not known"],
  ["isB2b y", "yes"],
  ["isB2b n", "no"],
])

export const filterValueWords = (filter: AudienceFilter, value: string | boolean): string => {
  if (typeof value === "boolean") return value ? "known" : "not known"
  return values.get(`${filter} ${value}`) ?? value.replaceAll("_", " ")
}
