// The tool `run_doctor` explains why no visitors are listed and what to do. Its checks use the codes of `footfall
// doctor`.
import type { Operation } from "./operation.ts"
import {
  type AgentTool,
  type ApiAnswer,
  type ApiRequest,
  found,
  isSuccess,
  refusal,
  type ToolResult,
} from "./tool.ts"

interface Check {
  readonly name: "organization" | "credits" | "pixel" | "visitors" | "topics" | "signals"
  readonly state: "ok" | "note" | "problem"
  readonly code: string
  readonly message: string
}

/** The parts of the answers that it reads. */
interface Account {
  readonly organization: { readonly name: string; readonly status: string }
  readonly credits: {
    readonly remaining: number | null
    readonly limit: number | null
    readonly heldBack: number
  }
  readonly intent: { readonly enabled: boolean; readonly dataDate: string | null }
}
interface Pixel {
  readonly id: string
  readonly domain: string
  readonly status: string
  readonly pausedReason: string | null
  readonly lastEventAt: string | null
}

/** How many pixels without any event to check on their site. Each check takes up to 10 seconds. */
const verificationsMax = 3

export const doctorTool = (operations: ReadonlyMap<string, Operation>): AgentTool => {
  const request = (operation: string, part: Partial<ApiRequest> = {}): ApiRequest => {
    const { method, path } = operations.get(operation)!
    return { method, path, ...part }
  }
  return {
    name: "run_doctor",
    title: "Find out why no visitors are listed",
    description:
      "Checks the organization, its credits, pixels, visitors, topics and signals, and reports what is wrong. Visits the sites of pixels that never received an event. Requires an API key.",
    isWrite: false,
    isOpenWorld: true,
    inputSchema: { type: "object", properties: {}, required: [], additionalProperties: false },
    outputSchema,
    *run() {
      const checks: Array<Check> = []
      const refusedBy = (answer: ApiAnswer) => refusal("run_doctor", answer, { needsKey: true })
      const account = yield request("account.status")
      if (!isSuccess(account)) return refusedBy(account)
      const { credits, intent, organization } = dataOf<Account>(account)
      checks.push(organizationCheck(organization), creditsCheck(credits))
      // No other operation answers for an inactive organization.
      if (checks[0]!.state === "problem") return diagnosis(checks)

      const listed = yield request("pixels.list")
      if (!isSuccess(listed)) return refusedBy(listed)
      const pixels = dataOf<ReadonlyArray<Pixel>>(listed)
      checks.push(...(yield* pixelChecks(pixels, request)))

      const visitors = yield request("visitors.list", { path: "/v1/data?timeframe=7d" })
      if (!isSuccess(visitors)) return refusedBy(visitors)
      const { total } = (visitors.body as { readonly meta: { readonly total: number } }).meta
      checks.push(
        total > 0
          ? ok("visitors", `${total} people identified in the last 7 days.`)
          : problem("visitors", "no_visitors", "No one was identified in the last 7 days."),
      )
      if (!intent.enabled) return diagnosis(checks)
      const topics = yield request("topics.facets")
      if (!isSuccess(topics)) return refusedBy(topics)
      checks.push(
        ...intentChecks(dataOf<{ readonly total: number }>(topics).total, intent.dataDate),
      )
      return diagnosis(checks)
    },
  }
}

const dataOf = <Data>({ body }: ApiAnswer): Data => (body as { readonly data: Data }).data

const ok = (name: Check["name"], message: string): Check => ({
  name,
  state: "ok",
  code: "ok",
  message,
})

const problem = (name: Check["name"], code: string, message: string): Check => ({
  name,
  state: "problem",
  code,
  message,
})

const organizationCheck = ({ name, status }: Account["organization"]): Check =>
  status === "active" || status === "trial"
    ? ok("organization", `${name} is ${status === "trial" ? "on trial" : "active"}.`)
    : problem(
        "organization",
        `organization_${status}`,
        `${name} is ${status}: its pixels record nothing, and its data cannot be read. The server operator can activate it.`,
      )

const creditsCheck = ({ heldBack, limit, remaining }: Account["credits"]): Check => {
  if (limit === null) return ok("credits", "There is no limit on credits.")
  if (remaining !== 0) return ok("credits", `${remaining} of ${limit} left this month.`)
  return problem(
    "credits",
    "credits_used_up",
    `All ${limit} credits for this month are used, so new people are not listed; ${heldBack} are on hold. The server operator can raise the limit.`,
  )
}

function* pixelChecks(
  pixels: ReadonlyArray<Pixel>,
  request: (operation: string, part: Partial<ApiRequest>) => ApiRequest,
): Generator<ApiRequest, ReadonlyArray<Check>, ApiAnswer> {
  if (pixels.length === 0) {
    return [
      problem("pixel", "no_pixel", "This organization has no pixels. Create one for the site."),
    ]
  }
  const checks: Array<Check> = []
  let verifications = 0
  for (const { domain, id, lastEventAt, pausedReason, status } of pixels) {
    if (status === "paused") {
      const code = `pixel_paused_${pausedReason ?? "manual"}`
      checks.push(problem("pixel", code, `${domain} is paused and records nothing.`))
    } else if (lastEventAt !== null) {
      checks.push(ok("pixel", `${domain} is active; the last event arrived ${lastEventAt}.`))
    } else {
      const silent = `No events from ${domain} have arrived yet.`
      if (verifications === verificationsMax) {
        checks.push(problem("pixel", "pixel_never_seen", silent))
        continue
      }
      verifications += 1
      const path = `/v1/data/pixels/${encodeURIComponent(id)}/verify`
      const answer = yield request("pixels.verify", { path, body: {} })
      const { reason } = isSuccess(answer)
        ? dataOf<{ readonly reason: string | null }>(answer)
        : { reason: null }
      checks.push(
        reason === null
          ? problem("pixel", "pixel_never_seen", silent)
          : problem(
              "pixel",
              `pixel_never_seen_${reason}`,
              `${silent} ${reasons.get(reason) ?? ""}`,
            ),
      )
    }
  }
  return checks
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["script_missing", "The script is not on the page: add it to the site."],
  ["domain_mismatch", "The script on the page belongs to another pixel."],
  ["no_events", "The script is on the page, but no visitor has loaded it."],
])

const intentChecks = (topics: number, dataDate: string | null): ReadonlyArray<Check> => [
  topics > 0
    ? ok("topics", `The catalog has ${topics} topics.`)
    : {
        name: "topics",
        state: "note",
        code: "no_topics",
        message:
          "The catalog has no topics. The server operator can run: footfall-server starter-topics",
      },
  dataDate === null
    ? {
        name: "signals",
        state: "note",
        code: "no_signals",
        message: "There are no signals yet, so audiences are empty.",
      }
    : ok("signals", `The latest signals are from ${dataDate}.`),
]

const diagnosis = (checks: ReadonlyArray<Check>): ToolResult =>
  found({ data: { healthy: checks.every(({ state }) => state !== "problem"), checks } })

const outputSchema = {
  type: "object",
  properties: {
    data: {
      type: "object",
      properties: {
        healthy: { type: "boolean" },
        checks: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: { type: "string" },
              state: { type: "string" },
              code: { type: "string" },
              message: { type: "string" },
            },
            required: ["name", "state", "code", "message"],
          },
        },
      },
      required: ["healthy", "checks"],
    },
  },
  required: ["data"],
} as const
