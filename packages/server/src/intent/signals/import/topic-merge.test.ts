import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { PeoplePart } from "./people-part.ts"
import { Slice, slicesOf } from "./slice.ts"
import {
  type Block,
  type MergedTopic,
  mergeTopic,
  personMax,
  topicDay,
  TopicMerge,
} from "./topic-merge.ts"

interface Entry {
  readonly person: number
  readonly score: number
  readonly isCounted: boolean
}

const entries = fc.array(
  fc.record({
    person: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(2_147_483_647)),
    score: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(100)),
    isCounted: fc.boolean(),
  }),
  { maxLength: 40 },
)

const merge = (known: ReadonlyArray<Block>, added: ReadonlyArray<Entry>) =>
  inBlocks(
    mergeTopic(known, {
      people: Int32Array.from(added, ({ person }) => person),
      scores: Uint8Array.from(added, ({ score }) => score),
      isCounted: Uint8Array.from(added, ({ isCounted }) => Number(isCounted)),
    }),
  )

const inBlocks = ({ people, written, ...counts }: MergedTopic) => ({
  people,
  blocks: [...people.blocks()],
  written: written.map((score): Block => ({ score, people: people.withScore(score) })),
  ...counts,
})

/** The score of each person. */
const scoresOf = (blocks: ReadonlyArray<Block>) =>
  new Map(blocks.flatMap(({ people, score }) => [...people].map((person) => [person, score])))

const plain = (blocks: ReadonlyArray<Block>) =>
  blocks.map(({ people, score }) => ({ score, people: [...people] }))

describe("signals of a topic and date", () => {
  it("match a map that keeps the last signal per person, counted exactly", () => {
    fc.assert(
      fc.property(entries, entries, (before, added) => {
        const known = merge([], before).blocks
        const old = scoresOf(known)
        const expected = new Map(old)
        const last = new Map<number, Entry>()
        for (const entry of added) {
          expected.set(entry.person, entry.score)
          last.set(entry.person, entry)
        }
        const counted = [...last.values()].filter(({ isCounted }) => isCounted)

        const merged = merge(known, added)

        expect(scoresOf(merged.blocks)).toEqual(expected)
        expect(merged.inserted).toBe(counted.filter(({ person }) => !old.has(person)).length)
        expect(merged.updated).toBe(
          counted.filter(({ person, score }) => old.has(person) && old.get(person) !== score)
            .length,
        )
        for (const { people } of merged.blocks) {
          expect([...people]).toEqual([...new Set(people)].toSorted((a, b) => a - b))
          expect(people.length).toBeGreaterThan(0)
        }
      }),
    )
  })

  it("are the remaining known blocks plus the written ones", () => {
    fc.assert(
      fc.property(entries, entries, (before, added) => {
        const known = merge([], before).blocks
        const { blocks, gone, written } = merge(known, added)
        const left = known.filter(({ score }) => !gone.includes(score))
        const byScore = (a: Block, b: Block) => a.score - b.score
        expect(plain([...left, ...written].toSorted(byScore))).toEqual(plain(blocks))
      }),
    )
  })

  it("change nothing when they are merged again", () => {
    fc.assert(
      fc.property(entries, (added) => {
        const again = merge(merge([], added).blocks, added)
        expect([again.written, again.gone, again.inserted, again.updated]).toEqual([[], [], 0, 0])
      }),
    )
  })
})

describe("the figures of a topic and date", () => {
  it("count scores from 90, from 70 and below", () => {
    const added = [1, 69, 70, 89, 90, 100].flatMap((score, place) =>
      Array.from({ length: place + 1 }, (_, at) => ({
        person: 10 * score + at,
        score,
        isCounted: true,
      })),
    )
    expect(topicDay(7, merge([], added).people)).toEqual({
      topicId: 7,
      audience: 21,
      scoreSum: 1 + 2 * 69 + 3 * 70 + 4 * 89 + 5 * 90 + 6 * 100,
      high: 5 + 6,
      medium: 3 + 4,
      low: 1 + 2,
    })
  })
})

describe("the slices of a date", () => {
  const row = fc.record({
    topicId: fc.integer({ min: 1, max: 9 }),
    person: fc.integer({ min: 1, max: 9 }),
    score: fc.integer({ min: 1, max: 100 }),
  })

  it("contain every signal once, by topic, in order of arrival", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(row, { maxLength: 12 }), { maxLength: 5 }),
        fc.integer({ min: 1, max: 20 }),
        (pieces, rowsMax) => {
          const expected = new Map<number, Array<unknown>>()
          pieces.forEach((piece, index) => {
            for (const { person, score, topicId } of piece) {
              expected.set(topicId, [...(expected.get(topicId) ?? []), [person, score, index % 2]])
            }
          })

          const found = new Map<number, Array<unknown>>()
          const counts = new Map([...expected].map(([topicId, added]) => [topicId, added.length]))
          for (const topics of slicesOf(counts, rowsMax)) {
            const slice = new Slice(topics)
            pieces.forEach((piece, index) =>
              slice.add(
                {
                  topicIds: Int32Array.from(piece, ({ topicId }) => topicId),
                  people: Int32Array.from(piece, ({ person }) => person),
                  scores: Int32Array.from(piece, ({ score }) => score),
                },
                { isCounted: index % 2 === 1 },
              ),
            )
            const byTopic = [...slice.topics()]
            const rows = byTopic.reduce((sum, [, { people }]) => sum + people.length, 0)
            expect(topics.isLarge ? byTopic.length === 1 : rows <= rowsMax).toBe(true)
            for (const [topicId, { isCounted, people, scores }] of byTopic) {
              expect(found.has(topicId)).toBe(false)
              found.set(
                topicId,
                [...people].map((person, place) => [person, scores[place], isCounted[place]]),
              )
            }
          }
          expect(found).toEqual(expected)
        },
      ),
    )
  })
})

describe("a topic that is larger than a slice", () => {
  it("gives the same result in parts of a few rows as in one, and no part is larger", () => {
    fc.assert(
      fc.property(entries, entries, fc.integer({ min: 2, max: 9 }), (before, added, rowsMax) => {
        const known = merge([], before).blocks
        const topic = new TopicMerge(known)
        while (topic.behind < personMax) {
          const through = topic.knownThrough(rowsMax)
          const part = new PeoplePart({ topicId: 7, behind: topic.behind, through, rowsMax })
          for (const { isCounted, person, score } of added) {
            part.add(
              {
                topicIds: Int32Array.of(7, 8),
                people: Int32Array.of(person, 1),
                scores: Int32Array.of(score, 1),
              },
              { isCounted },
            )
          }
          expect(part.signals().people.length).toBeLessThan(rowsMax)
          const people = known.flatMap((block) => [...block.people])
          expect(
            people.filter((person) => person > topic.behind && person <= part.through).length,
          ).toBeLessThanOrEqual(rowsMax)
          topic.add(part.signals(), part.through)
        }

        const [inParts, atOnce] = [inBlocks(topic.end()), merge(known, added)]

        expect({
          ...inParts,
          blocks: plain(inParts.blocks),
          written: plain(inParts.written),
        }).toEqual({
          ...atOnce,
          blocks: plain(atOnce.blocks),
          written: plain(atOnce.written),
        })
      }),
    )
  })
})
