// Computes the scores of people and companies (spec 2.23): of those who changed within seconds, and of everyone else in
// rounds, because interest fades. Organizations take turns of about a twentieth of a second. A turn that takes longer is
// made smaller, down to one person; an entry that is too slow even for one counts nothing for them, and is reported.
import { Clock, Context, DateTime, Effect, Layer } from "effect"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import type { StatementTimedOut } from "../../platform/database/statement-timeout.ts"
import { TurnSizes } from "../../platform/database/turn-size.ts"
import { every } from "../../platform/jobs/every.ts"
import { Rotation } from "../../platform/jobs/rotation.ts"
import { ScoreComputingStore } from "./computing-store.ts"
import { defaultScore } from "./default-score.ts"
import { topOf } from "./reason.ts"
import { companyScoreOf, countedEntries, heldOf, type ScoreConfig, scoreOf } from "./score.ts"
import { testsCompanies } from "./score-rules.ts"
import type { EntryRule, Evaluated, EvaluatedCompany, EvaluatedPerson } from "./sql/evaluation.ts"
import type { ComputingState, RoundPlace, TooSlow } from "./sql/rounds.ts"
import type { CompanyToWrite, PersonToWrite } from "./sql/scores.ts"

/** The duration that turns aim at. Units: milliseconds, like all durations here. */
const turnAim = 60
/** A statement that takes longer is given up, and its turn becomes smaller. */
const statementMax = 1_000
/** An entry that takes longer for one person, or one company, counts nothing for them. */
const entryMax = 250
/** A pass starts no further turn after this, so that the next one finds newer changes. */
const passMax = 5_000
/** Rounds take this long of a pass, so that they use a third of one connection's time. */
const roundsMax = 500

const dayMs = 86_400_000

