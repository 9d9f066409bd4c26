// How people and companies are scored. spec 2.23 and 5.18
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { RuleNode } from "../extensions/rules.ts"

/** `footfall.score`. Accepts an API key or an access token. A viewer's token can only read. */
export class Scores {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns what people and companies are scored by. `custom` is false while the default is in force. */
  get(options: RequestOptions = {}): ApiCall<ScoreSettings> {
    return this.#transport.get("/v1/data/score", { credentials: "either", options })
  }

  /**
   * Replaces what people and companies are scored by. What you leave out is that of the default, so `{}` restores the
   * default. Everyone is scored again, those seen last first. This takes seconds, or minutes if there are hundreds of
   * thousands of people. Errors: BadRequestError (`INVALID_RULE`: see `invalidRule`).
   */
  put(params: ScoreParams = {}, options: RequestOptions = {}): ApiCall<ScoreSettings> {
    return this.#transport.put("/v1/data/score", { body: params, credentials: "either", options })
  }
}

/** What people and companies are scored by. */
export interface ScoreSettings {
  /** Who is right for you. */
  readonly fit: ReadonlyArray<ScoreFitEntry>
  /** Who is interested now. Points fade after the last visit. */
  readonly interest: ReadonlyArray<ScoreInterestEntry>
  /** How much each part counts in the total. */
  readonly weights: ScoreWeights
  /** Whoever has at least this total is hot. */
  readonly threshold: number
  /** False while the default is in force. */
  readonly custom: boolean
  /** Entries that took too long for someone lately. They counted nothing there. */
  readonly tooSlow: ReadonlyArray<SlowScoreEntry>
}

/** New settings of the score. */
export interface ScoreParams {
  /** Who is right for you. Default: that of the default score. */
  readonly fit?: ReadonlyArray<ScoreFitEntryParams> | undefined
  /** Who is interested now. Default: that of the default score. */
  readonly interest?: ReadonlyArray<ScoreInterestEntryParams> | undefined
  /** How much each part counts in the total. Default: half each. */
  readonly weights?: ScoreWeights | undefined
  /** Whoever has at least this total is hot, 1 to 100. */
  readonly threshold?: number | undefined
}

/** Points for who someone is. */
export interface ScoreFitEntry {
  /** Why it counts. */
  readonly name: string
  /** Who gets the points, over the whole history. */
  readonly rule: RuleNode
  /** -100 to 100. */
  readonly points: number
}

/** Points for what someone did. */
export interface ScoreInterestEntry {
  /** Why it counts. */
  readonly name: string
  /** Who gets the points, over the last 90 days. */
  readonly rule: RuleNode
  /** -100 to 100, on the day of the last visit. */
  readonly points: number
  /** The points halve in this many days. */
  readonly halfLifeDays: number
}

/** How much each part counts in the total. */
export interface ScoreWeights {
  /** How much of the fit counts in the total, 0 to 1. */
  readonly fit: number
  /** How much of the interest counts in the total, 0 to 1. */
  readonly interest: number
}

/** An entry whose rule took too long. */
export interface SlowScoreEntry {
  /** The part that it belongs to. */
  readonly part: "fit" | "interest"
  /** Name of the entry. */
  readonly name: string
  /** When it last took too long. */
  readonly at: string
}

/** Points for who someone is. */
export interface ScoreFitEntryParams {
  /** Why it counts, 1 to 100 characters. */
  readonly name: string
  /** Who gets the points: a node of a rule. It may not test scores. */
  readonly rule: RuleNode
  /** -100 to 100. */
  readonly points: number
}

/** Points for what someone did. */
export interface ScoreInterestEntryParams {
  /** Why it counts, 1 to 100 characters. */
  readonly name: string
  /** Who gets the points: a node of a rule. It may not test scores. */
  readonly rule: RuleNode
  /** -100 to 100. */
  readonly points: number
  /** The points halve in this many days after the last visit, 1 to 365. */
  readonly halfLifeDays: number
}
