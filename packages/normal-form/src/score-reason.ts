// Reasons of a score in English (spec 2.23.10), for the command line, the console and notices.

/** What the codes and their details are: `reason` of an entry, and `top` of a score. */
export interface SayableReason {
  readonly code: string
  readonly params: {
    readonly path?: string | undefined
    readonly name?: string | undefined
    readonly count?: number | undefined
    readonly values?: ReadonlyArray<string> | undefined
    readonly min?: number | undefined
    readonly max?: number | undefined
    readonly topicId?: number | undefined
    readonly score?: number | undefined
  }
}

/** For example `viewed /pricing 3 times or more`. A code that is newer than this program is said by its name. */
export const scoreReasonText = ({ code, params }: SayableReason): string => {
  const { count = 1, max, min, name, path, score, topicId, values = [] } = params
  const times = count === 1 ? "" : ` ${count} times or more`
  switch (code) {
    case "visited_path":
      return `viewed ${path}${times}`
    case "visited_pricing":
      return `viewed pricing${times}`
    case "visited_demo":
      return `viewed a demo page${times}`
    case "visits":
      return count === 1 ? "visited" : `visited ${count} times or more`
    case "pageviews":
      return count === 1 ? "viewed a page" : `viewed ${count} pages or more`
    case "active_days":
      return count === 1 ? "active" : `active on ${count} days or more`
    case "submitted_form":
      return `submitted a form${times}`
    case "event":
      return `${name}${times}`
    case "last_seen":
      return "seen lately"
    case "researches":
      return `researches ${topicId === undefined ? "a topic" : `topic ${topicId}`}${
        score === undefined || score <= 1 ? "" : `, intent score ${score} or more`
      }`
    case "seniority":
      return `seniority: ${either(values)}`
    case "department":
      return `department: ${either(values)}`
    case "industry":
      return `industry: ${either(values)}`
    case "country":
      return `country: ${either(values)}`
    case "company_size":
      return `company with ${sizeText(min, max)}`
    case "company_known":
      return "company is known"
    case "business_email":
      return "business email address"
    case "rule":
      return name ?? code
    default:
      return code.replaceAll("_", " ")
  }
}

const either = (values: ReadonlyArray<string>): string => {
  const words = values.map((value) => value.replaceAll("_", " "))
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`
}

const sizeText = (min: number | undefined, max: number | undefined): string => {
  const from = min?.toLocaleString("en")
  const to = max?.toLocaleString("en")
  if (from === undefined) return `${to} employees or fewer`
  if (to === undefined) return `${from} employees or more`
  return from === to ? `${from} employees` : `${from} to ${to} employees`
}
