// A resolver behind HTTP: questions are sent as one JSON body, answers return in the same order. Batch, response and
// time are limited. After five consecutive failures, no one waits for it for 30 seconds. The operator sets its URL, so
// it may be private; the guard of outbound/ is for customers' URLs.
import { Redacted } from "effect"
import { OperatorPool } from "../../../platform/outbound/operator-pool.ts"
import type { IdentityResolver, ResolverAnswer, ResolverQuestion } from "./identity-resolver.ts"

/** `RESOLVER_URL` and `RESOLVER_TOKEN`. */
export interface ResolverConfig {
  readonly url: string
  /** Sent as `Authorization: Bearer`. */
  readonly token: Redacted.Redacted | undefined
}

export interface HttpResolverOptions {
  /** Answers POST `{questions: [...]}` with `{answers: [...]}`, one answer or null per question. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * *Range and default*: 1 to 2,000; 2,000.
   */
  readonly timeoutMs?: number | undefined
  /** Questions per request. *Range and default*: 1 to 1,000; 100. */
  readonly batchMax?: number | undefined
}

const timeoutMsMax = 2_000
const batchMaxMax = 1_000
const batchMaxDefault = 100
const answerBytesMax = 4 * 1024 * 1024
const failuresMax = 5
const brokenMs = 30_000

/**
 * *Errors*: TypeError for an option out of range.
 */
export const httpResolver = (options: HttpResolverOptions): IdentityResolver => {
  const url = new URL(options.url)
  const timeoutMs = within("timeoutMs", options.timeoutMs ?? timeoutMsMax, timeoutMsMax)
  const batchMax = within("batchMax", options.batchMax ?? batchMaxDefault, batchMaxMax)
  const pool = new OperatorPool(url.origin)
  let failures = 0
  let brokenUntil = 0

  const send = async (questions: ReadonlyArray<ResolverQuestion>, signal: AbortSignal) => {
    const { status, text } = await pool.post({
      path: url.pathname + url.search,
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...options.headers,
      },
      body: JSON.stringify({ questions }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      bytesMax: answerBytesMax,
    })
    if (status !== 200) throw new Error(`expected status 200, received ${status}`)
    return answersOf(JSON.parse(text), questions.length)
  }

  const resolve: IdentityResolver["resolve"] = async (questions, { signal }) => {
    if (performance.now() < brokenUntil) return []
    const batches = Array.from({ length: Math.ceil(questions.length / batchMax) }, (_, index) =>
      questions.slice(index * batchMax, (index + 1) * batchMax),
    )
    try {
      const answers = await Promise.all(batches.map((batch) => send(batch, signal)))
      failures = 0
      return answers.flat()
    } catch (error) {
      failures += 1
      // The single request after the pause decides whether to pause again.
      if (failures >= failuresMax) brokenUntil = performance.now() + brokenMs
      throw error
    }
  }

  return { name: url.origin, resolve, close: () => pool.close() }
}

/** The token of RESOLVER_TOKEN, as the resolver receives it. */
export const resolverHeaders = (resolver: ResolverConfig): Readonly<Record<string, string>> =>
  resolver.token === undefined ? {} : { authorization: `Bearer ${Redacted.value(resolver.token)}` }

const answersOf = (answer: unknown, count: number): ReadonlyArray<ResolverAnswer | null> => {
  const answers =
    typeof answer === "object" && answer !== null && "answers" in answer
      ? answer.answers
      : undefined
  if (Array.isArray(answers) && answers.length === count) return answers
  throw new Error(`expected {answers: [...]} with ${count} of them`)
}

const within = (name: string, value: number, maximum: number): number => {
  if (Number.isInteger(value) && value >= 1 && value <= maximum) return value
  throw new TypeError(`${name}: expected a whole number from 1 to ${maximum}, received ${value}`)
}
