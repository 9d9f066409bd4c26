// Calls the resolvers for a batch's browsers before its transaction begins. Each resolver gets two seconds and the
// browsers that the resolvers before it did not know. Answers are cached, so a browser is looked up once and not
// with every batch (spec 6.7).
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { introducedHash, type WaitingEvent } from "../batch-work.ts"
import { type ReadAnswer, readAnswer } from "./answer.ts"
import {
  type IdentityResolver,
  IdentityResolvers,
  type ResolverAnswer,
  type ResolverQuestion,
} from "./identity-resolver.ts"

/** Per resolver and batch. */ // spec 6.7
export const resolverTimeout = Duration.seconds(2)

/** Browsers whose answers are cached; the oldest are dropped. */
const rememberedMax = 50_000

/** A browser is looked up again after this time. Units: milliseconds. */
const rememberedMs = 3_600_000

/** By `browserKey`. */
export type Answers = ReadonlyMap<string, ReadAnswer>

export const browserKey = (event: {
  readonly organizationId: string
  readonly anonymousId: string | null
}): string => `${event.organizationId} ${event.anonymousId}`

const make = Effect.gen(function* () {
  const resolvers = yield* IdentityResolvers
  const memory = new Memory()
  yield* Effect.addFinalizer(() =>
    Effect.forEach(resolvers, (resolver) =>
      Effect.ignore(Effect.tryPromise(async () => resolver.close?.())),
    ),
  )

  /** What is known about the browsers of these events. Never fails; takes at most 2 s per resolver. */
  const answers = Effect.fnUntraced(function* (events: ReadonlyArray<WaitingEvent>) {
    const now = yield* Clock.currentTimeMillis
    const questions = questionsOf(events)
    let unanswered = [...questions.values()].filter(({ place }) => !memory.has(place, now))
    let isComplete = true
    for (const resolver of resolvers) {
      if (unanswered.length === 0) break
      const found = yield* ask(
        resolver,
        unanswered.map(({ question }) => question),
      )
      isComplete &&= found !== undefined
      unanswered = unanswered.filter(({ place }, index) => {
        const answer = readAnswer(found?.[index])
        if (answer !== undefined) memory.keep(place, answer, now)
        return answer === undefined
      })
    }
    // A resolver that failed may know them next time.
    if (isComplete) for (const { place } of unanswered) memory.keep(place, undefined, now)
    return new Map(
      [...questions].flatMap(([key, { place }]) => {
        const answer = memory.answer(place)
        return answer === undefined ? [] : [[key, answer] as const]
      }),
    )
  })

  return {
    /** Whether there are resolvers. */
    isEnabled: resolvers.length > 0,
    answers,
  }
})

export class Resolution extends Context.Service<Resolution, Effect.Success<typeof make>>()(
  "@footfall/server/identification/Resolution",
) {
  static readonly layer = Layer.effect(Resolution, make)
}

class Memory {
  readonly #kept = new Map<
    string,
    { readonly answer: ReadAnswer | undefined; readonly until: number }
  >()

  has(place: string, now: number): boolean {
    return (this.#kept.get(place)?.until ?? 0) > now
  }

  answer(place: string): ReadAnswer | undefined {
    return this.#kept.get(place)?.answer
  }

  keep(place: string, answer: ReadAnswer | undefined, now: number): void {
    this.#kept.delete(place)
    this.#kept.set(place, { answer, until: now + rememberedMs })
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= rememberedMax) return
      this.#kept.delete(oldest)
    }
  }
}

/** Undefined if the resolver fails; the others are still called. */
const ask = (
  resolver: IdentityResolver,
  questions: ReadonlyArray<ResolverQuestion>,
): Effect.Effect<ReadonlyArray<ResolverAnswer | null> | undefined> =>
  Effect.tryPromise((signal) => resolver.resolve(questions, { signal })).pipe(
    Effect.timeout(resolverTimeout),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning("resolver returned no answers", resolver.name, cause), undefined),
    ),
  )

/** One per browser, from its last event with an address. */
const questionsOf = (events: ReadonlyArray<WaitingEvent>) => {
  const questions = new Map<
    string,
    { readonly place: string; readonly question: ResolverQuestion }
  >()
  for (const event of events) {
    const { anonymousId, isDuplicate, payload } = event
    if (anonymousId === null || isDuplicate || payload.x === 1) continue
    const key = browserKey(event)
    const known = questions.get(key)?.question
    const question = {
      ip: payload.i ?? known?.ip ?? null,
      ua: payload.ua ?? known?.ua ?? null,
      anonymousId,
      emailHash: introducedHash(event) ?? known?.emailHash ?? null,
    }
    questions.set(key, { place: `${key} ${question.ip} ${question.emailHash}`, question })
  }
  return questions
}
