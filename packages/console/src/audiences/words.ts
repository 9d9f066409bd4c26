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
import { count } from "../ui/time.tsx"

type Tone = "good" | "warn" | "bad" | "neutral"

export const audienceTones: Readonly<Record<AudienceStatus, Tone>> = {
  draft: "neutral",
  active: "good",
  paused: "warn",
}

export const audienceWords = (audience: Audience): string => {
  const { accessType, dailyRefreshEnabled, lastRefreshedAt, status } = audience
  if (status === "draft") return "Draft: it finds no one until you activate it."
  if (status === "paused") return "Paused: it does not run until you activate it."
  if (accessType === "one_shot") return "Active for one run, then paused."
  const words = dailyRefreshEnabled
    ? "Active: it runs for every new day of data, and when you start it."
    : "Active: it runs when you start it."
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
      ? "Queued: it will start in a moment."
      : `Queued again after a failure: ${errorMessage ?? "see the error"}`
  }
  if (status === "running") return "Running: results appear when it is done."
  if (status === "failed") return `Failed: ${errorMessage ?? "unknown reason"}`
  if (status === "cancelled") return "Cancelled before it started."
  const people = `${count(resultCount)} ${resultCount === 1 ? "person" : "people"}`
  return resultCount === candidateCount
    ? `Completed: found ${people}.`
    : `Completed: found ${people} of ${count(candidateCount)} with these scores. The others did not match the filters or are suppressed.`
}

/** Whether the status can still change on its own. */
export const isInProgress = (status: RunStatus | DeliveryStatus): boolean =>
  status === "queued" || status === "running" || status === "processing"

export const destinationTones: Readonly<Record<DestinationStatus, Tone>> = {
  draft: "neutral",
  active: "good",
  paused: "warn",
  needs_attention: "bad",
}

/** The state of a destination, as a badge has it. */
export const destinationState = ({
  retrying,
  status,
}: Destination): readonly [tone: Tone, text: string] =>
  retrying === null
    ? [destinationTones[status], status.replaceAll("_", " ")]
    : ["warn", `retrying, ${count(retrying.count)} failed`]

export const destinationWords = ({ retrying, stats, status }: Destination): string => {
  if (status === "draft") {
    return "Draft: nothing is sent to it until you approve it. Test it below first."
  }
  if (retrying !== null) {
    const why = retrying.errorMessage ?? deliveryErrorWords(retrying.errorCode ?? "")
    return `The last attempt failed, and the server tries again: ${why}`
  }
  if (status === "active") return "Active: it receives what changed after every completed run."
  if (status === "paused") return "Paused: waiting deliveries are kept until you resume it."
  if (stats.lastErrorCode === "REMOVALS_NEED_APPROVAL") {
    return "Deliveries stopped. A delivery would remove more than half of the contacts: open it below to approve or cancel it."
  }
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
    if (errorCode === "REMOVALS_NEED_APPROVAL") return "Waiting for your approval."
    return attempts === 0
      ? "Queued: it will start in a moment."
      : `Waiting for another attempt.${why}`
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
  ["ENDPOINT_TIMEOUT", "The receiver did not respond in time."],
  ["ENDPOINT_ERROR", "The receiver had a server error."],
  ["ENDPOINT_RATE_LIMITED", "The receiver limits how fast it accepts requests."],
  ["ENDPOINT_REJECTED", "The receiver rejected the request."],
  ["ENDPOINT_AUTH", "The receiver rejected the credentials."],
  ["ENDPOINT_NOT_FOUND", "The receiver has nothing at this URL."],
  ["ENDPOINT_GONE", "The receiver says that this URL is permanently gone."],
  ["URL_BLOCKED", "This URL is not allowed, because it leads to a private network."],
  ["TLS_ERROR", "The receiver's certificate is not valid."],
  ["ACCOUNT_DISCONNECTED", "The connected account no longer works."],
  ["LIST_NOT_FOUND", "The mailing list no longer exists."],
  ["PROVIDER_ERROR", "The mailing list provider responded with an error."],
  ["CONTACT_INVALID", "The receiver rejected this contact."],
  ["CONSECUTIVE_ERRORS", "Too many contacts failed in a row."],
  ["ALL_CONTACTS_FAILED", "Every contact failed."],
  ["REMOVALS_NEED_APPROVAL", "A delivery would remove more than half of the contacts."],
  ["INTERNAL_ERROR", "The server failed. If it happens again, contact its operator."],
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
  hasBusinessEmail: "Business email",
  hasPersonalEmail: "Personal email",
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
  ["gender U", "unknown"],
  ["isB2b y", "yes"],
  ["isB2b n", "no"],
])

export const filterValueWords = (filter: AudienceFilter, value: string | boolean): string => {
  if (typeof value === "boolean") return value ? "known" : "unknown"
  return values.get(`${filter} ${value}`) ?? value.replaceAll("_", " ")
}
