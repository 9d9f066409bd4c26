// The roll-up of one topic on one date, of shared signals (spec 2.18, Trend point).
import type { Block } from "./topic-merge.ts"

export interface TopicDay {
  readonly topicId: number
  readonly audience: number
  readonly scoreSum: number
  readonly high: number
  readonly medium: number
  readonly low: number
}

/** Bounds of the audiences. Source: spec 2.18. */
const highFrom = 90
const mediumFrom = 70

export const topicDay = (topicId: number, blocks: ReadonlyArray<Block>): TopicDay => {
  const people = (from: number, below: number) =>
    blocks
      .filter(({ score }) => score >= from && score < below)
      .reduce((sum, block) => sum + block.people.length, 0)
  return {
    topicId,
    audience: people(0, Infinity),
    scoreSum: blocks.reduce((sum, { people, score }) => sum + score * people.length, 0),
    high: people(highFrom, Infinity),
    medium: people(mediumFrom, highFrom),
    low: people(0, mediumFrom),
  }
}