const make = Effect.gen(function* () {
  const store = yield* ScoreComputingStore
  const bounds = { least: 1, first: 20, most: 2_000, aimedAtMs: turnAim }
  const sizes = { people: new TurnSizes(bounds), companies: new TurnSizes(bounds) }
  const rotation = new Rotation("could not compute scores")

  /** Which entries hold for all of them, or, for one for whom that takes too long, entry by entry. */
  const evaluated = Effect.fnUntraced(function* <One extends Evaluated>(
    config: ScoreConfig,
    ids: ReadonlyArray<string>,
    evaluate: (only?: EntryRule) => Effect.Effect<ReadonlyArray<One>, DatabaseError>,
  ): Effect.fn.Return<Found<One>, DatabaseError | StatementTimedOut> {
    const together: Effect.Effect<Found<One>, DatabaseError | StatementTimedOut> = Effect.map(
      store.within(evaluate(), statementMax),
      (each) => ({ each, tooSlow: [] }),
    )
    if (ids.length > 1) return yield* together
    return yield* Effect.catchTag(together, "StatementTimedOut", () =>
      entryByEntry(config, evaluate),
    )
  })

  const entryByEntry = Effect.fnUntraced(function* <One extends Evaluated>(
    config: ScoreConfig,
    evaluate: (only?: EntryRule) => Effect.Effect<ReadonlyArray<One>, DatabaseError>,
  ): Effect.fn.Return<Found<One>, DatabaseError> {
    const tooSlow: Array<EntryRule> = []
    const held = { fit: config.fit.map(() => false), interest: config.interest.map(() => false) }
    // No entry at all: everything but the entries.
    const [one] = yield* evaluate({ part: "fit", index: -1 })
    if (one === undefined) return { each: [], tooSlow }
    for (const part of ["fit", "interest"] as const) {
      for (const index of config[part].keys()) {
        const entry = { part, index }
        const [found] = yield* store.within(evaluate(entry), entryMax).pipe(
          Effect.catchTag("StatementTimedOut", () => {
            tooSlow.push(entry)
            return Effect.succeed([])
          }),
        )
        held[part][index] = found?.[part]?.[index] === true
      }
    }
    return { each: [one.fit === null ? one : { ...one, ...held }], tooSlow }
  })

  const computePeople = Effect.fnUntraced(function* (
    organizationId: string,
    { config, revision, tooSlow }: Settings,
    ids: ReadonlyArray<string>,
    asOf: DateTime.Utc,
  ) {
    if (ids.length === 0) return
    const found = yield* evaluated<EvaluatedPerson>(config, ids, (only) =>
      store.evaluatePeople(organizationId, config, ids, asOf, only),
    )
    const rows = found.each.map((person) => personToWrite(config, person, asOf))
    yield* store.writePeople(organizationId, rows, revision, asOf)
    yield* report(organizationId, config, tooSlow, found.tooSlow, asOf)
  })

  const computeCompanies = Effect.fnUntraced(function* (
    organizationId: string,
    { config, revision, tooSlow }: Settings,
    ids: ReadonlyArray<string>,
    asOf: DateTime.Utc,
  ) {
    if (ids.length === 0) return
    const question = {
      config,
      revision,
      askable: (part: EntryRule["part"], index: number) =>
        testsCompanies(config[part][index]!.rule),
    }
    const found = yield* evaluated<EvaluatedCompany>(config, ids, (only) =>
      store.evaluateCompanies(organizationId, question, ids, asOf, only),
    )
    const rows = found.each.map((company) => companyToWrite(config, company, asOf))
    yield* store.writeCompanies(organizationId, rows, revision, asOf)
    yield* report(organizationId, config, tooSlow, found.tooSlow, asOf)
  })

  const report = (
    organizationId: string,
    config: ScoreConfig,
    known: ReadonlyArray<TooSlow>,
    entries: ReadonlyArray<EntryRule>,
    asOf: DateTime.Utc,
  ) => {
    if (entries.length === 0) return Effect.void
    const at = DateTime.formatIso(asOf)
    const found = entries.map(({ index, part }) => ({ part, name: config[part][index]!.name, at }))
    const others = known.filter(
      (one) => !found.some(({ name, part }) => name === one.name && part === one.part),
    )
    return Effect.andThen(
      Effect.logWarning("entries of a score take too long", { organizationId, entries: found }),
      store.noteTooSlow(organizationId, [...found, ...others]),
    )
  }

  const compute = { people: computePeople, companies: computeCompanies }
  const takeNoted = { people: store.takeNotedPeople, companies: store.takeNotedCompanies }
  const lock = { people: store.lockPeople, companies: store.lockCompanies }

  /** Computes some that were noted. Returns how many there were, up to the size of the turn. */
  const noted = (part: Part) => (organizationId: string, size: number) =>
    Effect.gen(function* () {
      const asOf = yield* DateTime.now
      const { ids, picked } = yield* takeNoted[part](organizationId, size)
      yield* compute[part](
        organizationId,
        settingsOf(yield* store.state(organizationId)),
        ids,
        asOf,
      )
      return picked
    })

  /** Computes the next ones of the organization's round, which goes from people to companies. */
  const ofRound = (place: RoundPlace) => (organizationId: string, size: number) =>
    Effect.gen(function* () {
      const { part } = place
      const asOf = yield* DateTime.now
      const state = yield* store.state(organizationId)
      const picked = yield* store.nextInRound(organizationId, place, size, asOf)
      const ids = yield* lock[part](
        organizationId,
        picked.map(({ id }) => id),
      )
      yield* compute[part](organizationId, settingsOf(state), ids, asOf)
      const last = picked.at(-1)
      const isOver = last === undefined || picked.length < size
      yield* store.moveRound(
        organizationId,
        isOver
          ? part === "companies"
            ? undefined
            : { ...place, part: "companies", after: undefined }
          : { ...place, after: { seenAt: last.seenAt, key: last.key } },
      )
      return picked.length
    })

  /** Runs one turn if no other process has it. Returns whether there is more to do. */
  const turn = Effect.fnUntraced(function* (
    organizationId: string,
    part: Part,
    work: (
      organizationId: string,
      size: number,
    ) => Effect.Effect<number, DatabaseError | StatementTimedOut>,
  ) {
    const turnSize = sizes[part].of(organizationId)
    const size = turnSize.next
    const begun = yield* Clock.currentTimeMillis
    const rows = yield* store.takeTurn(organizationId).pipe(
      Effect.flatMap((isMine) => (isMine ? work(organizationId, size) : Effect.succeed(0))),
      store.transaction,
      Effect.catchTag("StatementTimedOut", () => Effect.succeed(undefined)),
      Effect.uninterruptible,
    )
    const ended = yield* Clock.currentTimeMillis
    const ms = ended - begun
    turnSize.took(rows ?? size, rows === undefined ? Math.max(ms, statementMax) : ms)
    rotation.took(organizationId, ended, ms)
    return rows === undefined || rows >= size
  })

  /** Where the rotation of rounds begins, so that none is always the last. */
  let roundsFrom = ""

  const rounds = Effect.fnUntraced(function* (organizationIds: ReadonlyArray<string>) {
    const begun = yield* Clock.currentTimeMillis
    const sorted = organizationIds.toSorted()
    const first = sorted.findIndex((id) => id > roundsFrom)
    const order = first === -1 ? sorted : [...sorted.slice(first), ...sorted.slice(0, first)]
    yield* rotation.run(
      order,
      begun + roundsMax,
      Effect.fnUntraced(function* (organizationId) {
        roundsFrom = organizationId
        yield* store.beginRound(organizationId)
        const { round } = yield* store.state(organizationId)
        if (round === null) return false
        yield* turn(organizationId, round.part, ofRound(round))
        return true
      }),
    )
  })

  return {
    /**
     * One pass: everyone who changed, companies after people, and then rounds. Guarantee: safe in several processes; after
     * a crash the next pass goes on where the last turn ended.
     */
    pass: Effect.gen(function* () {
      const waiting = yield* store.waiting
      const until = (yield* Clock.currentTimeMillis) + passMax
      yield* rotation.run(waiting.people, until, (id) => turn(id, "people", noted("people")))
      yield* rotation.run(waiting.companies, until, (id) =>
        turn(id, "companies", noted("companies")),
      )
      yield* rounds(waiting.rounds)
    }).pipe(Effect.withSpan("ScoreComputing.pass")),
  }
})

type Part = "people" | "companies"

interface Found<One> {
  readonly each: ReadonlyArray<One>
  readonly tooSlow: ReadonlyArray<EntryRule>
}

interface Settings {
  readonly config: ScoreConfig
  readonly revision: number
  readonly tooSlow: ReadonlyArray<TooSlow>
}

const settingsOf = ({ config, revision, tooSlow }: ComputingState): Settings => ({
  config: config ?? defaultScore,
  revision,
  tooSlow,
})

const daysSince = (seenMs: number, asOf: DateTime.Utc): number =>
  (asOf.epochMilliseconds - seenMs) / dayMs

const noScore = { rank: -1, fit: null, interest: null, isHot: false, fitHeld: 0, top: null }

const personToWrite = (
  config: ScoreConfig,
  { companyKey, emailHash, fit, hasScore, id, interest, seenAt, seenMs }: EvaluatedPerson,
  asOf: DateTime.Utc,
): PersonToWrite => {
  if (!hasScore || fit === null || interest === null) {
    return { ...noScore, id, emailHash, companyKey: null, interestHeld: 0, seenAt }
  }
  const held = { fit: heldOf(fit), interest: heldOf(interest) }
  const days = daysSince(seenMs, asOf)
  const score = scoreOf(config, held, days)
  const counted = countedEntries(config, held.fit, [{ held: held.interest, days, seenMs }])
  return {
    id,
    emailHash,
    companyKey,
    seenAt,
    rank: score.total,
    fit: score.fit,
    interest: score.interest,
    isHot: score.hot,
    fitHeld: held.fit,
    interestHeld: held.interest,
    top: topOf(counted),
  }
}

const companyToWrite = (
  config: ScoreConfig,
  company: EvaluatedCompany,
  asOf: DateTime.Utc,
): CompanyToWrite => {
  const { anonymousSeenAt, anonymousSeenMs, fit, id, interest, peopleInterests, seenAt } = company
  if (!company.hasScore || fit === null || interest === null) {
    return { ...noScore, id, seenAt, surplus: 0, anonymousHeld: 0, anonymousSeenAt }
  }
  const fitHeld = heldOf(fit) | company.peopleFit
  const anonymous =
    anonymousSeenMs === null
      ? { held: 0, days: 0, seenMs: 0 }
      : {
          held: heldOf(interest),
          days: daysSince(anonymousSeenMs, asOf),
          seenMs: anonymousSeenMs,
        }
  const ofAnonymous = scoreOf(config, { fit: 0, interest: anonymous.held }, anonymous.days)
  const score = companyScoreOf(config, fitHeld, [
    ...peopleInterests.map((one) => one.interest),
    ofAnonymous.interest,
  ])
  const interests = [...peopleInterests.filter(({ isCurrent }) => isCurrent), anonymous]
  return {
    id,
    seenAt,
    rank: score.total,
    fit: score.fit,
    interest: score.interest,
    isHot: score.hot,
    surplus: score.surplus,
    fitHeld,
    top: topOf(countedEntries(config, fitHeld, interests)),
    anonymousHeld: anonymous.held,
    anonymousSeenAt,
  }
}

export class ScoreComputing extends Context.Service<ScoreComputing, Effect.Success<typeof make>>()(
  "@footfall/server/score/ScoreComputing",
) {
  static readonly layer = Layer.effect(ScoreComputing, make)
}

/** Keeps scores up to date. */
export const ScoreWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const { pass } = yield* ScoreComputing
    yield* every("1 second", "could not compute scores", pass)
  }),
)
